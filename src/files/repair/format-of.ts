import { ReadError } from '../../model/error.ts'
import type { FormatId } from '../../model/session.ts'
import { detectWith } from '../../read/choose.ts'
import { detectFormat, readers, readSession } from '../../read/index.ts'
import { isCompressed, notText } from '../kind.ts'
import { RepairError } from './error.ts'

/**
 * The format of a file: the one that is named, as far as the file may be of it.
 * @throws {ReadError} when no format fits, or the named one does not.
 */
export function formatOf(bytes: Uint8Array, named: FormatId | undefined): FormatId {
  if (isCompressed(bytes)) throw new RepairError('unsupported', 'this file is compressed: decompress it first')
  const foreign = notText(bytes)
  if (foreign !== undefined) throw new ReadError(foreign)
  if (named !== undefined) return confirmed(bytes, named)
  const format = detectFormat(bytes)
  if (format === undefined) throw new ReadError('no known format fits the file')
  return format
}

/** A repair in the record shapes of another tool would break what is whole. */
function confirmed(bytes: Uint8Array, named: FormatId): FormatId {
  const own = readers.filter(({ format }) => format === named)
  if (detectWith(own, bytes) !== undefined) return named
  refuseOther(named, detectFormat(bytes) ?? named, 'this is a file')
  // It looks like nothing that is known: whether it is of the format, reading tells.
  readSession(bytes, { format: named })
  return named
}

/** @throws {ReadError} when another format is named than the one it is of. */
export function refuseOther(named: FormatId | undefined, found: FormatId, what: string): void {
  if (named !== undefined && named !== found) throw new ReadError(`${what} of ${found}, not of ${named}`)
}

/** @throws {ReadError} when another session is named than the one of the file. */
export function refuseOtherId(named: string | undefined, found: string | undefined): void {
  if (named === undefined || found === undefined || named === found) return
  throw new ReadError(`the session of this file has the id ${JSON.stringify(found)}, not ${JSON.stringify(named)}`)
}
