import { ReadError } from '../model/error.ts'
import { gunzip } from './gzip.ts'
import { beginsWith, GZIP, ZSTD } from './kind.ts'
import { type Unpacked, Unpacking, type UnpackLimits } from './unpacking.ts'
import { unzstd } from './zstd.ts'

const PACKERS: readonly {
  readonly magic: string
  readonly unpack: (packed: Uint8Array, into: Unpacking) => Promise<boolean>
}[] = [
  { magic: GZIP, unpack: gunzip },
  { magic: ZSTD, unpack: unzstd },
]

/**
 * The bytes themselves, or what they were before they were compressed.
 * @throws {ReadError} over a limit, or when nothing can be read.
 */
export async function unpacked(stored: Uint8Array, limits: UnpackLimits): Promise<Unpacked> {
  const packer = PACKERS.find(({ magic }) => beginsWith(stored, magic))
  if (packer === undefined) return { bytes: stored, isCutOff: false }
  const into = new Unpacking(stored.length, limits)
  const isCutOff = await packer.unpack(stored, into)
  return { bytes: into.bytes(), isCutOff }
}

/** Of the beginning of a compressed file about as many bytes as asked for, or fewer; undefined when it is not compressed. */
export async function unpackedHead(head: Uint8Array, bytes: number): Promise<Unpacked | undefined> {
  const packer = PACKERS.find(({ magic }) => beginsWith(head, magic))
  if (packer === undefined) return undefined
  const into = new Unpacking(head.length, { maxBytes: bytes, maxRatio: Number.POSITIVE_INFINITY })
  try {
    const isCutOff = await packer.unpack(head, into)
    return { bytes: into.bytes(), isCutOff }
  } catch (error) {
    if (!ReadError.is(error) || into.size === 0) throw error
    return { bytes: into.bytes(), isCutOff: true }
  }
}
