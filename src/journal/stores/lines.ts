import { isAscii, isUtf8 } from 'node:buffer'
import type { LineEnd, StoredLine } from '../store.ts'

export const NEWLINE = 10

/**
 * CANCEL: stands behind what a crash left of a record, in front of the newline that a repair gives it. JSON text never holds
 * it, so that a line with this end is known not to be a whole record that was damaged later.
 */
export const CANCEL = 0x18

/**
 * SPACE: stands behind a record that was not durable yet when the next one was written. JSON does not mind it; whoever finds
 * a hole in front of it knows that a crash of the machine may have left it, and that nothing behind it was acknowledged.
 */
export const UNSYNCED = 0x20

const END_BYTES: { readonly [K in LineEnd]: number } = { whole: 1, unsynced: 2, torn: 2, lost: 1, none: 0 }

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
  /** The line without text has bytes that are zero. */
  #hasHole = false

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
      const kind = end > start ? kindOf(bytes[end - 1]) : 'whole'
      const stop = end + 1 - END_BYTES[kind]
      const text = ascii?.slice(start, stop) ?? this.#textOf(bytes.subarray(start, stop), isText)
      this.#hand(text, stop - start, kind)
      start = end + 1
    }
  }

  #textOf(bytes: Buffer, isText: boolean): string | undefined {
    if (this.#dropped + bytes.length <= this.#maxLineBytes && (isText || isUtf8(bytes))) return bytes.toString('utf8')
    this.#hasHole ||= bytes.includes(0)
    return undefined
  }

  #hand(read: string | undefined, bytes: number, end: LineEnd): void {
    const length = this.#dropped + bytes
    const line = { text: read, number: ++this.#number, offset: this.#offset, length, end }
    if (read !== undefined && length <= this.#maxLineBytes) this.#take(line)
    else this.#take({ ...line, text: undefined, hasHole: this.#hasHole || read?.includes('\0') === true })
    this.#offset += length + END_BYTES[end]
    this.#dropped = 0
    this.#hasHole = false
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return
    if (this.#keptBytes > this.#maxLineBytes) {
      this.#dropped += this.#keptBytes
      this.#hasHole ||= this.#kept.some((kept) => kept.includes(0))
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

/** By the byte in front of the newline. */
function kindOf(last: number | undefined): LineEnd {
  if (last === CANCEL) return 'torn'
  if (last === UNSYNCED) return 'unsynced'
  return last === 0 ? 'lost' : 'whole'
}

/** Behind a newline: as many lines as make up a batch, and one at least. */
function batchEnd(piece: Buffer, start: number, end: number): number {
  if (end - start <= BATCH) return end
  const last = piece.lastIndexOf(NEWLINE, start + BATCH)
  return (last < start ? piece.indexOf(NEWLINE, start) : last) + 1
}
