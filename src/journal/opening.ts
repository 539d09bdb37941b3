import { Impossible } from '../read/journal/calls.ts'
import { Ledger } from '../read/journal/ledger.ts'
import { type ByteRange, JOURNAL_VERSION, type JournalRecord } from '../read/journal/record.ts'
import { isOfJournal, isRecord } from '../read/journal/record-guard.ts'
import { Transcript } from '../read/journal/transcript.ts'
import { JournalError } from './error.ts'
import type { LineEnd, StoredLine } from './store.ts'
import { CANCEL } from './stores/lines.ts'

const CANCELLED = String.fromCharCode(CANCEL)

/** What a crash may have left behind the last record: unreadable lines, and what was never acknowledged between them. */
interface Tail {
  readonly number: number
  readonly offset: number
  /** Of its last line. */
  end: number
  ended: LineEnd
}

/**
 * Replays stored lines, and refuses what nobody could have written. A line that is no JSON is let pass in two places
 * only: at the very end, where a crash tears records, and where a repair record names exactly its bytes. A crash of the machine
 * may leave holes in all that was not synced, and records between them: those were never acknowledged, and are skipped too.
 */
export class Opening {
  readonly ledger: Ledger = new Ledger()
  readonly transcript: Transcript = new Transcript()
  /** Not named by a repair record so far. */
  #tail: Tail | undefined
  readonly #maxLineBytes: number

  /** @param maxLineBytes What the store was told: of a longer line it gives no text. */
  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes
  }

  /** @throws {JournalError} when the line is damaged, or over the limit and may be a record. */
  take(line: StoredLine): void {
    this.#refuseLong(line)
    const isEmpty = line.length === 0
    if (isEmpty && (this.#tail === undefined || line.end !== 'torn')) return
    const value = isEmpty || line.text === undefined ? undefined : parsed(line.text)
    if (this.#tail !== undefined) this.#goOn(this.#tail, value, line)
    else if (value === undefined) this.#begin(line)
    else this.#accept(checked(value, line), line)
  }

  /**
   * The torn end, if there is one.
   * @throws {JournalError} when there are damaged lines that no crash explains.
   */
  finish(): ByteRange | undefined {
    if (this.#tail === undefined) return undefined
    const { offset, end } = this.#tail
    return { offset, length: end - offset }
  }

  /**
   * Who wrote it had another limit: skipped as what a crash left, a record that was acknowledged would be lost. Without its
   * newline, too, it may be a whole one. What a repair ended as torn is none, and what has a hole no record.
   */
  #refuseLong({ text, length, hasHole, end, number, offset }: StoredLine): void {
    const limit = this.#maxLineBytes
    if (text !== undefined || length <= limit || hasHole === true || end === 'torn') return
    throw new JournalError(
      'too-large',
      `the record has ${length} bytes, and no more than ${limit} are read; maxRecordBytes, as it was when this was written, raises the limit`,
      { line: number, offset },
    )
  }

  #begin(line: StoredLine): void {
    const { number, offset, length, end } = line
    if (!isLeft(line)) throw unexplained(line)
    this.#tail = { number, offset, end: offset + length, ended: end }
  }

  #goOn(tail: Tail, value: unknown, line: StoredLine): void {
    if (value === undefined) {
      if (!isLeft(line) || (tail.ended === 'whole' && !isFirstOfRepair(line))) throw unexplained(tail)
    } else {
      const record = checked(value, line)
      // A repair ends what it finds as torn, whatever its end was.
      if (tail.ended === 'torn') {
        this.#explain(tail, record, line)
        return
      }
      if (tail.ended === 'whole') throw unexplained(tail)
    }
    if (line.length > 0) tail.end = line.offset + line.length
    tail.ended = line.end
  }

  #explain(tail: Tail, record: JournalRecord, line: StoredLine): void {
    if (record.type !== 'repair' || record.torn === undefined) throw unexplained(tail)
    const { offset, length } = record.torn
    if (offset !== tail.offset || offset + length !== tail.end) throw misnamed(line)
    this.#tail = undefined
    this.#replay(record, line)
  }

  #accept(record: JournalRecord, line: StoredLine): void {
    if (record.type === 'repair' && record.torn !== undefined) throw misnamed(line)
    this.#replay(record, line)
  }

  #replay(record: JournalRecord, line: StoredLine): void {
    try {
      this.ledger.accept(record)(this.transcript)
    } catch (error) {
      throw error instanceof Impossible ? corrupt(error.message, line) : error
    }
  }
}

/** A line that was ended as records are was a whole one, but for a hole: what is torn has no end, or that of a repair. */
function isLeft({ text, hasHole, end }: StoredLine): boolean {
  return end === 'torn' || end === 'none' || hasHole === true || text?.includes('\0') === true
}

/** Behind a record whose successor was only written once it was durable: unless that is a repair that found it damaged. */
function isFirstOfRepair({ text, hasHole, length }: StoredLine): boolean {
  return length === 0 || hasHole === true || text?.includes('\0') === true || text?.startsWith(CANCELLED) === true
}

function checked(value: unknown, line: StoredLine): JournalRecord {
  if (isRecord(value)) return value
  const isNewer = isOfJournal(value) && value.journal !== JOURNAL_VERSION
  throw corrupt(
    isNewer ? `version ${value.journal} of the journal is not known` : 'this is no record of a journal',
    line,
  )
}

type Place = Pick<StoredLine, 'number' | 'offset'>

const unexplained = (line: Place): JournalError => corrupt('this is no JSON, and no crash explains it', line)
const misnamed = (line: Place): JournalError => corrupt('the repair record names bytes that are no torn line', line)

function corrupt(reason: string, { number, offset }: Place): JournalError {
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
