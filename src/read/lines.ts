import { change } from '../model/change.ts'
import { ReadError } from '../model/error.ts'
import { preview } from '../model/json.ts'
import type { Change } from '../model/session.ts'
import { SAMPLE } from './evidence.ts'
import type { ReadOptions, Source, SourceRecord } from './reader.ts'
import { recoverRecords } from './recover.ts'
import { type Chunk, exceeds, type Limits, Pieces, textChunks } from './text.ts'
import { foreignBytes, unreadableReason } from './unreadable.ts'

const GIB = 1024 ** 3

/** So many lines without one record are not a session. */
const MAX_LINES_WITHOUT_RECORD = 10_000

/**
 * The source as one JSON value or as JSON lines; what is given as an object is the value. An array or object that spans
 * the whole text is the value, also when it stands on one line.
 * @throws {ReadError} when the source is empty, over `maxBytes`, or holds no JSON object or array.
 */
export function readSource(
  input: string | Uint8Array | Pieces | object,
  options: ReadOptions = {},
  sieveFor: SieveFor = () => undefined,
  /** So many records of JSON lines are enough. */
  most: number = Number.POSITIVE_INFINITY,
): Source {
  if (!isText(input)) return { value: input, changes: [] }
  if ((input instanceof Pieces ? input.size : input.length) === 0) throw new ReadError('the source is empty')
  const foreign = foreignBytes(input)
  if (foreign !== undefined) throw new ReadError(foreign)
  const limits = { maxBytes: options.maxBytes ?? 2 * GIB, maxLineBytes: options.maxLineBytes ?? GIB / 2 }
  const { records, value, changes } = readChunks(input, limits, new Lines(limits, most, sieveFor))
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
      lines.read(chunk.text, chunk.last)
      if (!chunk.last) lines.chooseSieve()
    }
    first = false
    if (lines.isFull) break
  }
  return { records: lines.records, changes: lines.changes }
}

/** Chooses, by the first records of a source, what of the further ones is held. */
export type SieveFor = (head: Source) => ((value: unknown) => unknown) | undefined

type TextChunk = Exclude<Chunk, { skippedBytes: number }>

/** The source as one value or as spread ones, told by its first chunk; undefined when it is JSON lines. */
function wholeOf(chunk: TextChunk, input: string | Uint8Array | Pieces, limits: Limits): Source | undefined {
  if (chunk.last) return wholeValue(chunk.text, limits)
  const start = firstVisible(chunk.text, 0)
  const line = lineAt(chunk.text, start)
  if (!/^[[{]/.test(line) || isRecord(parsed(line))) return undefined
  const text = joined(textChunks(input, limits))
  if (text !== undefined) return wholeValue(text, limits)
  if (SPREAD.test(line)) throw new ReadError('one JSON value over many lines is read up to about 512 MiB only')
  return undefined
}

/** Undefined when the engine holds no string of that size. */
function joined(chunks: Iterable<Chunk>): string | undefined {
  const texts: string[] = []
  for (const chunk of chunks) if ('text' in chunk) texts.push(chunk.text)
  try {
    return texts.join('')
  } catch {
    return undefined
  }
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

class Lines {
  readonly records: SourceRecord[] = []
  readonly changes: Change[] = []
  readonly #limits: Limits
  readonly #most: number
  readonly #sieveFor: SieveFor
  #sieve: ((value: unknown) => unknown) | undefined
  #isChosen = false
  #line = 0

  constructor(limits: Limits, most: number, sieveFor: SieveFor) {
    this.#limits = limits
    this.#most = most
    this.#sieveFor = sieveFor
  }

  /** Once, by the records that were read so far. */
  chooseSieve(): void {
    if (this.#isChosen) return
    this.#isChosen = true
    this.#sieve = this.#sieveFor({ records: this.records, changes: [] })
  }

  get isFull(): boolean {
    return this.records.length >= this.#most
  }

  /** A line that was not even decoded. */
  skip(): void {
    this.#line++
    this.changes.push(change('line-too-long', { line: this.#line }))
  }

  /** Reads whole lines; `last` when nothing follows the text. */
  read(text: string, last: boolean): void {
    const end = last ? lastVisible(text) : text.length
    let start = 0
    while (start < end && !this.isFull) {
      const newline = text.indexOf('\n', start)
      const stop = newline < 0 ? text.length : newline
      this.#line++
      this.#readLine(text.slice(start, stop), last && stop >= end, newline < 0)
      start = stop + 1
    }
  }

  #readLine(line: string, isLast: boolean, isUnended: boolean): void {
    if (line.length === 0 || line === '\r') return
    const value = exceeds(line, this.#limits.maxLineBytes) ? TOO_LONG : parsed(line)
    if (value === TOO_LONG) this.changes.push(change('line-too-long', { line: this.#line }, { before: line }))
    else if (isRecord(value)) this.#add(value)
    else if (firstVisible(line, 0) < line.length) this.#recover(line, isLast, isUnended)
  }

  #add(value: unknown): void {
    this.records.push({ line: this.#line, value: this.#sieve === undefined ? value : this.#sieve(value) })
    if (this.records.length === SAMPLE) this.chooseSieve()
  }

  #recover(text: string, isLast: boolean, isUnended: boolean): void {
    const line = this.#line
    const { values, lost, cutOff } = recoverRecords(text)
    for (const { value } of values) this.#add(value)
    if (values.length > 1 || (values.length === 1 && lost === '')) this.changes.push(change('line-glued', { line }))
    if (values.length === 0 || lost !== '') {
      const code = isLast && (isUnended || cutOff) ? 'line-torn' : 'line-unreadable'
      this.changes.push(change(code, { line }, { before: preview(lost) }))
    }
    if (this.records.length === 0 && this.changes.length >= MAX_LINES_WITHOUT_RECORD) {
      throw new ReadError(`no JSON object in the first ${MAX_LINES_WITHOUT_RECORD} lines`)
    }
  }
}

const TOO_LONG = Symbol('over the size limit')

/** Undefined when the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null

/** White space. NUL bytes are not: a crashed disk leaves them where a record was. */
const isInvisible = (unit: number): boolean => unit === 32 || (unit >= 9 && unit <= 13)

function firstVisible(text: string, from: number): number {
  let position = from
  while (position < text.length && isInvisible(text.charCodeAt(position))) position++
  return position
}

/** Behind the last visible character. */
function lastVisible(text: string): number {
  let position = text.length
  while (position > 0 && isInvisible(text.charCodeAt(position - 1))) position--
  return position
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
