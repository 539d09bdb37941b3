import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { soleValue } from '../body.ts'
import { SAMPLE } from '../evidence.ts'
import type { Source } from '../reader.ts'
import { type Row, rowsOf, tablesOf } from '../tables.ts'
import { conversationOf } from './stored.ts'

const SURE = 0.98
const LIKELY = 0.92

/** Content tags that no other format has. */
const TAGS: ReadonlySet<string> = new Set([
  'toolRequest',
  'toolResponse',
  'toolConfirmationRequest',
  'frontendToolRequest',
  'actionRequired',
  'redactedThinking',
  'systemNotification',
  'conversationCompacted',
])

/** The content tags, what messages say of who sees them, or the envelope of an export or a database. */
export function detect(source: Source): number {
  const tables = tablesOf(source)
  if (tables !== undefined) return ofTables(tables)
  const value = soleValue(source)
  const conversation = conversationOf(value)
  if (conversation !== undefined) return isObject(value) && 'working_dir' in value ? SURE : ofMessages(conversation)
  const records = Array.isArray(value) ? (value as readonly unknown[]) : source.records?.map((record) => record.value)
  if (records === undefined) return 0
  return Math.max(isHead(records[0]) ? SURE : 0, ofMessages(records))
}

function ofTables(tables: Row): number {
  const session = rowsOf(tables, 'sessions')[0]
  const message = rowsOf(tables, 'messages')[0]
  if (session === undefined) return 0
  if (message === undefined) return 'working_dir' in session ? SURE : 0
  return 'content_json' in message ? SURE : 0
}

/** The line before the messages: sessions of other tools that have a folder hold their messages in the same object. */
const isHead = (record: unknown): boolean =>
  isObject(record) && typeof record.working_dir === 'string' && record.role === undefined && !('messages' in record)

function ofMessages(records: readonly unknown[]): number {
  let best = 0
  for (const record of records.slice(0, SAMPLE)) {
    if (!isObject(record) || typeof record.role !== 'string' || !Array.isArray(record.content)) continue
    if (record.content.slice(0, SAMPLE).some((block) => TAGS.has(stringAt(block, 'type') ?? ''))) return SURE
    const isSeen = typeof valueAt(record.metadata, 'agentVisible') === 'boolean'
    if (typeof record.created === 'number') best = Math.max(best, isSeen ? SURE : LIKELY)
  }
  return best
}
