import { preview } from '../model/json.ts'
import type { Change } from '../model/session.ts'
import { Pieces } from './pieces.ts'

/** First bytes of files that people give by mistake. */
const MAGIC: readonly { readonly bytes: string; readonly reason: string }[] = [
  { bytes: 'SQLite format 3', reason: 'this is an SQLite database, not JSON' },
  { bytes: '\x1f\x8b', reason: 'this is compressed by gzip, not JSON' },
  { bytes: '\x28\xb5\x2f\xfd', reason: 'this is compressed by zstd, not JSON' },
  { bytes: 'PK\x03\x04', reason: 'this is a ZIP archive, not JSON' },
]

/** What bytes are by how they begin, when that is no text: whatever looks like JSON in them is nobody's record. */
export function foreignBytes(input: string | Uint8Array | Pieces): string | undefined {
  return typeof input === 'string' ? undefined : magicOf(headOf(input))?.reason
}

const magicOf = (head: string) => MAGIC.find(({ bytes }) => head.startsWith(bytes))

/** Why a source without any record could not be read. */
export function unreadableReason(input: string | Uint8Array | Pieces, changes: readonly Change[]): string {
  const head = headOf(input)
  const magic = magicOf(head)
  if (magic !== undefined) return magic.reason
  if (head.includes('\0')) return 'this is binary data, not JSON'
  if (changes.every((found) => found.code === 'line-too-long'))
    return 'every line is over the size limit; maxLineBytes raises it'
  return `no JSON object or array found, it begins with ${JSON.stringify(preview(head.slice(0, 40)))}`
}

/** Bytes as characters of the same number. */
function headOf(input: string | Uint8Array | Pieces): string {
  if (typeof input === 'string') return input.slice(0, 1024)
  if (input instanceof Pieces) return headOf(input.at(0, 1024))
  return String.fromCharCode(...input.subarray(0, 1024))
}
