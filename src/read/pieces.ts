const MIB = 1024 * 1024

/** In bytes: from here on a source is read in pieces, and its records are not held. */
export const LARGE: number = 32 * MIB

export interface PieceSizes {
  /** So much is read at once. Default 8 MiB. */
  readonly piece?: number
  /** Of so many bytes from the beginning on the records are held; those behind are read again. Default 32 MiB. */
  readonly held?: number
}

/** A source that is read piece by piece, such as a file. */
export class Pieces {
  /** In bytes. */
  readonly size: number
  readonly held: number
  /** The bytes of a range; fewer where the source has become shorter. */
  readonly at: (start: number, length: number) => Uint8Array
  readonly #piece: number

  constructor(size: number, at: (start: number, length: number) => Uint8Array, sizes: PieceSizes = {}) {
    this.size = size
    this.at = at
    this.#piece = sizes.piece ?? 8 * MIB
    this.held = sizes.held ?? LARGE
  }

  static of(bytes: Uint8Array, sizes?: PieceSizes): Pieces {
    return new Pieces(bytes.length, (start, length) => bytes.subarray(start, start + length), sizes)
  }

  /** What the source had when it was opened: a running agent may append to it. */
  *[Symbol.iterator](): Generator<Uint8Array> {
    for (let start = 0; start < this.size; ) {
      const piece = this.at(start, Math.min(this.#piece, this.size - start))
      if (piece.length === 0) return
      yield piece
      start += piece.length
    }
  }
}
