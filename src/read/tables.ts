import { ReadError } from '../model/error.ts'
import { isObject, valueAt } from '../model/json.ts'
import type { FormatId } from '../model/session.ts'
import { soleValue } from './body.ts'
import type { Source } from './reader.ts'
import { type Report, unheard } from './report.ts'

/** A row of a database, by its columns. */
export type Row = { readonly [column: string]: unknown }

/**
 * The rows of a database by its tables: `{ tables: { session: [row], message: [row, ...] } }`. This is how databases reach
 * readers, which open no file. Undefined when the source is no such thing.
 */
export function tablesOf(source: Source): { readonly [table: string]: unknown } | undefined {
  const tables = valueAt(soleValue(source), 'tables')
  return isObject(tables) ? tables : undefined
}

/** The rows of a table; of what else may stand in its place or among them `report` tells, if it is given. */
export function rowsOf(
  tables: { readonly [table: string]: unknown },
  table: string,
  report: Report = unheard,
): readonly Row[] {
  const rows = valueAt(tables, table)
  if (Array.isArray(rows)) return rows.filter((row) => isRow(row, report))
  if (rows !== undefined && rows !== null) report('record-invalid', { before: rows })
  return []
}

function isRow(row: unknown, report: Report): row is Row {
  if (isObject(row)) return true
  report('record-invalid', { before: row })
  return false
}

/** The rows that are of the session that is read, or name none; those of sessions that are not stored are told of. */
export function rowsOfSession(
  rows: readonly Row[],
  session: Row,
  sessions: readonly Row[],
  report: Report,
): readonly Row[] {
  const own = rows.filter(({ session_id }) => session_id === undefined || session_id === session.id)
  if (own.length === rows.length) return own
  const known = new Set(sessions.map(({ id }) => id))
  const lost = rows.filter(({ session_id }) => session_id !== undefined && !known.has(session_id)).length
  if (lost > 0) report('session-left-out', { message: LOST, before: `${lost} messages` })
  return own
}

const LOST = 'Messages of sessions that are not stored were left out.'

/** The JSON value of a column, which is text in the database. */
export function jsonAt(row: Row, column: string): unknown {
  const value = valueAt(row, column)
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

/** The session that is read: the newest, which of equal ones is the last. The others are reported. */
export function newestSession(
  sessions: readonly Row[],
  updated: (session: Row) => unknown,
  format: FormatId,
  report: Report,
): Row {
  let newest: Row | undefined
  for (const session of sessions) {
    if (newest === undefined || !isBefore(updated(session), updated(newest))) newest = session
  }
  if (newest === undefined) throw new ReadError('there is no session in it', { format })
  if (sessions.length > 1) report('session-left-out', { before: `${sessions.length - 1} other sessions` })
  return newest
}

/** Times are numbers, or texts that sort as the times do. */
function isBefore(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string') return one < other
  return (typeof one === 'number' ? one : 0) < (typeof other === 'number' ? other : 0)
}
