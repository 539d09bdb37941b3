interface Kind {
  /** The first bytes, as characters of the same number. */
  readonly magic: string
  readonly name: string
  /** What the user can do about it. */
  readonly advice: string
}

export const SQLITE = 'SQLite format 3\0'
export const GZIP = '\x1f\x8b'
export const ZSTD = '\x28\xb5\x2f\xfd'

/** Files that people give and that hold no text; JSON inside of them is found by nobody's rules. */
const KINDS: readonly Kind[] = [
  { magic: SQLITE, name: 'an SQLite database', advice: 'only sessions are read from databases' },
  { magic: 'PK\x03\x04', name: 'a ZIP archive', advice: 'unpack it first' },
  { magic: '\xfd7zXZ', name: 'compressed by xz', advice: 'decompress it first (xz -d)' },
  { magic: 'BZh', name: 'compressed by bzip2', advice: 'decompress it first (bzip2 -d)' },
  { magic: GZIP, name: 'compressed by gzip twice', advice: 'decompress it first (gzip -d)' },
  { magic: ZSTD, name: 'compressed by zstd twice', advice: 'decompress it first (zstd -d)' },
]

export function beginsWith(bytes: Uint8Array, magic: string): boolean {
  if (bytes.length < magic.length) return false
  for (let index = 0; index < magic.length; index++) if (bytes[index] !== magic.charCodeAt(index)) return false
  return true
}

export const isCompressed = (bytes: Uint8Array): boolean => beginsWith(bytes, GZIP) || beginsWith(bytes, ZSTD)

/** Why bytes cannot be a stored session; undefined when they may be one. */
export function notText(bytes: Uint8Array): string | undefined {
  const kind = KINDS.find(({ magic }) => beginsWith(bytes, magic))
  return kind && `this is ${kind.name}, which is not read: ${kind.advice}`
}
