import { ReadError } from '../model/error.ts'
import { wholeLines } from './whole-lines.ts'

/** Whole lines of the source as text, or a line that is too long to be decoded. */
export type Chunk = { readonly text: string; readonly last: boolean } | { readonly skippedBytes: number }

export interface Limits {
  readonly maxBytes: number
  readonly maxLineBytes: number
}

/** A source that is read piece by piece, such as a file. */
export class Pieces {
  /** In bytes. */
  readonly size: number
  readonly #read: () => Iterable<Uint8Array>

  constructor(size: number, read: () => Iterable<Uint8Array>) {
    this.size = size
    this.#read = read
  }

  [Symbol.iterator](): Iterator<Uint8Array> {
    return this.#read()[Symbol.iterator]()
  }
}

/** Engines hold no string over about 512 MiB, and what is decoded in pieces is not held as a whole. */
const WHOLE = 32 * 1024 * 1024
const PIECE = 8 * 1024 * 1024

/** @throws {ReadError} when the source is over `maxBytes`. */
export function* textChunks(
  input: string | Uint8Array | Pieces,
  limits: Limits,
  pieceBytes: number = PIECE,
): Generator<Chunk> {
  const size = sizeOf(input, limits.maxBytes)
  if (size > limits.maxBytes)
    throw new ReadError(`the source is over ${limits.maxBytes} bytes; maxBytes raises the limit`)
  if (typeof input === 'string') yield { text: withoutMark(input), last: true }
  else if (input instanceof Uint8Array && (size <= Math.min(WHOLE, limits.maxLineBytes) || isUtf16(input)))
    yield { text: decoded(input), last: true }
  else yield* decodedLines(input instanceof Uint8Array ? slices(input, pieceBytes) : input, limits.maxLineBytes)
}

function sizeOf(input: string | Uint8Array | Pieces, limit: number): number {
  if (typeof input === 'string') return boundedBytes(input, limit)
  return input instanceof Uint8Array ? input.length : input.size
}

function* slices(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

/** True when the text takes more than `limit` bytes in UTF-8. */
export function exceeds(text: string, limit: number): boolean {
  return boundedBytes(text, limit) > limit
}

/** Bytes in UTF-8; counted only where it can matter, since no UTF-16 unit takes fewer than one or more than three. */
function boundedBytes(text: string, limit: number): number {
  if (text.length > limit || text.length * 3 <= limit) return text.length
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7f) bytes++
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) bytes++
  }
  return bytes
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/** Some shells redirect to UTF-16 with a mark. */
export function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
}

/** Bad bytes become U+FFFD, a byte order mark is dropped. */
function decoded(bytes: Uint8Array): string {
  const encoding = !isUtf16(bytes) ? 'utf-8' : bytes[0] === 0xff ? 'utf-16le' : 'utf-16be'
  return new TextDecoder(encoding).decode(bytes)
}

function* decodedLines(pieces: Iterable<Uint8Array>, maxLineBytes: number): Generator<Chunk> {
  for (const lines of wholeLines(pieces, maxLineBytes)) {
    if ('skippedBytes' in lines) yield lines
    else yield decodedChunk(lines.bytes, lines.last)
  }
}

/** Skipped when the engine holds no string of that size. */
function decodedChunk(bytes: Uint8Array, last: boolean): Chunk {
  try {
    return { text: decoded(bytes), last }
  } catch {
    return { skippedBytes: bytes.length }
  }
}
