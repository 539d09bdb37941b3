import { change } from '../model/change.ts'
import { ReadError } from '../model/error.ts'
import { readSession } from '../read/index.ts'
import type { ReadOptions, ReadResult } from '../read/reader.ts'
import { gunzip, type Unpacked } from './gzip.ts'
import { beginsWith, GZIP, notText } from './kind.ts'

export interface FileOptions extends ReadOptions {
  /** How many times its size a compressed file may grow; counts from 16 MiB. Default 200. */
  readonly maxRatio?: number | undefined
}

/** 2 GiB, as for sources in memory. */
export const MAX_BYTES: number = 2 * 1024 ** 3
const MAX_RATIO = 200

/** As `readSessionFile`, for bytes that come from elsewhere. */
export async function readSessionBytes(stored: Uint8Array, options: FileOptions = {}): Promise<ReadResult> {
  const { bytes, isCutOff } = await plainBytes(stored, options)
  const result = readSession(bytes, options)
  return isCutOff ? { ...result, changes: [change('file-cut-off', {}), ...result.changes] } : result
}

/** @throws {ReadError} for what holds no text, or is over a limit. */
export async function plainBytes(stored: Uint8Array, options: FileOptions = {}): Promise<Unpacked> {
  const limits = { maxBytes: options.maxBytes ?? MAX_BYTES, maxRatio: options.maxRatio ?? MAX_RATIO }
  const plain = beginsWith(stored, GZIP) ? await gunzip(stored, limits) : { bytes: stored, isCutOff: false }
  const reason = notText(plain.bytes)
  if (reason !== undefined) throw new ReadError(reason)
  return plain
}
