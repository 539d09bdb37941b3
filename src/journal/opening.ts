import { Impossible } from '../read/journal/calls.ts'
import { Ledger } from '../read/journal/ledger.ts'
import { type ByteRange, JOURNAL_VERSION, type JournalRecord } from '../read/journal/record.ts'
import { isOfJournal, isRecord } from '../read/journal/record-guard.ts'
import { Transcript } from '../read/journal/transcript.ts'
import { JournalError } from './error.ts'
import type { StoredLine } from './store.ts'

/** A line that is no JSON, which may be what a crash left of a record. */
type BadLine = Omit<StoredLine, 'text' | 'end'>

/** So many torn lines are no accident. */
const MAX_BAD_LINES = 10_000

/**
 * Replays stored lines, and refuses what nobody could have written. A line that is no JSON is let pass in two places
 * only: at the very end, where a crash tears records, and where a repair record names exactly its bytes.
 */
export class Opening {
  readonly ledger: Ledger = new Ledger()
  readonly transcript: Transcript = new Transcript()
  /** Bad lines that no repair record has named so far. */
  #bad: BadLine[] = []
  /** How many of them stand before the last record. */
  #within = 0

  take(line: StoredLine): void {
    if (line.length === 0) return
    const value = line.text === undefined ? undefined : parsed(line.text)
    if (value === undefined) this.#addBad(line)
    else this.#accept(checked(value, line), line)
  }

  /**
   * The torn end, if there is one.
   * @throws {JournalError} when there are damaged lines that no crash explains.
   */
  finish(): ByteRange | undefined {
    const [first] = this.#bad
    if (first === undefined) return undefined
    if (this.#within > 0) throw unexplained(first)
    const last = this.#bad.at(-1) ?? first
    return { offset: first.offset, length: last.offset + last.length - first.offset }
  }

  /** A line that was ended as records are was a whole one: what is torn has no end, or that of a repair. */
  #addBad({ number, offset, length, end }: StoredLine): void {
    const bad = { number, offset, length }
    if (end === 'whole' || this.#bad.length >= MAX_BAD_LINES) throw unexplained(bad)
    this.#bad.push(bad)
  }

  #accept(record: JournalRecord, line: StoredLine): void {
    try {
      this.ledger.accept(record)(this.transcript)
    } catch (error) {
      throw error instanceof Impossible ? corrupt(error.message, line) : error
    }
    if (record.type === 'repair' && record.torn !== undefined) this.#explain(record.torn, line)
    this.#within = this.#bad.length
  }

  /** The lines of the range are those before the record, and they fill it. */
  #explain({ offset, length }: ByteRange, line: StoredLine): void {
    const first = this.#bad.findIndex((bad) => bad.offset === offset)
    const last = this.#bad.at(-1)
    const isExact =
      first >= 0 && last !== undefined && last.offset + last.length === offset + length && first >= this.#within
    if (!isExact) throw corrupt('the repair record names bytes that are no torn line', line)
    this.#bad = this.#bad.slice(0, first)
  }
}

function checked(value: unknown, line: StoredLine): JournalRecord {
  if (isRecord(value)) return value
  const isNewer = isOfJournal(value) && value.journal !== JOURNAL_VERSION
  throw corrupt(
    isNewer ? `version ${value.journal} of the journal is not known` : 'this is no record of a journal',
    line,
  )
}

const unexplained = (line: BadLine): JournalError => corrupt('this is no JSON, and no crash explains it', line)

function corrupt(reason: string, { number, offset }: Pick<StoredLine, 'number' | 'offset'>): JournalError {
  return new JournalError('corrupt', reason, { line: number, offset })
}

/** Undefined when the text is not JSON: JSON has no such value. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
