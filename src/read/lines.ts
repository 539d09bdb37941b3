import { type ChangeCode, change } from '../model/change.ts'
import { ReadError } from '../model/error.ts'
import type { Change } from '../model/session.ts'
import { firstVisible, isRecord, lastVisible, parsed } from './json-text.ts'
import { Pieces } from './pieces.ts'
import type { SourceRecord } from './reader.ts'
import { recoverRecords } from './recover.ts'
import { StoredLines, StoredRecord } from './stored-record.ts'
import { exceeds, type Limits, type TextChunk } from './text.ts'

/** So many lines without one record are not a session. */
const MAX_LINES_WITHOUT_RECORD = 10_000

/** So many bad lines are told one by one, so that a file of nothing else takes no memory for each. */
const MAX_TOLD = 20_000

/** The records of JSON lines, as their text comes. */
export class Lines {
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
    if (values.length > 1) this.#report('line-glued')
    if (values.length === 0 || lost !== '')
      this.#report(isLast && (isUnended || cutOff) ? 'line-torn' : 'line-unreadable', lost)
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
