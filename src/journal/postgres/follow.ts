import type { JournalRecord } from '../../read/journal/record.ts'
import { isRecord } from '../../read/journal/record-guard.ts'
import { JournalError, storeError } from '../error.ts'
import { Link } from './link.ts'
import { isPassing } from './passing.ts'
import { checkPlace } from './place-options.ts'
import { rowsAfter } from './rows.ts'
import { channelOf, keyOf, type Statements, statements, TABLE } from './sql.ts'
import type { PostgresPlace } from './store.ts'

/** Which journal is followed, and how. */
export interface FollowOptions extends PostgresPlace {
  /** The first record that is told, by its `seq`. Default 0: all that is stored, then all that comes. */
  readonly from?: number | undefined
  /** How often the table is asked when nothing is heard, in milliseconds. Default 5000. */
  readonly pollMs?: number | undefined
  /** How long the database may be out of reach, in milliseconds. Default 60,000. */
  readonly patienceMs?: number | undefined
  /** Bytes of a record as it is stored. A longer one is an error, `too-large`. Default 512 MiB. */
  readonly maxRecordBytes?: number | undefined
  /**
   * Called once, with a `JournalError`: `io` when the database is out of reach for too long, `corrupt` when what is stored is no
   * record, `too-large` when it is over `maxRecordBytes`. Nothing is told from then on. Default: nobody hears of it.
   */
  readonly onError?: ((error: Error) => void) | undefined
}

/** A journal that is followed, until it is closed. */
export interface Follower {
  /** Nothing is told from here on. Resolves when the connection is ended. */
  close(): Promise<void>
}

/**
 * Tells each record of a journal that somebody else owns, once and in order, when it is durable; also those that come
 * while a connection is broken. Takes no lease. Resolves when what is stored has been told.
 * @throws {JournalError} `io` when the database cannot be reached, `corrupt` when what is stored is no record, `too-large` when it is
 * over `maxRecordBytes`.
 * @throws {TypeError} for a misspelt option, and without a connection.
 */
export async function followJournal(
  options: FollowOptions,
  listener: (record: JournalRecord) => void,
): Promise<Follower> {
  checkPlace(options, ['from', 'pollMs', 'patienceMs', 'maxRecordBytes', 'onError'])
  const follower = new RowFollower(options, listener)
  try {
    await follower.tell()
  } catch (error) {
    await follower.close()
    throw storeError(error, FAILED)
  }
  follower.run()
  return { close: () => follower.close() }
}

const FAILED = 'the journal cannot be followed'
const ANSWER_MS = 10_000
const POLL_MS = 5000
const PATIENCE_MS = 60_000
const LONGEST_PAUSE_MS = 1000
const MAX_RECORD_BYTES = 512 * 1024 ** 2

class RowFollower {
  readonly #options: FollowOptions
  readonly #listener: (record: JournalRecord) => void
  readonly #sql: Statements
  readonly #key: string
  readonly #link: Link
  /** Row of the last record that was told. */
  #seq: number
  #isOver = false
  #running: Promise<void> = Promise.resolve()
  /** Something came since the table was asked last. */
  #hasNews = false
  #wake: (() => void) | undefined

  constructor(options: FollowOptions, listener: (record: JournalRecord) => void) {
    const { table = TABLE, session, connection, from = 0 } = options
    this.#options = options
    this.#listener = listener
    this.#sql = statements(table)
    this.#key = keyOf(session)
    this.#seq = from
    const channel = channelOf(table, this.#key)
    this.#link = new Link({
      connection,
      answerMs: ANSWER_MS,
      lost: () => this.#hear(),
      // Listens before the table is asked, so that nothing falls between what is stored and what comes.
      greet: async (client) => {
        client.on('notification', (message) => {
          if (message.channel === channel) this.#hear()
        })
        await client.query({ text: `listen ${channel}` })
      },
    })
  }

  /** Tells what is stored and was not told yet. */
  async tell(): Promise<void> {
    this.#hasNews = false
    const maxBytes = this.#options.maxRecordBytes ?? MAX_RECORD_BYTES
    for await (const { seq, record } of rowsAfter(this.#link, this.#sql.follow, {
      key: this.#key,
      seq: this.#seq,
      maxBytes,
    })) {
      if (this.#isOver) return
      if (seq !== this.#seq + 1) throw new JournalError('corrupt', 'a row is missing before this one', { line: seq })
      const read = checked(record, seq)
      this.#seq = seq
      this.#hand(read)
    }
  }

  run(): void {
    this.#running = this.#run()
  }

  async close(): Promise<void> {
    this.#isOver = true
    this.#wake?.()
    await this.#running
    await this.#link.close()
  }

  async #run(): Promise<void> {
    let wait = 0
    let failing: number | undefined
    while (!this.#isOver) {
      try {
        await this.#sleep(wait === 0 ? (this.#options.pollMs ?? POLL_MS) : wait)
        if (!this.#isOver) await this.tell()
        wait = 0
        failing = undefined
      } catch (error) {
        failing ??= performance.now()
        const isTooLong = performance.now() - failing > (this.#options.patienceMs ?? PATIENCE_MS)
        if (isTooLong || !isPassing(error)) return this.#fail(error)
        // That this connection broke is no news.
        this.#hasNews = false
        wait = Math.min(wait * 2 || 20, LONGEST_PAUSE_MS)
      }
    }
  }

  #fail(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    void this.#link.close()
    this.#options.onError?.(storeError(error, FAILED))
  }

  #hear(): void {
    this.#hasNews = true
    this.#wake?.()
  }

  /** Until something is heard, or so many milliseconds. */
  async #sleep(ms: number): Promise<void> {
    if (this.#hasNews || this.#isOver) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = undefined
  }

  #hand(record: JournalRecord): void {
    try {
      this.#listener(record)
    } catch (error) {
      // The record is told whatever a listener makes of it, as to the listeners of the owner.
      process.emitWarning(error instanceof Error ? error : String(error))
    }
  }
}

function checked(text: string | undefined, line: number): JournalRecord {
  if (text === undefined) {
    throw new JournalError('too-large', 'the record is longer than what is read; maxRecordBytes raises the limit', {
      line,
    })
  }
  const value = parsed(text)
  if (isRecord(value)) return value
  throw new JournalError('corrupt', 'this is no record', { line })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
