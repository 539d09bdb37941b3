import { once } from 'node:events'
import { type Duplex, Readable } from 'node:stream'
import { ReadError } from '../model/error.ts'
import type { Unpacking } from './unpacking.ts'

/**
 * Sends data through a stream that unpacks it. Gives what went wrong with the data, undefined when it is whole.
 * @throws {ReadError} over a limit.
 */
export async function pour(packed: Uint8Array, through: Duplex, into: Unpacking): Promise<Error | undefined> {
  const stream = Readable.from(pieces(packed)).pipe(through)
  stream.on('data', (chunk: Uint8Array) => {
    try {
      into.add(chunk)
    } catch (excess) {
      stream.destroy(excess as Error)
    }
  })
  try {
    await once(stream, 'end')
    return undefined
  } catch (error) {
    if (ReadError.is(error)) throw error
    return error as Error
  }
}

const PIECE = 64 * 1024

function* pieces(packed: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < packed.length; start += PIECE) yield packed.subarray(start, start + PIECE)
}
