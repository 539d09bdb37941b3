import { isUtf8 } from 'node:buffer'
import type { LineEnd, StoredLine } from '../store.ts'

const NEWLINE = 10

/**
 * CANCEL: stands behind what a crash left of a record, in front of the newline that a repair gives it. JSON text never holds
 * it, so that a line with this end is known not to be a whole record that was damaged later.
 */
export const CANCEL = 0x18

const END_BYTES: { readonly [K in LineEnd]: number } = { whole: 1, torn: 2, none: 0 }

/** Cuts bytes that come in pieces into lines. */
export class Lines {
  readonly #take: (line: StoredLine) => void
  readonly #maxLineBytes: number
  #number = 0
  /** Of the first byte that is not handed out yet. */
  #offset = 0
  #kept: Uint8Array[] = []
  #keptBytes = 0
  /** Bytes of a line over the limit that are not kept. */
  #dropped = 0

  constructor(take: (line: StoredLine) => void, maxLineBytes: number) {
    this.#take = take
    this.#maxLineBytes = maxLineBytes
  }

  /** The piece may be overwritten afterwards. */
  push(piece: Buffer): void {
    const end = piece.lastIndexOf(NEWLINE) + 1
    if (end > 0) this.#lines(this.#withKept(piece.subarray(0, end)))
    this.#keep(piece.subarray(end))
  }

  /** Whether the last line has no end. */
  finish(): boolean {
    const rest = this.#withKept(Buffer.alloc(0))
    if (rest.length === 0) return false
    this.#hand(rest, 0, rest.length, 'none', isUtf8(rest))
    return true
  }

  #lines(bytes: Buffer): void {
    const isText = isUtf8(bytes)
    let start = 0
    while (start < bytes.length) {
      const end = bytes.indexOf(NEWLINE, start)
      const isTorn = end > start && bytes[end - 1] === CANCEL
      this.#hand(bytes, start, isTorn ? end - 1 : end, isTorn ? 'torn' : 'whole', isText)
      start = end + 1
    }
  }

  #hand(bytes: Buffer, start: number, end: number, kind: LineEnd, isText: boolean): void {
    const length = this.#dropped + end - start
    const isRead = length <= this.#maxLineBytes && (isText || isUtf8(bytes.subarray(start, end)))
    const text = isRead ? bytes.toString('utf8', start, end) : undefined
    this.#take({ text, number: ++this.#number, offset: this.#offset, length, end: kind })
    this.#offset += length + END_BYTES[kind]
    this.#dropped = 0
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return
    if (this.#keptBytes > this.#maxLineBytes) {
      this.#dropped += this.#keptBytes
      this.#kept = []
      this.#keptBytes = 0
    }
    this.#kept.push(Uint8Array.from(piece))
    this.#keptBytes += piece.length
  }

  #withKept(piece: Buffer): Buffer {
    if (this.#keptBytes === 0) return piece
    const whole = Buffer.concat([...this.#kept, piece], this.#keptBytes + piece.length)
    this.#kept = []
    this.#keptBytes = 0
    return whole
  }
}
