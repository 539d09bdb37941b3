import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { soleValue } from '../body.ts'
import type { Narrator } from '../narrator.ts'
import type { Source } from '../reader.ts'
import type { Report } from '../report.ts'
import { type Structure, shallow } from '../shallow.ts'
import { jsonAt, newestSession, type Row, rowsOf, rowsOfSession, tablesOf } from '../tables.ts'

/** A content block: its camel-case `type`, and its fields. */
export type Block = Row & { readonly type: string }

export interface StoredMessage {
  readonly id: string
  readonly role: string
  readonly created: unknown
  readonly content: readonly Block[]
  readonly agentVisible: boolean
  readonly userVisible: boolean
  /** It stands for what came before it. */
  readonly isSummary?: boolean
}

export interface StoredSession {
  readonly info: Row
  readonly messages: readonly StoredMessage[]
}

/** Undefined when the source is nothing that goose writes. */
export function storedSession(source: Source, { report, reportAside }: Narrator): StoredSession | undefined {
  const tables = tablesOf(source)
  if (tables !== undefined) {
    const sessions = rowsOf(tables, 'sessions', reportAside)
    if (sessions.length === 0) return undefined
    const info = newestSession(sessions, ({ updated_at }) => updated_at, 'goose', reportAside)
    const rows = rowsOfSession(rowsOf(tables, 'messages', reportAside), info, sessions, reportAside)
    return { info, messages: messagesOf(rows.map(fromRow), report) }
  }
  const value = soleValue(source)
  const conversation = conversationOf(value)
  if (isObject(value) && conversation !== undefined) return { info: value, messages: messagesOf(conversation, report) }
  const records = Array.isArray(value) ? value : source.records?.map((record) => record.value)
  return records === undefined ? undefined : fromRecords(records, report)
}

export function conversationOf(value: unknown): readonly unknown[] | undefined {
  const conversation = valueAt(value, 'conversation')
  const list = isObject(conversation) ? conversation.messages : conversation
  return Array.isArray(list) ? list : undefined
}

/** The first line tells of the session, where it is no message yet. */
function fromRecords(records: readonly unknown[], report: Report): StoredSession {
  const [first] = records
  const isHead = isObject(first) && first.role === undefined && first.content === undefined
  return { info: isHead ? first : {}, messages: messagesOf(isHead ? records.slice(1) : records, report) }
}

/** A row under the names that the JSON of a message has. Its own id is a number; the message's is a text. */
function fromRow(row: Row): Row {
  return {
    id: row.message_id,
    role: row.role,
    created: row.created_timestamp,
    content: jsonAt(row, 'content_json'),
    metadata: jsonAt(row, 'metadata_json'),
  }
}

function messagesOf(stored: readonly unknown[], report: Report): readonly StoredMessage[] {
  const messages: StoredMessage[] = []
  for (const record of stored) {
    const message = isObject(record) ? messageOf(record, report) : undefined
    const last = messages.at(-1)
    if (message === undefined) report('record-invalid', { before: record })
    else if (last !== undefined && message.id !== '' && last.id === message.id && last.role === message.role) {
      messages[messages.length - 1] = { ...last, content: continued(last.content, message.content) }
    } else messages.push(message)
  }
  return messages
}

function messageOf(record: Row, report: Report): StoredMessage | undefined {
  const role = stringAt(record, 'role')
  if (role === undefined || !Array.isArray(record.content)) return undefined
  const content: Block[] = []
  for (const block of record.content as readonly unknown[]) {
    if (!isObject(block) || typeof block.type !== 'string') report('part-invalid', { before: block })
    else content.push(shallow(block, BLOCK, (before) => report('value-too-deep', { before })) as Block)
  }
  return {
    id: stringAt(record, 'id') ?? '',
    // Some versions write the name of the role in upper case.
    role: role.toLowerCase(),
    created: record.created,
    content,
    agentVisible: valueAt(record.metadata, 'agentVisible') !== false,
    userVisible: valueAt(record.metadata, 'userVisible') !== false,
  }
}

const BLOCK: Structure = { keys: new Set(['toolCall', 'toolResult', 'value', 'content']), levels: 5 }

/** Rows of one message are what came of it while it streamed: texts go on where the last one ended. */
function continued(before: readonly Block[], more: readonly Block[]): readonly Block[] {
  const last = before.at(-1)
  const [first, ...rest] = more
  if (
    last?.type !== 'text' ||
    first?.type !== 'text' ||
    typeof last.text !== 'string' ||
    typeof first.text !== 'string'
  ) {
    return [...before, ...more]
  }
  return [...before.slice(0, -1), { ...last, text: last.text + first.text }, ...rest]
}
