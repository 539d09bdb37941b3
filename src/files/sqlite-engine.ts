import { ReadError } from '../model/error.ts'
import type { Row } from '../read/tables.ts'

export type Value = string | number

/** A database that is open: what SQLite itself and its build for WebAssembly have in common. */
export interface Engine {
  /** The rows of a query, one after the other. */
  rows(sql: string, values?: readonly Value[]): Iterable<Row>
  run(sql: string): void
  close(): void
}

/**
 * Opens a file with the SQLite of Node, from 22.13 on, else with the optional package.
 * @throws {ReadError} when there is neither.
 */
export async function openEngine(path: string): Promise<Engine> {
  const own = nodeSqlite()
  return own === undefined ? wasmEngine(path) : nodeEngine(new own.DatabaseSync(path))
}

/** Whether Node brings SQLite along, which knows the locks of other programs. */
export const hasOwnSqlite = (): boolean => nodeSqlite() !== undefined

interface NodeStatement {
  iterate(...values: readonly Value[]): Iterable<object>
  setReadBigInts(on: boolean): void
}

interface NodeDatabase {
  prepare(sql: string): NodeStatement
  exec(sql: string): void
  close(): void
}

interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => NodeDatabase
  readonly StatementSync: { readonly prototype: object }
}

/** Not imported: older versions of Node do not know the module, and say so only by failing. */
function nodeSqlite(): NodeSqlite | undefined {
  const { getBuiltinModule } = process as { getBuiltinModule?: (id: string) => unknown }
  const found = getBuiltinModule?.('node:sqlite') as NodeSqlite | undefined
  return found !== undefined && 'iterate' in found.StatementSync.prototype ? found : undefined
}

function nodeEngine(database: NodeDatabase): Engine {
  return {
    rows(sql, values = []) {
      const statement = database.prepare(sql)
      // Numbers over 2^53 would otherwise end the whole query.
      statement.setReadBigInts(true)
      return plain(statement.iterate(...values))
    },
    run: (sql) => database.exec(sql),
    close: () => database.close(),
  }
}

const PACKAGE = 'node-sqlite3-wasm'

async function wasmEngine(path: string): Promise<Engine> {
  const { Database } = await wasmPackage()
  const database = new Database(path, { fileMustExist: true })
  return {
    *rows(sql, values = []) {
      const statement = database.prepare(sql)
      try {
        yield* plain(statement.iterate([...values]))
      } finally {
        statement.finalize()
      }
    },
    run: (sql) => database.exec(sql),
    close: () => database.close(),
  }
}

async function wasmPackage(): Promise<typeof import('node-sqlite3-wasm')> {
  try {
    const found = await import('node-sqlite3-wasm')
    return 'default' in found ? (found.default as typeof found) : found
  } catch {
    throw new ReadError(
      `this is an SQLite database: to read it, use Node 22.13 or later, or install the package ${PACKAGE}`,
    )
  }
}

/** Values as JSON knows them: whole numbers as numbers, bytes as the text that they hold. */
function* plain(rows: Iterable<object>): Generator<Row> {
  const decoder = new TextDecoder()
  for (const row of rows) {
    const values: { [column: string]: unknown } = {}
    for (const [column, value] of Object.entries(row)) {
      if (typeof value === 'bigint') values[column] = Number(value)
      else values[column] = value instanceof Uint8Array ? decoder.decode(value) : value
    }
    yield values
  }
}
