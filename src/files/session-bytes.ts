import { change } from '../model/change.ts'
import { ReadError } from '../model/error.ts'
import { readSession } from '../read/index.ts'
import type { ReadResult } from '../read/reader.ts'
import { readDatabase } from './databases.ts'
import { type FileOptions, MAX_BYTES } from './file-options.ts'
import { gunzip, type Unpacked } from './gzip.ts'
import { beginsWith, GZIP, notText, SQLITE } from './kind.ts'
import { withPrivateBytes } from './private-copy.ts'

const MAX_RATIO = 200

/** As `readSessionFile`, for bytes that come from elsewhere. */
export async function readSessionBytes(stored: Uint8Array, options: FileOptions = {}): Promise<ReadResult> {
  const { bytes, isCutOff } = await unpacked(stored, options)
  const result = beginsWith(bytes, SQLITE) ? await databaseOf(bytes, options) : readSession(asText(bytes), options)
  return isCutOff ? { ...result, changes: [change('file-cut-off', {}), ...result.changes] } : result
}

function databaseOf(bytes: Uint8Array, options: FileOptions): Promise<ReadResult> {
  const maxBytes = options.maxBytes ?? MAX_BYTES
  return withPrivateBytes(bytes, maxBytes, (copy) => readDatabase(copy, options, maxBytes))
}

/** @throws {ReadError} for what holds no text, or is over a limit. */
export async function plainBytes(stored: Uint8Array, options: FileOptions = {}): Promise<Unpacked> {
  const plain = await unpacked(stored, options)
  asText(plain.bytes)
  return plain
}

async function unpacked(stored: Uint8Array, options: FileOptions): Promise<Unpacked> {
  const limits = { maxBytes: options.maxBytes ?? MAX_BYTES, maxRatio: options.maxRatio ?? MAX_RATIO }
  return beginsWith(stored, GZIP) ? await gunzip(stored, limits) : { bytes: stored, isCutOff: false }
}

function asText(bytes: Uint8Array): Uint8Array {
  const reason = notText(bytes)
  if (reason !== undefined) throw new ReadError(reason)
  return bytes
}
