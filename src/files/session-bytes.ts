import { change } from '../model/change.ts'
import { ReadError } from '../model/error.ts'
import { readSession } from '../read/index.ts'
import type { ReadResult } from '../read/reader.ts'
import { readDatabase } from './databases.ts'
import { type FileOptions, MAX_BYTES } from './file-options.ts'
import { beginsWith, notText, SQLITE } from './kind.ts'
import { withPrivateBytes } from './private-copy.ts'
import { unpacked } from './unpack.ts'
import type { Unpacked, UnpackLimits } from './unpacking.ts'

const MAX_RATIO = 200

/** As `readSessionFile`, for bytes that come from elsewhere. */
export async function readSessionBytes(stored: Uint8Array, options: FileOptions = {}): Promise<ReadResult> {
  const { bytes, isCutOff } = await unpacked(stored, limitsOf(options))
  const result = beginsWith(bytes, SQLITE) ? await databaseOf(bytes, options) : readSession(asText(bytes), options)
  return isCutOff ? { ...result, changes: [change('file-cut-off', {}), ...result.changes] } : result
}

function databaseOf(bytes: Uint8Array, options: FileOptions): Promise<ReadResult> {
  const maxBytes = options.maxBytes ?? MAX_BYTES
  return withPrivateBytes(bytes, maxBytes, (copy) => readDatabase(copy, options, maxBytes))
}

/** @throws {ReadError} for what holds no text, or is over a limit. */
export async function plainBytes(stored: Uint8Array, options: FileOptions = {}): Promise<Unpacked> {
  const plain = await unpacked(stored, limitsOf(options))
  asText(plain.bytes)
  return plain
}

function limitsOf({ maxBytes = MAX_BYTES, maxRatio = MAX_RATIO }: FileOptions): UnpackLimits {
  return { maxBytes, maxRatio }
}

function asText(bytes: Uint8Array): Uint8Array {
  const reason = notText(bytes)
  if (reason !== undefined) throw new ReadError(reason)
  return bytes
}
