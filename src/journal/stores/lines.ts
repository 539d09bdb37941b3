import { isAscii, isUtf8 } from 'node:buffer'
import type { LineEnd, StoredLine } from '../store.ts'

export const NEWLINE = 10

/**
 * CANCEL: stands behind what a crash left of a record, in front of the newline that a repair gives it. JSON text never holds
 * it, so that a line with this end is known not to be a whole record that was damaged later.
 */
export const CANCEL = 0x18

const END_BYTES: { readonly [K in LineEnd]: number } = { whole: 1, torn: 2, none: 0 }

/** Bytes that are looked at together: of few lines, since most are ASCII alone, which is one text for all of them. */
const BATCH = 32 * 1024

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
    let start = 0
    if (end > 0 && this.#keptBytes > 0) {
      start = piece.indexOf(NEWLINE) + 1
      this.#lines(this.#withKept(piece.subarray(0, start)))
    }
    while (start < end) {
      const next = batchEnd(piece, start, end)
      this.#lines(piece.subarray(start, next))
      start = next
    }
    this.#keep(piece.subarray(end))
  }

  /** Whether the last line has no end. */
  finish(): boolean {
    const rest = this.#withKept(Buffer.alloc(0))
    if (rest.length === 0) return false
    this.#hand(this.#textOf(rest, isUtf8(rest)), rest.length, 'none')
    return true
  }

  /** Whole lines. */
  #lines(bytes: Buffer): void {
    const ascii = isAscii(bytes) ? bytes.toString('latin1') : undefined
    const isText = ascii !== undefined || isUtf8(bytes)
    for (let start = 0; start < bytes.length; ) {
      const end = ascii === undefined ? bytes.indexOf(NEWLINE, start) : ascii.indexOf('\n', start)
      const isTorn = end > start && bytes[end - 1] === CANCEL
      const stop = isTorn ? end - 1 : end
      const text = ascii?.slice(start, stop) ?? this.#textOf(bytes.subarray(start, stop), isText)
      this.#hand(text, stop - start, isTorn ? 'torn' : 'whole')
      start = end + 1
    }
  }

  #textOf(bytes: Buffer, isText: boolean): string | undefined {
    if (this.#dropped + bytes.length > this.#maxLineBytes) return undefined
    return isText || isUtf8(bytes) ? bytes.toString('utf8') : undefined
  }

  #hand(read: string | undefined, bytes: number, end: LineEnd): void {
    const length = this.#dropped + bytes
    const text = length > this.#maxLineBytes ? undefined : read
    this.#take({ text, number: ++this.#number, offset: this.#offset, length, end })
    this.#offset += length + END_BYTES[end]
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

/** Behind a newline: as many lines as make up a batch, and one at least. */
function batchEnd(piece: Buffer, start: number, end: number): number {
  if (end - start <= BATCH) return end
  const last = piece.lastIndexOf(NEWLINE, start + BATCH)
  return (last < start ? piece.indexOf(NEWLINE, start) : last) + 1
}
