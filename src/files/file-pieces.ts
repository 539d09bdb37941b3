import { readSync } from 'node:fs'
import { ReadError } from '../model/error.ts'
import { readSession } from '../read/index.ts'
import { LARGE, Pieces } from '../read/pieces.ts'
import type { ReadResult } from '../read/reader.ts'
import { isUtf16 } from '../read/text.ts'
import { opened } from './file-bytes.ts'
import type { FileOptions } from './file-options.ts'
import { isCompressed, notText } from './kind.ts'

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
    return readSession(new Pieces(size, rangesOf(file.fd)), options)
  } finally {
    await file.close()
  }
}

/** So much is read around a line: its neighbours are asked for next, in either direction. */
const WINDOW = 256 * 1024

function rangesOf(descriptor: number): (start: number, length: number) => Uint8Array {
  let window: Uint8Array = new Uint8Array(0)
  let from = 0
  return (start, length) => {
    if (length >= WINDOW) return range(descriptor, start, length)
    if (start < from || start + length > from + window.length) {
      from = start < from ? Math.max(0, start + length - WINDOW) : start
      window = range(descriptor, from, WINDOW)
    }
    return window.subarray(start - from, start - from + length)
  }
}

function range(descriptor: number, start: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let end = 0
  while (end < length) {
    const read = readAt(descriptor, bytes, end, start + end)
    if (read === 0) break
    end += read
  }
  return bytes.subarray(0, end)
}

/** @throws {ReadError} when the system refuses it. */
function readAt(descriptor: number, into: Uint8Array, offset: number, position: number): number {
  try {
    return readSync(descriptor, into, offset, into.length - offset, position)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new ReadError(`the file cannot be read (${code ?? message})`)
  }
}
