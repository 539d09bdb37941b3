import { JournalError, storeError } from '../error.ts'
import type { JournalStore, OpenStore, StoredLine } from '../store.ts'
import type { Connection, SqlClient } from './client.ts'
import { leaseLost, RowLease } from './lease.ts'
import { Link } from './link.ts'
import { persisting } from './passing.ts'
import { checkPlace } from './place-options.ts'
import { rowsAfter } from './rows.ts'
import { ascii, channelOf, GREETING, keyOf, type Statements, statements, TABLE } from './sql.ts'

/** Where a journal is: a database, a table in it, and a name in the table. */
export interface PostgresPlace {
  /** A URL such as `postgres://user:password@host:5432/database`, for the package `pg`, or a function that connects. */
  readonly connection: Connection
  /** Which journal of the table: any text, at most 1000 characters as JSON writes it in ASCII. */
  readonly session: string
  /** `table` or `schema.table`, of small letters. Default `provider_history_journal`. */
  readonly table?: string | undefined
}

/** Where the journal of an owner is, and how long it is held. */
export interface PostgresOptions extends PostgresPlace {
  /**
   * How long a lease holds when its owner says nothing, in milliseconds of the database's clock; as long an owner tries to
   * reach the database again when a connection breaks. 200 to 86,400,000; default 30,000.
   */
  readonly leaseMs?: number | undefined
}

const LEASE_MS = 30_000

/** How long an answer may take while a journal is opened, in milliseconds. */
const OPENING_MS = 30_000
const LEAST_LEASE_MS = 200
const MOST_LEASE_MS = 86_400_000

/**
 * A journal in a table of PostgreSQL, for agents on several machines. The table is made when it is not there. An owner that
 * says nothing for `leaseMs` can be replaced; from then on its token is stale, and no write of its is taken, however
 * late it comes. The lease of a process that is gone from this system is taken over at once. A connection that breaks
 * is made anew: an append that was cut off is looked for first, so that no record is lost and none is there twice.
 * @throws {JournalError} when an option cannot be.
 * @throws {TypeError} for a misspelt option, and without a connection.
 */
export function postgresStore(options: PostgresOptions): JournalStore {
  checkPlace(options, ['leaseMs'])
  const { table = TABLE, leaseMs = LEASE_MS } = options
  const sql = statements(table)
  const key = keyOf(options.session)
  if (!(leaseMs >= LEAST_LEASE_MS && leaseMs <= MOST_LEASE_MS)) {
    throw new JournalError('invalid', `a lease cannot hold for ${leaseMs} ms`)
  }
  return {
    repairs: true,
    async open(owner, maxLineBytes) {
      const wire = new Wire(options.connection)
      try {
        const lease = await RowLease.take({ link: wire.link, sql, key, ms: leaseMs }, owner)
        return new PostgresStore(wire, lease, { sql, key, channel: channelOf(table, key), leaseMs, maxLineBytes })
      } catch (error) {
        await wire.link.close()
        throw storeError(error, 'the journal cannot be opened')
      }
    },
  }
}

/** The connection of an owner, and how records go over it. */
class Wire {
  readonly link: Link
  #isUnicode = true

  constructor(connection: Connection) {
    this.link = new Link({ connection, answerMs: OPENING_MS, greet: (client) => this.#greet(client) })
  }

  /** A record as the database can hold it. Only JSON text has other ways to write a character. */
  text(lines: readonly string[]): string {
    const text = lines.join('\n')
    return this.#isUnicode ? text : ascii(text)
  }

  /** What so many bytes of UTF-8 come to at most in the database: of two bytes, ASCII makes six. */
  storedBytes(bytes: number): number {
    return this.#isUnicode ? bytes : 3 * bytes
  }

  async #greet(client: SqlClient): Promise<void> {
    const [row] = (await client.query({ text: GREETING })).rows as readonly { readonly encoding: string }[]
    // SQL_ASCII keeps whatever bytes it gets.
    this.#isUnicode = row?.encoding === 'UTF8' || row?.encoding === 'SQL_ASCII'
  }
}

interface StoreSettings {
  readonly sql: Statements
  readonly key: string
  readonly channel: string
  readonly leaseMs: number
  readonly maxLineBytes: number
}

/**
 * Followers are told so long after a record at the latest, in milliseconds. Not in its transaction: those that notify are
 * committed one by one in the whole server, each with its sync.
 */
const NEWS_MS = 20

/** How long giving the lease back is tried, in milliseconds: it runs out by itself. */
const RELEASE_MS = 2000

class PostgresStore implements OpenStore {
  readonly #wire: Wire
  readonly #link: Link
  readonly #lease: RowLease
  readonly #settings: StoreSettings
  /** Of the last record. */
  #seq = 0
  #hasFailed = false
  /** The lease was taken again, and nobody looked yet at what became of the last append. */
  #isUnsure = false
  /** What is asked of the database, one after the other. */
  #last: Promise<void> = Promise.resolve()
  readonly #renewal: NodeJS.Timeout
  #news: NodeJS.Timeout | undefined

