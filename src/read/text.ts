import { ReadError } from '../model/error.ts'

/** Whole lines of the source as text, or a line that is too long to be decoded. */
export type Chunk = { readonly text: string; readonly last: boolean } | { readonly skippedBytes: number }

export interface Limits {
  readonly maxBytes: number
  readonly maxLineBytes: number
}

/** Engines hold no string over about 512 MiB, so that larger files are decoded in pieces that end at a newline. */
const WHOLE = 256 * 1024 * 1024
const PIECE = 64 * 1024 * 1024
const NEWLINE = 10

/** @throws {ReadError} when the source is over `maxBytes`. */
export function* textChunks(input: string | Uint8Array, limits: Limits, pieceBytes: number = PIECE): Generator<Chunk> {
  const size = typeof input === 'string' ? boundedBytes(input, limits.maxBytes) : input.length
  if (size > limits.maxBytes)
    throw new ReadError(`the source is over ${limits.maxBytes} bytes; maxBytes raises the limit`)
  if (typeof input === 'string') yield { text: withoutMark(input), last: true }
  else if (input.length <= Math.min(WHOLE, limits.maxLineBytes)) yield { text: decoded(input), last: true }
  else yield* pieces(input, limits.maxLineBytes, pieceBytes)
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

/** Bad bytes become U+FFFD, a byte order mark is dropped. Some shells redirect to UTF-16 with a mark. */
function decoded(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

function* pieces(bytes: Uint8Array, maxLineBytes: number, pieceBytes: number): Generator<Chunk> {
  let start = 0
  while (start < bytes.length) {
    const end = endOfPiece(bytes, start, pieceBytes)
    const last = end === bytes.length
    const text =
      end - start > pieceBytes && end - start > maxLineBytes ? undefined : decodedPiece(bytes.subarray(start, end))
    yield text === undefined ? { skippedBytes: end - start } : { text, last }
    start = end
  }
}

/** Behind the last newline within the piece, else behind the first one after it. */
function endOfPiece(bytes: Uint8Array, start: number, pieceBytes: number): number {
  if (bytes.length - start <= pieceBytes) return bytes.length
  const before = bytes.lastIndexOf(NEWLINE, start + pieceBytes - 1)
  const found = before >= start ? before : bytes.indexOf(NEWLINE, start + pieceBytes)
  return found < 0 ? bytes.length : found + 1
}

/** Undefined when the engine holds no string of that size. */
function decodedPiece(bytes: Uint8Array): string | undefined {
  try {
    return decoded(bytes)
  } catch {
    return undefined
  }
}
