import { type ChangeCode, change } from '../model/change.ts'
import { ReadError } from '../model/error.ts'
import { preview } from '../model/json.ts'
import type { Change } from '../model/session.ts'
import { Pieces } from './pieces.ts'
import type { ReadOptions, Source, SourceRecord } from './reader.ts'
import { recoverRecords } from './recover.ts'
import { StoredLines, StoredRecord } from './stored-record.ts'
import { type Chunk, exceeds, inPieces, type Limits, type TextChunk, textChunks } from './text.ts'
import { foreignBytes, unreadableReason } from './unreadable.ts'

const GIB = 1024 ** 3

/** So many lines without one record are not a session. */
const MAX_LINES_WITHOUT_RECORD = 10_000

/** So many bad lines are told one by one, so that a file of nothing else takes no memory for each. */
const MAX_TOLD = 20_000

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
  readonly #told: Change[] = []
  readonly #untold = new Map<ChangeCode, { readonly line: number; count: number }>()
  readonly #limits: Limits
  readonly #most: number
  readonly #source: Pieces | undefined
  readonly #stored: StoredLines | undefined
  #line = 0

  constructor(source: string | Uint8Array | Pieces, limits: Limits, most: number) {
    this.#limits = limits
    this.#most = most
    if (!(source instanceof Pieces)) return
    this.#source = source
    this.#stored = new StoredLines(source)
  }

  get changes(): readonly Change[] {
    const rest = [...this.#untold].map(([code, { line, count }]) =>
      change(code, { line }, { message: `From this line on ${count} more lines are of this kind.` }),
    )
    return rest.length === 0 ? this.#told : [...this.#told, ...rest]
  }

  get isFull(): boolean {
    return this.records.length >= this.#most
  }

  /** A line that was not even decoded. */
  skip(): void {
    this.#line++
    this.#report('line-too-long')
  }

  read(chunk: TextChunk): void {
    const { text, last } = chunk
    const end = last ? lastVisible(text) : text.length
    const places = this.#placesOf(chunk)
    let start = 0
    while (start < end && !this.isFull) {
      const newline = text.indexOf('\n', start)
      const stop = newline < 0 ? text.length : newline
      this.#line++
      this.#readLine(text.slice(start, stop), { isLast: last && stop >= end, isUnended: newline < 0 }, places?.next())
      start = stop + 1
    }
  }

  /** Of lines whose values are not held. */
  #placesOf({ bytes, start }: TextChunk): LinePlaces | undefined {
    if (this.#source === undefined || bytes === undefined || start === undefined) return undefined
    return start < this.#source.held ? undefined : new LinePlaces(bytes, start)
  }

  #readLine(line: string, end: LineEnd, place: LinePlace | undefined): void {
    if (line.length === 0 || line === '\r') return
    const value = exceeds(line, this.#limits.maxLineBytes) ? TOO_LONG : parsed(line)
    if (value === TOO_LONG) this.#report('line-too-long', line)
    else if (isRecord(value)) this.#add(value, place)
    else if (firstVisible(line, 0) < line.length) this.#recover(line, end)
  }

  #add(value: unknown, place?: LinePlace): void {
    const line = this.#line
    if (place === undefined || this.#stored === undefined) this.records.push({ line, value })
    else this.records.push(new StoredRecord(this.#stored, line, place.start, place.length))
  }

  #recover(text: string, { isLast, isUnended }: LineEnd): void {
    const { values, lost, cutOff } = recoverRecords(text)
    for (const { value } of values) this.#add(value)
    if (values.length > 1 || (values.length === 1 && lost === '')) this.#report('line-glued')
    if (values.length === 0 || lost !== '')
      this.#report(isLast && (isUnended || cutOff) ? 'line-torn' : 'line-unreadable', preview(lost))
    if (this.records.length === 0 && this.#told.length >= MAX_LINES_WITHOUT_RECORD)
      throw new ReadError(`no JSON object in the first ${MAX_LINES_WITHOUT_RECORD} lines`)
  }

  #report(code: ChangeCode, before?: string): void {
    const line = this.#line
    if (this.#told.length < MAX_TOLD) {
      this.#told.push(change(code, { line }, before === undefined ? {} : { before }))
      return
    }
    const rest = this.#untold.get(code)
    if (rest === undefined) this.#untold.set(code, { line, count: 1 })
    else rest.count++
  }
}

interface LineEnd {
  /** Nothing visible follows. */
  readonly isLast: boolean
  /** The newline is missing. */
  readonly isUnended: boolean
}

interface LinePlace {
  readonly start: number
  readonly length: number
}

/** Where lines stand in bytes: those of UTF-8 end where their texts do, since no other character has a byte of a newline. */
class LinePlaces {
  readonly #bytes: Uint8Array
  readonly #offset: number
  #at = 0

  constructor(bytes: Uint8Array, offset: number) {
    this.#bytes = bytes
    this.#offset = offset
  }

  next(): LinePlace {
    const start = this.#at
    const newline = this.#bytes.indexOf(NEWLINE, start)
    const end = newline < 0 ? this.#bytes.length : newline
    this.#at = end + 1
    return { start: this.#offset + start, length: end - start }
  }
}

const NEWLINE = 10

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
