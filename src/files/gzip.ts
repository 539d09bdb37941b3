import { once } from 'node:events'
import { Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { ReadError } from '../model/error.ts'

export interface Unpacked {
  readonly bytes: Uint8Array
  /** The compressed data ends early or is damaged; `bytes` came before. */
  readonly isCutOff: boolean
}

export interface UnpackLimits {
  readonly maxBytes: number
  readonly maxRatio: number
}

/** Small files may repeat themselves as they like. */
const RATIO_COUNTS_FROM = 16 * 1024 * 1024

/** @throws {ReadError} over a limit, or when nothing can be read. */
export async function gunzip(packed: Uint8Array, limits: UnpackLimits): Promise<Unpacked> {
  const chunks: Uint8Array[] = []
  const whole = await unpack(packed, constants.Z_FINISH, limits, chunks)
  if (whole === undefined) return { bytes: Buffer.concat(chunks), isCutOff: false }
  chunks.length = 0
  // Without the demand for an end, what was understood is handed out.
  await unpack(packed, constants.Z_SYNC_FLUSH, limits, chunks)
  if (chunks.length === 0) throw new ReadError(`the gzip data cannot be read (${whole.message})`)
  return { bytes: Buffer.concat(chunks), isCutOff: true }
}

/** Undefined when the data is whole. */
async function unpack(
  packed: Uint8Array,
  finishFlush: number,
  limits: UnpackLimits,
  chunks: Uint8Array[],
): Promise<Error | undefined> {
  const stream = Readable.from(pieces(packed)).pipe(createGunzip({ finishFlush }))
  let bytes = 0
  stream.on('data', (chunk: Uint8Array) => {
    chunks.push(chunk)
    bytes += chunk.length
    const excess = excessOf(bytes, packed.length, limits)
    if (excess !== undefined) stream.destroy(excess)
  })
  try {
    await once(stream, 'end')
    return undefined
  } catch (error) {
    if (ReadError.is(error)) throw error
    return error as Error
  }
}

function excessOf(bytes: number, packed: number, { maxBytes, maxRatio }: UnpackLimits): ReadError | undefined {
  if (bytes > maxBytes) return new ReadError(`the source is over ${maxBytes} bytes unpacked; maxBytes raises the limit`)
  if (bytes < RATIO_COUNTS_FROM || bytes <= packed * maxRatio) return undefined
  return new ReadError(`the source grows more than ${maxRatio} times when unpacked; maxRatio raises the limit`)
}

const PIECE = 64 * 1024

function* pieces(packed: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < packed.length; start += PIECE) yield packed.subarray(start, start + PIECE)
}
