import { constants, createGunzip } from 'node:zlib'
import { ReadError } from '../model/error.ts'
import { pour } from './pour.ts'
import type { Unpacking } from './unpacking.ts'

/**
 * True when the data ends early or is damaged; what came before is taken.
 * @throws {ReadError} over a limit, or when nothing can be read.
 */
export async function gunzip(packed: Uint8Array, into: Unpacking): Promise<boolean> {
  const failure = await pour(packed, createGunzip({ finishFlush: constants.Z_FINISH }), into)
  if (failure === undefined) return false
  into.forget()
  // Without the demand for an end, what was understood is handed out.
  await pour(packed, createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }), into)
  if (into.size === 0) throw new ReadError(`the gzip data cannot be read (${failure.message})`)
  return true
}
