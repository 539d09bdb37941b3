import { ReadError } from '../model/error.ts'
import { LARGE, Pieces } from './pieces.ts'
import { wholeLines } from './whole-lines.ts'

/** Whole lines of the source as text, or a line that is too long to be decoded. */
export type Chunk = TextChunk | { readonly skippedBytes: number }

export interface TextChunk {
  readonly text: string
  readonly last: boolean
  /** Of a source in pieces: the bytes of the text. */
  readonly bytes?: Uint8Array
  /** Where in the source they begin. */
  readonly start?: number
}

export interface Limits {
  readonly maxBytes: number
  readonly maxLineBytes: number
}

/** The source as it is best read: bytes that are large, or may have a line over the limit, in pieces. */
export function inPieces<T extends string | Uint8Array | Pieces>(source: T, { maxLineBytes }: Limits): T | Pieces {
  const isWhole = !(source instanceof Uint8Array) || source.length <= Math.min(LARGE, maxLineBytes) || isUtf16(source)
  return isWhole ? source : Pieces.of(source)
}

/** @throws {ReadError} when the source is over `maxBytes`. */
export function* textChunks(input: string | Uint8Array | Pieces, limits: Limits): Generator<Chunk> {
  if (sizeOf(input, limits.maxBytes) > limits.maxBytes)
    throw new ReadError(`the source is over ${limits.maxBytes} bytes; maxBytes raises the limit`)
  if (typeof input === 'string') yield { text: withoutMark(input), last: true }
  else if (input instanceof Pieces) yield* decodedLines(input, limits.maxLineBytes)
  else yield { text: decoded(input), last: true }
}

function sizeOf(input: string | Uint8Array | Pieces, limit: number): number {
  if (typeof input === 'string') return boundedBytes(input, limit)
  return input instanceof Uint8Array ? input.length : input.size
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

function* decodedLines(pieces: Pieces, maxLineBytes: number): Generator<Chunk> {
  let start = 0
  for (const lines of wholeLines(pieces, maxLineBytes)) {
    const chunk = 'skippedBytes' in lines ? lines : decodedChunk(lines.bytes, lines.last, start)
    start += 'skippedBytes' in lines ? lines.skippedBytes : lines.bytes.length
    yield chunk
  }
}

/** Of lines that begin there: a byte order mark stands at the beginning of a source alone. */
export const lineDecoder = (start: number): TextDecoder => (start === 0 ? AT_START : BEHIND)

const AT_START = new TextDecoder()
const BEHIND = new TextDecoder('utf-8', { ignoreBOM: true })

/** Skipped when the engine holds no string of that size. */
function decodedChunk(bytes: Uint8Array, last: boolean, start: number): Chunk {
  try {
    return { text: lineDecoder(start).decode(bytes), last, bytes, start }
  } catch {
    return { skippedBytes: bytes.length }
  }
}