  constructor(wire: Wire, lease: RowLease, settings: StoreSettings) {
    this.#wire = wire
    this.#link = wire.link
    this.#lease = lease
    this.#settings = settings
    this.#renewal = setInterval(() => this.#renew(), settings.leaseMs / 3)
    this.#renewal.unref()
  }

  async read(take: (line: StoredLine) => void): Promise<void> {
    const { sql, key, maxLineBytes } = this.#settings
    let offset = 0
    try {
      for await (const { seq, record, length } of rowsAfter(this.#link, sql.read, {
        key,
        seq: 0,
        maxBytes: this.#wire.storedBytes(maxLineBytes),
      })) {
        if (seq !== this.#seq + 1) throw new JournalError('corrupt', 'a row is missing before this one', { line: seq })
        this.#seq = seq
        take({ text: record, number: seq, offset, length, end: 'whole' })
        offset += length + 1
      }
    } catch (error) {
      throw storeError(error, 'the journal cannot be read')
    }
  }

  /** A row is there or not. */
  endTorn(): void {}

  async append(lines: readonly string[], sync: boolean): Promise<void> {
    // A connection that is dead without a word is to be noticed while the lease holds.
    this.#link.answerMs = this.#settings.leaseMs / 2
    try {
      await this.#inTurn(() => persisting(() => this.#append(lines, sync), this.#settings.leaseMs))
    } catch (error) {
      this.#hasFailed = true
      throw storeError(error, 'the journal cannot be written')
    }
    this.#news ??= setTimeout(() => this.#tell(), NEWS_MS).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#renewal)
    try {
      await this.#inTurn(async () => {
        // A connection that is gone gives nothing back: the lease runs out.
        if (this.#hasFailed && this.#link.connection === 0) return
        if (this.#news !== undefined) await this.#notify()
        await persisting(() => this.#lease.release(), RELEASE_MS)
      })
    } catch (error) {
      if (!this.#hasFailed) throw storeError(error, 'the lease of the journal cannot be given back')
    } finally {
      clearTimeout(this.#news)
      await this.#link.close()
    }
  }

  async #append(lines: readonly string[], sync: boolean): Promise<void> {
    if (await this.#lease.isRegained()) this.#isUnsure = true
    if (this.#isUnsure && (await this.#isThere(lines.length))) return
    const { sql, leaseMs } = this.#settings
    if (lines.length === 0) {
      // Whatever is written durably makes all before it durable.
      const rows = await this.#link.query(sql.flush, [...this.#lease.values, leaseMs, this.#seq])
      if (rows.length === 0) throw leaseLost()
      return
    }
    const values = [...this.#lease.values, leaseMs, this.#seq, this.#wire.text(lines), sync]
    const [row] = (await this.#link.query(sql.append, values, sql.appendName)) as readonly {
      readonly added: string | number
    }[]
    if (Number(row?.added) !== lines.length) throw leaseLost()
    this.#seq += lines.length
  }

  /**
   * Whether the lines were committed before the connection broke. One statement adds them, so that all are there or none;
   * nobody else can have written since, and the server must not have lost anything.
   */
  async #isThere(count: number): Promise<boolean> {
    const { sql, key } = this.#settings
    const [row] = (await this.#link.query(sql.last, [key])) as readonly { readonly seq: string | number }[]
    const last = Number(row?.seq)
    if (last !== this.#seq && last !== this.#seq + count) {
      throw new JournalError('io', `the database holds ${last} records, and acknowledged ${this.#seq}`)
    }
    const isThere = last !== this.#seq
    this.#seq = last
    this.#isUnsure = false
    return isThere
  }

  /** What comes of it is seen with the next append. */
  #renew(): void {
    this.#inTurn(async () => {
      if (await this.#lease.isRegained()) this.#isUnsure = true
      else await this.#lease.renew()
    }).catch(() => {})
  }

  /** Followers ask by themselves, too, now and then: it does no harm when they miss it. */
  #tell(): void {
    this.#news = undefined
    this.#inTurn(() => this.#notify()).catch(() => {})
  }

  async #notify(): Promise<void> {
    if (this.#link.connection !== 0) await this.#link.query(`notify ${this.#settings.channel}`)
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.then(
      () => {},
      () => {},
    )
    return done
  }
}
