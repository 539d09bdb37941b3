import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { soleValue } from '../body.ts'
import { reportCopy } from '../copies.ts'
import type { Source } from '../reader.ts'
import type { Report } from '../report.ts'
import { jsonAt, newestSession, type Row, rowsOf, rowsOfSession, tablesOf } from '../tables.ts'
import { isFirstGeneration, upgraded } from './first-generation.ts'
import { byTime, momentOf } from './order.ts'
import { bounded, FIRST, FLAT, INFO, PART } from './structure.ts'

/** A message of any generation before opencode 2. */
export interface StoredMessage {
  /** '' when none is stored. */
  readonly id: string
  readonly info: Row
  readonly parts: readonly Row[]
  /** When its row was made, where the message itself does not say. */
  readonly created?: unknown
}

export interface StoredSession {
  readonly info: Row
  /** In the order of the conversation; absent for opencode 2. */
  readonly messages?: readonly StoredMessage[]
  /** The messages of opencode 2, in their order. */
  readonly flat?: readonly Row[]
  /** The call of the parent session that started this one. */
  readonly callId?: string | undefined
}

/** Undefined when the source is nothing that opencode writes. */
export function storedSession(source: Source, report: Report): StoredSession | undefined {
  const tables = tablesOf(source)
  if (tables !== undefined) return fromTables(tables, report)
  const value = soleValue(source)
  if (isObject(value) && Array.isArray(value.messages)) return fromMessages(infoOf(value.info), value.messages, report)
  if (Array.isArray(value)) return value.some(isShared) ? fromShare(value, report) : fromMessages({}, value, report)
  return undefined
}

const infoOf = (info: unknown): Row => (isObject(info) ? info : {})

/** What an export holds, or the server's list of messages. The order of the parts is the stored one. */
function fromMessages(info: Row, stored: readonly unknown[], report: Report): StoredSession {
  const flat = stored.filter((message) => isObject(message) && isFlat(message)) as Row[]
  if (flat.length > stored.length / 2)
    return { info, flat: stored.map((message) => bounded(message, FLAT, report)).filter(isRow(report)) }
  const messages: StoredMessage[] = []
  for (const message of stored) {
    const known = isObject(message) ? exported(message, report) : undefined
    if (known === undefined) report('record-invalid', { before: message })
    else messages.push(known)
  }
  return { info, messages: byTime(withoutCopies(messages, report)) }
}

/** Messages of opencode 2 say their kind, the others their role. */
export function isFlat(message: Row): boolean {
  return typeof message.type === 'string' && message.info === undefined && message.role === undefined
}

function exported(message: Row, report: Report): StoredMessage | undefined {
  if (isFirstGeneration(message)) return upgraded(bounded(message, FIRST, report) as Row, report)
  // For some days the parts stood in the file of the message itself.
  const info = isObject(message.info) ? message.info : message
  if (stringAt(info, 'role') === undefined || message.parts === undefined) return undefined
  return {
    id: stringAt(info, 'id') ?? '',
    info: bounded(info, INFO, report) as Row,
    parts: partsOf(message.parts, report),
  }
}

function partsOf(stored: unknown, report: Report): readonly Row[] {
  const parts: Row[] = []
  const byId = new Map<string, Row>()
  for (const part of Array.isArray(stored) ? (stored as unknown[]) : [stored]) {
    const id = stringAt(part, 'id')
    const known = id === undefined ? undefined : byId.get(id)
    if (!isObject(part) || typeof part.type !== 'string') report('part-invalid', { before: part })
    else if (id !== undefined && known !== undefined) reportCopy(report, id, part, known)
    else {
      parts.push(bounded(part, PART, report) as Row)
      if (id !== undefined) byId.set(id, part)
    }
  }
  return parts
}

function withoutCopies(messages: readonly StoredMessage[], report: Report): readonly StoredMessage[] {
  const byId = new Map<string, StoredMessage>()
  return messages.filter((message) => {
    const { id } = message
    const known = id === '' ? undefined : byId.get(id)
    if (known === undefined) byId.set(id, message)
    else reportCopy(report, id, { parts: message.parts, info: message.info }, { parts: known.parts, info: known.info })
    return known === undefined
  })
}

