import { ReadError } from '../model/error.ts'
import type { Row } from '../read/tables.ts'
import { type Engine, openEngine, type Value } from './sqlite-engine.ts'

/** The names of the columns of each table, without those that are computed. */
export type Columns = ReadonlyMap<string, ReadonlySet<string>>

export interface Scan {
  readonly table: string
  readonly columns: readonly string[]
  /** Only rows whose column has the value. */
  readonly where?: { readonly column: string; readonly value: Value } | undefined
}

export interface Database {
  readonly tables: Columns
  /** The rows in the order in which they were stored. Of a damaged table those that can be read. */
  rows(scan: Scan): readonly Row[]
  /** Whether rows were lost so far. */
  isDamaged(): boolean
}

/** Nothing of the database runs: no trigger, no view, no function of its schema, no file of its choice. */
const SETTINGS = [
  // The file of shared memory is not needed: nobody else opens the copy.
  'PRAGMA locking_mode = EXCLUSIVE',
  'PRAGMA trusted_schema = OFF',
  'PRAGMA cell_size_check = ON',
  'PRAGMA mmap_size = 0',
  // A broken entry of the schema must not cost the others.
  'PRAGMA writable_schema = ON',
]

/**
 * Opens a private copy, which SQLite may mend.
 * @throws {ReadError} when it is no database that can be read, or there is no SQLite to read it with.
 */
export async function withDatabase<T>(copy: string, maxBytes: number, work: (database: Database) => T): Promise<T> {
  const engine = await attempt(() => openEngine(copy))
  try {
    for (const setting of SETTINGS) quietly(() => engine.run(setting))
    const tables = await attempt(async () => tablesOf(engine))
    return work(new Tables(engine, tables, maxBytes))
  } finally {
    quietly(() => engine.close())
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (ReadError.is(error)) throw error
    throw new ReadError(`this SQLite database cannot be read (${(error as Error).message})`)
  }
}

/** What some build does not know, or a damaged file refuses, is not needed. */
function quietly(work: () => void): void {
  try {
    work()
  } catch {}
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Ordinary tables only: a view or a virtual table may compute what it likes. */
function tablesOf(engine: Engine): Columns {
  const tables = new Map<string, ReadonlySet<string>>()
  const named = [...engine.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 LIMIT 1000")]
  for (const { name } of named) {
    if (typeof name !== 'string') continue
    const columns = [...engine.rows(`PRAGMA table_xinfo(${quoted(name)})`)].filter(({ hidden }) => hidden === 0)
    tables.set(name, new Set(columns.flatMap((column) => (typeof column.name === 'string' ? [column.name] : []))))
  }
  return tables
}

/** Row ids end at 2 to the 63rd; beyond 2 to the 53rd no program counts. */
const FIRST = -(2 ** 53)
const LAST = 2 ** 53

/** So many damaged places are not gone around. */
const MOST_DAMAGES = 2000

class Tables implements Database {
  readonly tables: Columns
  readonly #engine: Engine
  #left: number
  readonly #maxBytes: number
  #damages = 0

  constructor(engine: Engine, tables: Columns, maxBytes: number) {
    this.#engine = engine
    this.tables = tables
    this.#maxBytes = maxBytes
    this.#left = maxBytes
  }

  isDamaged(): boolean {
    return this.#damages > 0
  }

  rows(scan: Scan): readonly Row[] {
    const rows: Row[] = []
    const left = this.#left
    try {
      this.#take(rows, plainQuery(scan), FIRST)
      return rows
    } catch (error) {
      if (ReadError.is(error)) throw error
      this.#left = left
      return this.#salvage(scan)
    }
  }

  /** Adds the rows behind a row id. */
  #take(rows: Row[], { sql, values }: Query, from: number, seen: (id: number) => void = () => {}): void {
    let last = from
    for (const { row_id, is_wanted, ...row } of this.#engine.rows(sql, values(from))) {
      const id = Number(row_id)
      // Pages that lead back to themselves would never end.
      if (!(id > last)) throw new Error('row ids do not ascend')
      last = id
      seen(id)
      if (is_wanted === 0) continue
      this.#count(row)
      rows.push(row)
    }
  }

  /** Cells may share their pages, so that a small file holds any amount. */
  #count(row: Row): void {
    for (const value of Object.values(row)) if (typeof value === 'string') this.#left -= value.length
    if (this.#left < 0) throw new ReadError(`the rows are over ${this.#maxBytes} bytes; maxBytes raises the limit`)
  }

  /** Reads row by row and goes around what cannot be read: a row whose own pages are damaged, or a stretch of rows. */
  #salvage(scan: Scan): readonly Row[] {
    const rows: Row[] = []
    const query = carefulQuery(scan)
    let last = FIRST
    while (last < LAST && this.#damages < MOST_DAMAGES) {
      try {
        this.#take(rows, query, last, (id) => {
          last = id
        })
        break
      } catch (error) {
        if (ReadError.is(error)) throw error
        this.#damages++
        last = this.#behindDamage(scan.table, last)
      }
    }
    return rows
  }

  /** The row id behind which reading may go on. */
  #behindDamage(table: string, last: number): number {
    const next = this.#nextId(table, last)
    // The place can be found, so that it is the row itself.
    if (next !== undefined) return Math.max(next, last + 1)
    let [low, high] = [last, last + 1]
    for (let step = 1; high < LAST && this.#nextId(table, high) === undefined; step *= 2) {
      low = high
      high = Math.min(high + step, LAST)
    }
    while (high - low > 1) {
      const middle = low + Math.floor((high - low) / 2)
      if (this.#nextId(table, middle) === undefined) low = middle
      else high = middle
    }
    return high
  }

  /** The first row id behind one, `LAST` at the end; undefined where the pages that lead there are damaged. */
  #nextId(table: string, last: number): number | undefined {
    const sql = `SELECT rowid AS row_id FROM ${quoted(table)} NOT INDEXED WHERE rowid > ? ORDER BY rowid LIMIT 1`
    try {
      for (const { row_id } of this.#engine.rows(sql, [last])) return Number(row_id)
      return LAST
    } catch {
      return undefined
    }
  }
}

interface Query {
  readonly sql: string
  /** The values that it takes, to begin behind a row id. */
  values(from: number): readonly Value[]
}

/** Never by an index, which may be damaged by itself. */
function plainQuery({ table, columns, where }: Scan): Query {
  const filter = where === undefined ? '' : `${quoted(where.column)} = ? AND `
  const wanted = ['rowid AS row_id', ...columns.map(quoted)].join(', ')
  return {
    sql: `SELECT ${wanted} FROM ${quoted(table)} NOT INDEXED WHERE ${filter}rowid > ? ORDER BY rowid`,
    values: (from) => (where === undefined ? [from] : [where.value, from]),
  }
}

/** Tells of every row, so that it is known where the damage begins, but reads only those that are wanted. */
function carefulQuery(scan: Scan): Query {
  const { table, columns, where } = scan
  if (where === undefined) return plainQuery(scan)
  const test = `${quoted(where.column)} = ?`
  const cells = columns.map((column) => `CASE WHEN ${test} THEN ${quoted(column)} END AS ${quoted(column)}`)
  const wanted = ['rowid AS row_id', `coalesce(${test}, 0) AS is_wanted`, ...cells].join(', ')
  return {
    sql: `SELECT ${wanted} FROM ${quoted(table)} NOT INDEXED WHERE rowid > ? ORDER BY rowid`,
    values: (from) => [where.value, ...columns.map(() => where.value), from],
  }
}
