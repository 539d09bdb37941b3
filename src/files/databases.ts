import { change } from '../model/change.ts'
import { ReadError } from '../model/error.ts'
import type { FormatId } from '../model/session.ts'
import { readSession } from '../read/index.ts'
import { isoTime } from '../read/iso-time.ts'
import type { ReadResult } from '../read/reader.ts'
import type { Row } from '../read/tables.ts'
import type { FileOptions } from './file-options.ts'
import { parentCalls } from './parent-calls.ts'
import { type Columns, type Database, withDatabase } from './sqlite.ts'

/** A database of a known tool: what tells it, and which rows are a session. */
interface Kind {
  readonly format: FormatId
  /** Tables with columns that no other tool has together. */
  readonly marks: { readonly [table: string]: readonly string[] }
  readonly sessions: {
    readonly table: string
    readonly columns: readonly string[]
    readonly updated: string
    readonly parent: string
    readonly title: string
  }
  /** Rows of a session, by its id. */
  readonly rows: { readonly [table: string]: { readonly session: string; readonly columns: readonly string[] } }
}

const KINDS: readonly Kind[] = [
  {
    format: 'opencode',
    marks: { session: ['id', 'directory'], message: ['session_id', 'data'], part: ['message_id', 'data'] },
    sessions: {
      table: 'session',
      columns: ['id', 'parent_id', 'directory', 'title', 'version', 'agent', 'revert', 'time_created', 'time_updated'],
      updated: 'time_updated',
      parent: 'parent_id',
      title: 'title',
    },
    rows: {
      message: { session: 'session_id', columns: ['id', 'session_id', 'time_created', 'data'] },
      part: { session: 'session_id', columns: ['id', 'message_id', 'session_id', 'data'] },
      session_message: { session: 'session_id', columns: ['id', 'session_id', 'type', 'seq', 'data'] },
    },
  },
  {
    format: 'crush',
    marks: { sessions: ['id', 'parent_session_id'], messages: ['session_id', 'role', 'parts'] },
    sessions: {
      table: 'sessions',
      columns: ['id', 'parent_session_id', 'title', 'summary_message_id', 'created_at', 'updated_at'],
      updated: 'updated_at',
      parent: 'parent_session_id',
      title: 'title',
    },
    rows: {
      messages: {
        session: 'session_id',
        columns: ['id', 'session_id', 'role', 'parts', 'model', 'provider', 'is_summary_message', 'created_at'],
      },
    },
  },
  {
    format: 'goose',
    marks: { sessions: ['id', 'working_dir'], messages: ['session_id', 'role', 'content_json'] },
    sessions: {
      table: 'sessions',
      columns: [
        ...['id', 'name', 'description', 'working_dir', 'created_at', 'updated_at'],
        ...['provider_name', 'model_config_json', 'parent_session_id'],
      ],
      updated: 'updated_at',
      parent: 'parent_session_id',
      title: 'description',
    },
    rows: {
      messages: {
        session: 'session_id',
        columns: ['id', 'message_id', 'session_id', 'role', 'content_json', 'created_timestamp', 'metadata_json'],
      },
    },
  },
]

/** The session of a database that has the id, or the newest that no other started. */
export async function readDatabase(copy: string, options: FileOptions, maxBytes: number): Promise<ReadResult> {
  return withDatabase(copy, maxBytes, (database) => {
    const kind = kindOf(database.tables)
    const sessions = sessionRows(database, kind)
    const session = options.id === undefined ? newest(sessions, kind) : withId(sessions, options.id)
    const result = readRows(kind, session, asked(database, kind), database, options)
    const others = sessions.length - 1
    const note = change('session-left-out', {}, { before: `${others} other sessions` })
    return options.id !== undefined || others === 0 ? result : { ...result, changes: [note, ...result.changes] }
  })
}

/** Every session of a database, the oldest first. What cannot be read of one is told by `failed`. */
export async function readDatabaseSessions(
  copy: string,
  options: FileOptions,
  maxBytes: number,
  failed: (id: string, error: ReadError) => void,
): Promise<readonly ReadResult[]> {
  return withDatabase(copy, maxBytes, (database) => {
    const kind = kindOf(database.tables)
    const results: ReadResult[] = []
    const rows = grouped(database, kind)
    for (const session of sessionRows(database, kind)) {
      try {
        results.push(readRows(kind, session, rows, database, options))
      } catch (error) {
        if (!ReadError.is(error)) throw error
        failed(String(session.id), error)
      }
    }
    return results
  })
}

export interface DatabaseSession {
  readonly format: FormatId
  readonly id: string
  readonly title: string | undefined
  readonly parent: string | undefined
  /** ISO 8601. */
  readonly updated: string | undefined
}

