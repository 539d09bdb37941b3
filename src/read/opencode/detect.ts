import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { soleValue } from '../body.ts'
import { SAMPLE } from '../evidence.ts'
import type { Source } from '../reader.ts'
import { type Row, rowsOf, tablesOf } from '../tables.ts'
import { isFirstGeneration } from './first-generation.ts'

const SURE = 0.99
const LIKELY = 0.95

/** The envelope of an export, of the server's list of messages, of a share, or the tables of the database. */
export function detect(source: Source): number {
  const tables = tablesOf(source)
  if (tables !== undefined) return ofTables(tables)
  const value = soleValue(source)
  if (Array.isArray(value)) return ofList(value.slice(0, SAMPLE))
  if (!isObject(value) || !Array.isArray(value.messages)) return 0
  const found = ofList(value.messages.slice(0, SAMPLE))
  if (found > 0) return found
  return isObject(value.info) && value.messages.length === 0 && isSessionInfo(value.info) ? LIKELY : 0
}

function ofTables(tables: Row): number {
  if (rowsOf(tables, 'session').length === 0) return 0
  return ['message', 'session_message'].some((table) => Array.isArray(valueAt(tables, table))) ? SURE : 0
}

type Sign = (entry: Row) => boolean

/** One of them is enough: other formats have none of these envelopes. */
const SIGNS: readonly Sign[] = [
  ({ info, parts }) => isObject(info) && Array.isArray(parts) && isRole(info.role),
  (entry) => isFirstGeneration(entry) && isObject(valueAt(entry.metadata, 'time')),
  ({ type, data }) => (type === 'message' || type === 'part') && isObject(data) && isId(data.sessionID, 'ses_'),
  (entry) => FLAT.has(stringAt(entry, 'type') ?? '') && isId(entry.id, 'msg_') && isObject(entry.time),
]

const isRole = (role: unknown): boolean => role === 'user' || role === 'assistant'

const isId = (id: unknown, prefix: string): boolean => typeof id === 'string' && id.startsWith(prefix)

/** Kinds of messages of opencode 2. */
const FLAT: ReadonlySet<string> = new Set([
  'user',
  'assistant',
  'synthetic',
  'system',
  'skill',
  'shell',
  'compaction',
  'agent-switched',
  'model-switched',
  'location-switched',
  'idle',
])

function ofList(entries: readonly unknown[]): number {
  return entries.some((entry) => isObject(entry) && SIGNS.some((sign) => sign(entry))) ? SURE : 0
}

function isSessionInfo(info: Row): boolean {
  return isId(info.id, 'ses_') && isObject(info.time)
}
