import { readSync } from 'node:fs'
import { readSession } from '../read/index.ts'
import type { ReadResult } from '../read/reader.ts'
import { isUtf16, Pieces } from '../read/text.ts'
import { opened } from './file-bytes.ts'
import type { FileOptions } from './file-options.ts'
import { isCompressed, notText } from './kind.ts'

/** Below this a file is read at once. */
const LARGE = 32 * 1024 * 1024
const PIECE = 8 * 1024 * 1024

/**
 * Reads a large file without ever holding all of its text. Undefined when it is small, or its text is not plain.
 * @throws {ReadError} when nothing can be read, or the file is over `maxBytes`.
 */
export async function readInPieces(path: string, options: FileOptions): Promise<ReadResult | undefined> {
  const file = await opened(path)
  try {
    const stats = await file.stat()
    const size = stats.isFile() ? stats.size : 0
    if (size < LARGE) return undefined
    const head = new Uint8Array(64)
    await file.read(head, 0, head.length, 0)
    if (isUtf16(head) || isCompressed(head) || notText(head) !== undefined) return undefined
    return readSession(new Pieces(size, () => piecesOf(file.fd, size)), options)
  } finally {
    await file.close()
  }
}

/** What the file had when it was opened: a running agent may append to it. */
function* piecesOf(descriptor: number, size: number): Generator<Uint8Array> {
  let start = 0
  while (start < size) {
    const piece = new Uint8Array(Math.min(PIECE, size - start))
    const read = readSync(descriptor, piece, 0, piece.length, start)
    if (read === 0) return
    yield piece.subarray(0, read)
    start += read
  }
}
