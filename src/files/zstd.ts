import type { Duplex } from 'node:stream'
import { ReadError } from '../model/error.ts'
import { pour } from './pour.ts'
import type { Unpacking } from './unpacking.ts'
import { type Frame, zstdFrames } from './zstd-frames.ts'

/** Unpacks one frame; gives what went wrong with its data. */
type Unpack = (frame: Uint8Array, into: Unpacking) => Promise<Error | undefined>

/**
 * Unpacks with the zstd of Node, from 22.15 on, else with the optional package. True when the data ends early or is
 * damaged; what came before is taken.
 * @throws {ReadError} over a limit, when nothing can be read, or there is nothing to unpack it with.
 */
export async function unzstd(packed: Uint8Array, into: Unpacking): Promise<boolean> {
  const unpack = nodeUnpack() ?? (await packageUnpack())
  let end = 0
  for (const frame of zstdFrames(packed)) {
    refuseWide(frame)
    const failure = await unpack(frame.bytes, into)
    end = frame.bytes.byteOffset - packed.byteOffset + frame.bytes.length
    if (failure === undefined) continue
    if (into.size === 0) throw new ReadError(`the zstd data cannot be read (${failure.message})`)
    return true
  }
  if (into.size === 0) throw new ReadError('the zstd data cannot be read (it is cut off or empty)')
  return end === 0
}

/** What zstd itself takes unless it is told otherwise. */
const WIDEST = 128 * 1024 * 1024

/** Each block moves the whole window. */
const MOST_MOVED = 128 * 1024 ** 3

function refuseWide({ window, blocks }: Frame): void {
  if (window > WIDEST || window * blocks > MOST_MOVED)
    throw new ReadError('this zstd data takes too much memory to unpack; decompress it first (zstd -d --long=31)')
}

/** Not named by the types of older versions of Node. */
function nodeUnpack(): Unpack | undefined {
  const { getBuiltinModule } = process as { getBuiltinModule?: (id: string) => unknown }
  const zlib = getBuiltinModule?.('node:zlib') as { createZstdDecompress?: () => Duplex } | undefined
  const create = zlib?.createZstdDecompress
  return create === undefined ? undefined : (frame, into) => pour(frame, create(), into)
}

const PACKAGE = 'fzstd'

async function packageUnpack(): Promise<Unpack> {
  const { Decompress } = await zstdPackage()
  return async (frame, into) => {
    try {
      new Decompress((chunk) => into.add(chunk)).push(frame, true)
      return undefined
    } catch (error) {
      if (ReadError.is(error)) throw error
      return error as Error
    }
  }
}

async function zstdPackage(): Promise<typeof import('fzstd')> {
  try {
    return await import('fzstd')
  } catch {
    throw new ReadError(
      `this is compressed by zstd: to read it, use Node 22.15 or later, or install the package ${PACKAGE}`,
    )
  }
}
