import type { ReadResult } from '../read/reader.ts'
import { fileBytes } from './file-bytes.ts'
import { type FileOptions, MAX_BYTES, readSessionBytes } from './session-bytes.ts'

export { ReadError } from '../model/error.ts'
export type { Branch, ReadOptions, ReadResult } from '../read/reader.ts'
export type { FileOptions } from './session-bytes.ts'

/**
 * Reads a stored session from a regular file, plain or compressed by gzip. `maxBytes` (default 2 GiB) holds before and
 * after unpacking.
 * @throws {ReadError} when nothing can be read: with the format, line and path where they are known.
 */
export async function readSessionFile(path: string, options: FileOptions = {}): Promise<ReadResult> {
  return readSessionBytes(await fileBytes(path, options.maxBytes ?? MAX_BYTES), options)
}
