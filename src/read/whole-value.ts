import { change } from '../model/change.ts'
import { ReadError } from '../model/error.ts'
import { firstVisible, isRecord, parsed } from './json-text.ts'
import type { Pieces } from './pieces.ts'
import type { Source } from './reader.ts'
import { recoverRecords } from './recover.ts'
import { type Chunk, exceeds, type Limits, type TextChunk, textChunks } from './text.ts'

/** The source as one value or as spread ones, told by its first chunk; undefined when it is JSON lines. */
export function wholeOf(chunk: TextChunk, input: string | Uint8Array | Pieces, limits: Limits): Source | undefined {
  if (chunk.last) return wholeValue(chunk.text, limits)
  const start = firstVisible(chunk.text, 0)
  const line = lineAt(chunk.text, start)
  if (!/^[[{]/.test(line) || isRecord(parsed(line)) || hasNeighbours(chunk.text, start + line.length)) return undefined
  const text = joined(textChunks(input, limits))
  if (text !== undefined) return wholeValue(text, limits)
  if (SPREAD.test(line)) throw new ReadError(TOO_LARGE)
  return undefined
}

const TOO_LARGE =
  'one JSON value over many lines is read up to about 512 MiB, and with no line over the size limit (maxLineBytes)'

/** Whether two lines in a row are records, which no one value has without a comma: then the first line is a torn one. */
function hasNeighbours(text: string, from: number): boolean {
  let isBehindRecord = false
  for (let start = firstVisible(text, from); start < text.length; ) {
    const line = lineAt(text, start)
    const isOne = isRecord(parsed(line))
    if (isOne && isBehindRecord) return true
    isBehindRecord = isOne
    start = firstVisible(text, start + line.length)
  }
  return false
}

/** Characters, of which no engine that Node runs on holds more in one string. */
const LONGEST = 2 ** 29 - 24

/** Undefined when it is no whole text: a line was passed by, or it is longer than a string may be. */
function joined(chunks: Iterable<Chunk>): string | undefined {
  const texts: string[] = []
  let length = 0
  for (const chunk of chunks) {
    if ('skippedBytes' in chunk) return undefined
    length += chunk.text.length
    if (length > LONGEST) return undefined
    texts.push(chunk.text)
  }
  return texts.join('')
}

/**
 * The text as one value, or as values that each span several lines; undefined when it is JSON lines. Of JSON lines no
 * more than the first line is parsed here.
 */
function wholeValue(text: string, limits: Limits): Source | undefined {
  const start = firstVisible(text, 0)
  if (start === text.length) throw new ReadError('the source is empty')
  const line = lineAt(text, start)
  const end = start + line.length
  const isOneLine = firstVisible(text, end) === text.length
  if (isOneLine && exceeds(text, limits.maxLineBytes)) return undefined
  if (!isOneLine && isRecord(parsed(line))) return undefined
  const value = parsed(text)
  if (isRecord(value)) return { value, changes: [] }
  return SPREAD.test(line) ? spreadValues(text) : undefined
}

/** How a value begins that is printed over several lines. */
const SPREAD = /^[[{]\s*$/

function lineAt(text: string, start: number): string {
  const newline = text.indexOf('\n', start)
  return text.slice(start, newline < 0 ? text.length : newline)
}

/** Records that were each printed over several lines. */
function spreadValues(text: string): Source {
  const { values, lost } = recoverRecords(text)
  const lines = lineCounter(text)
  const records = values.map(({ value, start }) => ({ line: lines(start), value }))
  const line = lines(text.length)
  if (records.length === 0) throw new ReadError('the JSON is cut off or broken', { line })
  return { records, changes: lost === '' ? [] : [change('line-torn', { line }, { before: lost })] }
}

/** The 1-based line of ascending positions. */
function lineCounter(text: string): (position: number) => number {
  let line = 1
  let from = 0
  return (position) => {
    for (let at = text.indexOf('\n', from); at >= 0 && at < position; at = text.indexOf('\n', from)) {
      line++
      from = at + 1
    }
    return line
  }
}
