import { Impossible } from '../read/journal/calls.ts'
import { type Effect, Ledger } from '../read/journal/ledger.ts'
import { JOURNAL_VERSION, type JournalEntry, type JournalRecord, type SessionHead } from '../read/journal/record.ts'
import { isRecord } from '../read/journal/record-guard.ts'
import type { Transcript } from '../read/journal/transcript.ts'
import { JournalError } from './error.ts'
import { misfit } from './misfit.ts'
import type { Opening } from './opening.ts'
import type { OpenStore } from './store.ts'
import { Writer } from './writer.ts'

export interface RecorderSettings {
  readonly syncs: 'record' | 'turn'
  readonly maxRecordBytes: number
  /** Recorded in front of the first record, so that a journal that is never used is never made. */
  readonly head: SessionHead
  now(): number
}

/** The way of a record: judged against those before it, written, made durable, then seen, then told. */
export class Recorder {
  readonly ledger: Ledger
  readonly transcript: Transcript
  readonly #store: OpenStore
  readonly #writer: Writer
  readonly #settings: RecorderSettings
  readonly #listeners = new Set<(record: JournalRecord) => void>()
  #closing: Promise<void> | undefined

  constructor(store: OpenStore, { ledger, transcript }: Opening, settings: RecorderSettings) {
    this.ledger = ledger
    this.transcript = transcript
    this.#store = store
    this.#writer = new Writer(store)
    this.#settings = settings
  }

  /** Rejects with a `JournalError`. */
  record(entry: JournalEntry): Promise<void> {
    if (this.#writer.fault !== undefined) return Promise.reject(this.#writer.fault)
    try {
      const isFirst = !this.ledger.hasHead && !HEADLESS.has(entry.type)
      if (isFirst) this.#begin(0, [entry])
      return this.#add(entry)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** In one group, so that no other record comes between. */
  async recordAll(entries: readonly JournalEntry[]): Promise<void> {
    await Promise.all(entries.map((entry) => this.record(entry)))
  }

  /**
   * The messages that were there before the journal. Without any, nothing is written yet.
   * @throws {JournalError} when these, or what is known of the session, cannot be recorded; then nothing is.
   */
  async begin(entries: readonly JournalEntry[]): Promise<void> {
    if (entries.length === 0) this.#checked(this.#head(0))
    else {
      this.#begin(entries.length, entries)
      await this.recordAll(entries)
    }
  }

  subscribe(listener: (record: JournalRecord) => void): () => void {
    // A listener that is given twice hears twice, until each of the two is taken back.
    const own = (record: JournalRecord): void => listener(record)
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    try {
      await this.#writer.close()
    } finally {
      await this.#store.close()
    }
  }

  /** Looks at all of it first: a head that nothing follows would be a journal of nothing, and half an import none to go on with. */
  #begin(start: number, entries: readonly JournalEntry[]): void {
    const head = this.#head(start)
    const records = [head, ...entries].map((entry) => this.#checked(entry).record)
    if (this.ledger.seq === 0) {
      const rehearsal = new Ledger()
      for (const record of records) this.#accepted({ ...record, seq: rehearsal.seq }, rehearsal)
    }
    // From here on its fault is the fault of the record behind it.
    this.#add(head).catch(() => {})
  }

  #head(start: number): JournalEntry {
    return { type: 'session', session: this.#settings.head, ...(start === 0 ? {} : { start }) }
  }

  /** One promise from here to the disk: each further one would cost a turn of the queue, there and back. */
  #add(entry: JournalEntry): Promise<void> {
    const { line, record } = this.#checked(entry)
    const effect = this.#accepted(record, this.ledger)
    return this.#writer.add({
      line,
      sync: this.#isSynced(record),
      written: () => effect(this.transcript),
      durable: () => this.#tell(record),
    })
  }

  /** What stands on the disk is what is seen: nobody else holds these objects. */
  #checked(entry: JournalEntry): { readonly line: string; readonly record: JournalRecord } {
    const line = this.#line(entry)
    const record: unknown = JSON.parse(line)
    if (!isRecord(record)) throw new JournalError('invalid', misfit(entry.type))
    return { line, record }
  }

  #line(entry: JournalEntry): string {
    const stamp = { journal: JOURNAL_VERSION, seq: this.ledger.seq, at: timeAt(this.#settings.now) }
    const line = textOf({ ...stamp, ...entry })
    const { maxRecordBytes } = this.#settings
    // No character takes more than three bytes.
    if (line.length * 3 > maxRecordBytes && Buffer.byteLength(line) > maxRecordBytes) {
      throw new JournalError('too-large', `the record is over ${maxRecordBytes} bytes; maxRecordBytes raises the limit`)
    }
    return line
  }

  #accepted(record: JournalRecord, ledger: Ledger): Effect {
    try {
      return ledger.accept(record)
    } catch (error) {
      throw error instanceof Impossible ? new JournalError('conflict', error.message) : error
    }
  }

  /** Outside of turns nothing else would make a record durable; and nothing may run whose dispatch can be lost. */
  #isSynced(record: JournalRecord): boolean {
    if (this.#settings.syncs === 'record' || this.ledger.turns.running === undefined) return true
    return record.type === 'dispatch' && record.call.readOnly !== true
  }

  #tell(record: JournalRecord): void {
    for (const listener of this.#listeners) {
      try {
        listener(record)
      } catch (error) {
        // The record is durable whatever a listener makes of it, and the others want to hear of it.
        process.emitWarning(error instanceof Error ? error : String(error))
      }
    }
  }
}

/** What stands in front of the head, or is it. A repair of a torn head has no session yet. */
const HEADLESS: ReadonlySet<JournalEntry['type']> = new Set<JournalEntry['type']>(['repair'])

/** ISO 8601. @throws {JournalError} when the clock tells no time. */
export function timeAt(now: () => number): string {
  try {
    return new Date(now()).toISOString()
  } catch (error) {
    throw new JournalError('invalid', 'what the option now gives is no time, in milliseconds since 1970', {
      cause: error,
    })
  }
}

function textOf(record: object): string {
  try {
    return JSON.stringify(record)
  } catch (error) {
    throw new JournalError('invalid', 'the record cannot be written as JSON', { cause: error })
  }
}
