import { ReadError } from '../model/error.ts'
import { Lines } from './lines.ts'
import { Pieces } from './pieces.ts'
import type { ReadOptions, Source } from './reader.ts'
import { inPieces, type Limits, textChunks } from './text.ts'
import { foreignBytes, unreadableReason } from './unreadable.ts'
import { wholeOf } from './whole-value.ts'

const GIB = 1024 ** 3

/**
 * The source as one JSON value or as JSON lines; what is given as an object is the value. An array or object that spans
 * the whole text is the value, also when it stands on one line.
 * @throws {ReadError} when the source is empty, over `maxBytes`, or holds no JSON object or array.
 */
export function readSource(
  input: string | Uint8Array | Pieces | object,
  options: ReadOptions = {},
  /** So many records of JSON lines are enough. */
  most: number = Number.POSITIVE_INFINITY,
): Source {
  if (!isText(input)) return { value: input, changes: [] }
  if ((input instanceof Pieces ? input.size : input.length) === 0) throw new ReadError('the source is empty')
  const foreign = foreignBytes(input)
  if (foreign !== undefined) throw new ReadError(foreign)
  const limits = { maxBytes: options.maxBytes ?? 2 * GIB, maxLineBytes: options.maxLineBytes ?? GIB / 2 }
  const given = inPieces(input, limits)
  const { records, value, changes } = readChunks(given, limits, new Lines(given, limits, most))
  if (records?.length === 0) throw new ReadError(unreadableReason(input, changes), { line: changes[0]?.at.line })
  return records === undefined ? { value, changes } : { records, changes }
}

/** Text, decoded or not; anything else is a value that a program holds. */
export function isText(input: unknown): input is string | Uint8Array | Pieces {
  try {
    return typeof input === 'string' || input instanceof Uint8Array || input instanceof Pieces
  } catch {
    // A proxy that lets nobody look.
    return false
  }
}

function readChunks(input: string | Uint8Array | Pieces, limits: Limits, lines: Lines): Source {
  let first = true
  for (const chunk of textChunks(input, limits)) {
    if ('skippedBytes' in chunk) lines.skip()
    else {
      const whole = first ? wholeOf(chunk, input, limits) : undefined
      if (whole !== undefined) return whole
      lines.read(chunk)
    }
    first = false
    if (lines.isFull) break
  }
  return { records: lines.records, changes: lines.changes }
}
