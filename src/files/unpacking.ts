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

/** Takes what is unpacked, within limits. */
export class Unpacking {
  readonly #packed: number
  readonly #limits: UnpackLimits
  #chunks: Uint8Array[] = []
  #size = 0

  /** `packed`: how many bytes the data had. */
  constructor(packed: number, limits: UnpackLimits) {
    this.#packed = packed
    this.#limits = limits
  }

  get size(): number {
    return this.#size
  }

  /** @throws {ReadError} over a limit; what is within it stays. */
  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    const { maxBytes, maxRatio } = this.#limits
    if (this.#size > maxBytes)
      throw new ReadError(`the source is over ${maxBytes} bytes unpacked; maxBytes raises the limit`)
    if (this.#size < RATIO_COUNTS_FROM || this.#size <= this.#packed * maxRatio) return
    throw new ReadError(`the source grows more than ${maxRatio} times when unpacked; maxRatio raises the limit`)
  }

  forget(): void {
    this.#chunks = []
    this.#size = 0
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks)
  }
}