/** What a shared session is served as: one list of everything, each with its kind. */
const isShared = (entry: unknown): boolean =>
  isObject(entry) && isObject(entry.data) && SHARED.has(stringAt(entry, 'type') ?? '')

const SHARED: ReadonlySet<string> = new Set(['session', 'message', 'part', 'session_diff', 'model'])

function fromShare(entries: readonly unknown[], report: Report): StoredSession {
  const data = (type: string): Row[] =>
    entries
      .filter((entry) => isShared(entry) && stringAt(entry, 'type') === type)
      .map((entry) => valueAt(entry, 'data') as Row)
  for (const entry of entries) if (!isShared(entry)) report('record-invalid', { before: entry })
  const parts = data('part').map((part) => ({ message_id: part.messageID, id: part.id, data: part }))
  const rows = data('message').map((message) => ({ id: message.id, data: message }))
  return { info: data('session').at(-1) ?? {}, messages: joined(rows, parts, 0, report) }
}

/** Rows of the database, or of the files of a storage tree: `data` is the JSON text or its value. */
function fromTables(tables: Row, report: Report): StoredSession | undefined {
  const sessions = rowsOf(tables, 'session', report)
  if (sessions.length === 0) return undefined
  const row = newestSession(
    sessions,
    (session) => session.time_updated ?? updatedOf(jsonAt(session, 'data')),
    'opencode',
    report,
  )
  const id = stringAt(row, 'id')
  const rows = rowsOfSession(rowsOf(tables, 'message', report), row, sessions, report)
  const messageIds = new Set(rows.map((message) => message.id))
  const isOwn = (part: Row): boolean =>
    part.session_id === undefined || part.session_id === id || messageIds.has(part.message_id)
  const info = sessionInfo(row)
  const parts = rowsOf(tables, 'part', report)
  const messages = joined(rows, parts.filter(isOwn), timeOf(info), report)
  const callId = callOf(
    id,
    parts.filter((part) => !isOwn(part)),
  )
  if (messages.length > 0) return { info, messages, callId }
  const flat = flatRows(rowsOfSession(rowsOf(tables, 'session_message', report), row, sessions, report), report)
  return flat.length > 0 ? { info, flat, callId } : { info, messages, callId }
}

const updatedOf = (info: unknown): unknown => valueAt(valueAt(info, 'time'), 'updated')

const timeOf = (info: Row): number => {
  const created = valueAt(info.time, 'created')
  return typeof created === 'number' ? created : 0
}

/** The columns of a session under the names that its JSON has. */
function sessionInfo(row: Row): Row {
  const data = jsonAt(row, 'data')
  if (isObject(data)) return { ...data, id: row.id }
  return {
    id: row.id,
    parentID: row.parent_id,
    directory: row.directory,
    title: row.title,
    version: row.version,
    agent: row.agent,
    revert: jsonAt(row, 'revert'),
    time: { created: row.time_created, updated: row.time_updated },
  }
}

/** Ids come from the columns, or the names of files: what stands inside may be missing or wrong. */
function joined(
  rows: readonly Row[],
  partRows: readonly Row[],
  near: number,
  report: Report,
): readonly StoredMessage[] {
  const parts = partsByMessage(partRows, report)
  const messages: StoredMessage[] = []
  for (const row of rows) {
    const id = stringAt(row, 'id') ?? ''
    const own = parts.get(id) ?? []
    parts.delete(id)
    const message = rowMessage(row, id, own, near, report)
    if (message === undefined) report('record-invalid', { before: id })
    else messages.push(message)
  }
  for (const [id, orphans] of parts) orphaned(id, orphans, messages, near, report)
  return byTime(withoutCopies(messages, report))
}

interface PartRow {
  readonly id: string
  readonly part: Row
}

