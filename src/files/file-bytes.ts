import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { ReadError } from '../model/error.ts'

/** Node reads no more at once. */
const READ_AT_ONCE = 2 ** 30

/**
 * The bytes that a file has at this moment: a running agent may append to it meanwhile.
 * @throws {ReadError} when it is no regular file, is over `maxBytes`, or the system refuses it.
 */
export async function fileBytes(path: string, maxBytes: number): Promise<Uint8Array> {
  const file = await opened(path)
  try {
    const stats = await file.stat()
    refuseIrregular(stats)
    if (stats.size > maxBytes) throw new ReadError(`the file is over ${maxBytes} bytes; maxBytes raises the limit`)
    return await filled(file, stats.size)
  } finally {
    await file.close()
  }
}

/**
 * A regular file, opened. Looks before it opens, since opening a pipe waits for a writer; and does not wait when a pipe
 * takes its place meanwhile.
 * @throws {ReadError} when it is none, or the system refuses it.
 */
export async function opened(path: string): Promise<FileHandle> {
  try {
    refuseIrregular(await stat(path))
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    throw ReadError.is(error) ? error : new ReadError(`${path}: ${reasonOf(error)}`)
  }
}

function refuseIrregular(stats: { isFile(): boolean; isDirectory(): boolean }): void {
  if (stats.isFile()) return
  throw new ReadError(
    stats.isDirectory()
      ? 'this is a directory; name a file of it'
      : 'this is not a regular file, but a device or a pipe: read it, and give what it holds',
  )
}

async function filled(file: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  let end = 0
  while (end < size) {
    const { bytesRead } = await file.read(bytes, end, Math.min(size - end, READ_AT_ONCE), end)
    if (bytesRead === 0) break
    end += bytesRead
  }
  return bytes.subarray(0, end)
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EACCES', 'the file may not be read (permission denied)'],
  ['EPERM', 'the file may not be read (not permitted)'],
])

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return REASONS.get(code ?? '') ?? `the file cannot be opened (${code ?? message})`
}