/** What a database tells of its sessions without their messages. */
export async function databaseSessions(copy: string, maxBytes: number): Promise<readonly DatabaseSession[]> {
  return withDatabase(copy, maxBytes, (database) => {
    const kind = kindOf(database.tables)
    const { title, parent, updated } = kind.sessions
    return sessionRows(database, kind).map((row) => ({
      format: kind.format,
      id: String(row.id),
      title: textAt(row, title) ?? textAt(row, 'name'),
      parent: textAt(row, parent),
      updated: isoTime(row[updated]),
    }))
  })
}

function textAt(row: Row, column: string): string | undefined {
  const value = row[column]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function kindOf(tables: Columns): Kind {
  const found = KINDS.find(({ marks }) =>
    Object.entries(marks).every(([table, columns]) => columns.every((column) => tables.get(table)?.has(column))),
  )
  if (found !== undefined) return found
  const named = [...tables.keys()].slice(0, 8).join(', ')
  throw new ReadError(
    `this is an SQLite database of a tool that is not known${named === '' ? '' : ` (tables ${named})`}`,
  )
}

const present = (database: Database, table: string, columns: readonly string[]): readonly string[] =>
  columns.filter((column) => database.tables.get(table)?.has(column))

/** Sessions without an id cannot have messages. */
function sessionRows(database: Database, kind: Kind): readonly Row[] {
  const { table, columns } = kind.sessions
  const rows = database.rows({ table, columns: present(database, table, columns) })
  const named = rows.filter(({ id }) => typeof id === 'string' && id !== '')
  const all = database.isDamaged() ? [...lostSessions(database, kind, named), ...named] : named
  if (all.length === 0) throw new ReadError('there is no session in this SQLite database')
  return all
}

/** Sessions whose own rows could not be read, by the rows that name them. */
function lostSessions(database: Database, { rows }: Kind, known: readonly Row[]): readonly Row[] {
  const ids = new Set(known.map(({ id }) => id))
  const lost: Row[] = []
  for (const [table, { session }] of Object.entries(rows)) {
    if (!database.tables.get(table)?.has(session)) continue
    for (const { [session]: id } of database.rows({ table, columns: [session] })) {
      if (typeof id !== 'string' || id === '' || ids.has(id)) continue
      ids.add(id)
      lost.push({ id })
    }
  }
  return lost
}

function newest(sessions: readonly Row[], { sessions: { updated, parent } }: Kind): Row {
  const own = sessions.filter((session) => !session[parent])
  const asked = own.length === 0 ? sessions : own
  const timeOf = (session: Row): string | number => (session[updated] ?? 0) as string | number
  return asked.reduce((best, session) => (timeOf(session) >= timeOf(best) ? session : best))
}

function withId(sessions: readonly Row[], id: string): Row {
  const found = sessions.find((session) => session.id === id)
  if (found !== undefined) return found
  const known = sessions.slice(-5).map((session) => String(session.id))
  throw new ReadError(`no session has the id ${JSON.stringify(id)}; there are ${known.join(', ')}`)
}

/** The rows of a session in a table. */
type RowsOf = (table: string, session: string) => readonly Row[]

/** Those of one session only. */
function asked(database: Database, kind: Kind): RowsOf {
  return (table, session) => {
    const { session: column, columns } = kind.rows[table]!
    const where = { column, value: session }
    return database.rows({ table, columns: present(database, table, columns), where })
  }
}

/** Those of all sessions, each table read once. */
function grouped(database: Database, kind: Kind): RowsOf {
  const groups = new Map<string, Row[]>()
  const keyOf = (table: string, session: unknown): string => `${table} ${String(session)}`
  for (const [table, { session, columns }] of Object.entries(kind.rows)) {
    if (!database.tables.get(table)?.has(session)) continue
    for (const row of database.rows({ table, columns: present(database, table, columns) })) {
      const key = keyOf(table, row[session])
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [row])
      else group.push(row)
    }
  }
  return (table, session) => groups.get(keyOf(table, session)) ?? []
}

function readRows(kind: Kind, session: Row, rowsOf: RowsOf, database: Database, options: FileOptions): ReadResult {
  const id = String(session.id)
  const tables: { [table: string]: readonly Row[] } = { [kind.sessions.table]: [session] }
  for (const [table, { session: column }] of Object.entries(kind.rows)) {
    if (database.tables.get(table)?.has(column)) tables[table] = rowsOf(table, id)
  }
  const parent = session[kind.sessions.parent]
  if (tables.part !== undefined && typeof parent === 'string' && parent !== id) {
    tables.part = [...tables.part, ...parentCalls(rowsOf('part', parent), id)]
  }
  const result = readSession({ tables }, { ...options, format: kind.format })
  return database.isDamaged() ? { ...result, changes: [change('database-damaged', {}), ...result.changes] } : result
}