function partsByMessage(rows: readonly Row[], report: Report): Map<string, PartRow[]> {
  const parts = new Map<string, PartRow[]>()
  for (const row of rows) {
    const data = jsonAt(row, 'data')
    const id = stringAt(row, 'id') ?? ''
    const message = stringAt(row, 'message_id') ?? ''
    if (!isObject(data) || typeof data.type !== 'string') {
      report('record-invalid', { message: BROKEN_PART, before: id })
      continue
    }
    const found = parts.get(message) ?? []
    found.push({ id, part: { ...(bounded(data, PART, report) as Row), id } })
    parts.set(message, found)
  }
  return parts
}

const BROKEN_PART = 'A part that is cut off or broken was skipped.'

function rowMessage(
  row: Row,
  id: string,
  parts: readonly PartRow[],
  near: number,
  report: Report,
): StoredMessage | undefined {
  const data = jsonAt(row, 'data')
  if (isObject(data) && isFirstGeneration(data))
    return upgraded({ ...(bounded(data, FIRST, report) as Row), id }, report)
  const created = row.time_created
  if (!isObject(data) || stringAt(data, 'role') === undefined) {
    if (parts.length === 0) return undefined
    report('record-invalid', { message: BROKEN_MESSAGE, before: id })
    return headless(id, parts, near, created)
  }
  const inline = Array.isArray(data.parts) ? partsOf(data.parts, report) : []
  const info = bounded(data, INFO, report) as Row
  const time = valueAt(info.time, 'created')
  return { id, info, parts: [...inline, ...inOrder(parts, typeof time === 'number' ? time : near)], created }
}

const BROKEN_MESSAGE = 'A message is cut off or broken; its parts were read.'

/** The parts of a message that is not stored: what only the model writes tells the role. */
function headless(id: string, parts: readonly PartRow[], near: number, created?: unknown): StoredMessage {
  const role = parts.some(({ part }) => ASSISTANT.has(part.type)) ? 'assistant' : 'user'
  const moment = typeof created === 'number' ? created : momentOf(id, near)
  return { id, info: { role, time: { created: moment } }, parts: inOrder(parts, moment ?? near), created: moment }
}

const ASSISTANT: ReadonlySet<unknown> = new Set(['tool', 'reasoning', 'step-start', 'step-finish', 'patch', 'snapshot'])

/** Parts whose message row is gone: what the user and the model said is still there. */
function orphaned(
  id: string,
  parts: readonly PartRow[],
  messages: StoredMessage[],
  near: number,
  report: Report,
): void {
  report('record-invalid', { message: LOST_MESSAGE, before: id })
  messages.push(headless(id, parts, near))
}

const LOST_MESSAGE = 'A message is not stored; its parts were read.'

/** Ids grow with the time, but wrap around every 795 days. */
function inOrder(parts: readonly PartRow[], near: number): readonly Row[] {
  const keyed = parts.map(({ id, part }) => ({ id, part, moment: momentOf(id, near) ?? near }))
  keyed.sort((a, b) => a.moment - b.moment || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  return keyed.map(({ part }) => part)
}

/** The part of the parent session that started this one: the tool that runs agents notes the id of their session. */
function callOf(id: string | undefined, parts: readonly Row[]): string | undefined {
  for (const row of parts) {
    const data = jsonAt(row, 'data')
    const metadata = valueAt(valueAt(data, 'state'), 'metadata')
    if (id !== undefined && (stringAt(metadata, 'sessionId') ?? stringAt(metadata, 'sessionID')) === id)
      return stringAt(data, 'callID')
  }
  return undefined
}

function flatRows(rows: readonly Row[], report: Report): readonly Row[] {
  const sorted = [...rows].sort((a, b) => numberOf(a.seq) - numberOf(b.seq))
  const flat: Row[] = []
  for (const row of sorted) {
    const data = jsonAt(row, 'data')
    if (isObject(data)) flat.push({ ...(bounded(data, FLAT, report) as Row), id: row.id, type: row.type })
    else report('record-invalid', { before: row.id })
  }
  return flat
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

const isRow =
  (report: Report) =>
  (value: unknown): value is Row => {
    if (isObject(value) && typeof value.type === 'string') return true
    report('record-invalid', { before: value })
    return false
  }
