import { ReadError } from '../../model/error.ts'
import { isObject, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Session, TextPart } from '../../model/session.ts'
import { isoTime, timeAt } from '../iso-time.ts'
import { Narrator } from '../narrator.ts'
import type { Reader, ReadOptions, ReadResult, Source } from '../reader.ts'
import { SUMMARY_LEFT_OUT } from '../summary-left-out.ts'
import { newestSession, type Row, rowsOf, rowsOfSession, tablesOf } from '../tables.ts'
import { assistantMessage } from './assistant.ts'
import { detect } from './detect.ts'
import { isApart, partsOf, type StoredMessage } from './parts.ts'
import { answeredIds, tellResults } from './results.ts'
import { userMessage } from './user.ts'

/** Sessions of Crush, as the rows of its database. */
export const reader: Reader = { format: 'crush', detect, read }

function read(source: Source, options: ReadOptions): Omit<ReadResult, 'format'> {
  const tables = tablesOf(source)
  if (tables === undefined) throw new ReadError('there are no tables of Crush in it', { format: 'crush' })
  const narrator = new Narrator()
  const sessions = rowsOf(tables, 'sessions', narrator.reportAside)
  const session = newestSession(sessions, ({ updated_at }) => updated_at, 'crush', narrator.reportAside)
  const rows = rowsOf(tables, 'messages', narrator.reportAside)
  const messages = messagesOf(rowsOfSession(rows, session, sessions, narrator.reportAside), narrator)
  const taken = windowOf(messages, session, options, narrator)
  const answered = answeredIds(taken)
  for (const message of taken) {
    const tell = own(ROLES, message.row.role)
    if (tell === undefined) narrator.report('record-unknown', { before: message.row.role ?? message.row })
    else tell(message, narrator, answered)
  }
  const told = narrator.finish()
  return { session: { ...sessionFields(session), messages: told.messages }, changes: told.changes, branches: [] }
}

/** By time, and those of one second in the order in which they were stored: the table's triggers write seconds. */
function messagesOf(rows: readonly Row[], { report }: Narrator): readonly StoredMessage[] {
  const messages: StoredMessage[] = []
  for (const row of rows) {
    const parts = partsOf(row, report)
    if (parts !== undefined) messages.push({ id: stringAt(row, 'id') ?? '', row, parts })
  }
  const timeOf = ({ row }: StoredMessage): number => (typeof row.created_at === 'number' ? row.created_at : 0)
  return messages.sort((a, b) => timeOf(a) - timeOf(b))
}

const isSummary = ({ row }: StoredMessage): boolean => row.is_summary_message === 1 || row.is_summary_message === true

/** From the summary on; the program sends it as the user's. */
function windowOf(
  messages: readonly StoredMessage[],
  session: Row,
  { history }: ReadOptions,
  { report }: Narrator,
): readonly StoredMessage[] {
  if (history === 'full') {
    for (const { parts: before } of messages.filter(isSummary))
      report('message-left-out', { message: SUMMARY_LEFT_OUT, before })
    return messages.filter((message) => !isSummary(message))
  }
  const id = stringAt(session, 'summary_message_id')
  const place = id === undefined || id === '' ? -1 : messages.findIndex((message) => message.id === id)
  if (place < 0) return messages
  report('compaction-applied', { before: `${place} stored messages` })
  const summary = messages[place]!
  return [{ ...summary, row: { ...summary.row, role: 'user' }, isSummary: true }, ...messages.slice(place + 1)]
}

type Teller = (message: StoredMessage, narrator: Narrator, answered: ReadonlySet<string>) => void

const ROLES: { readonly [role: string]: Teller } = {
  user(message, narrator) {
    tellResults(message, narrator)
    const told = userMessage(message, narrator.report)
    if (told === undefined) narrator.report('message-empty', { before: message.id })
    else narrator.user(told)
  },
  assistant(message, narrator, answered) {
    const told = assistantMessage(message, { report: narrator.report, answered })
    if (told === undefined) narrator.report('message-empty', { before: message.id })
    else narrator.assistant(told)
    tellResults(message, narrator)
  },
  tool(message, narrator) {
    for (const { type, data } of message.parts) if (!isApart(type)) narrator.report('part-invalid', { before: data })
    tellResults(message, narrator)
  },
  system(message, narrator) {
    const parts: TextPart[] = []
    for (const { type, data } of message.parts) {
      const text = type === 'text' ? stringAt(data, 'text') : undefined
      if (text === undefined && !isApart(type)) narrator.report('part-invalid', { before: data })
      else if (text !== undefined && text !== '') parts.push({ type: 'text', text })
    }
    if (parts.length === 0) narrator.report('message-empty', { before: message.id })
    else narrator.instruction({ authority: 'system', parts, id: message.id, ...timeAt(message.row.created_at) })
    tellResults(message, narrator)
  },
}

function sessionFields(row: Row): Omit<Session, 'messages'> {
  const [id, title] = [stringAt(row, 'id'), stringAt(row, 'title')]
  const createdAt = isoTime(row.created_at)
  const parent = parentOf(id, stringAt(row, 'parent_session_id'))
  return {
    version: 1,
    ...(id === undefined ? {} : { id }),
    ...(title === undefined || title === '' ? {} : { title }),
    ...(createdAt === undefined ? {} : { createdAt }),
    source: { format: 'crush' },
    ...(isObject(parent) ? { parent } : {}),
  }
}

/** The id of a sub-agent's session is that of the call that started it, behind the id of the call's message in later versions. */
function parentOf(id: string | undefined, parent: string | undefined): Session['parent'] {
  if (parent === undefined || parent === '') return undefined
  if (id === undefined || id.startsWith('title-')) return { id: parent }
  const mark = id.lastIndexOf('$$')
  return { id: parent, callId: mark < 0 ? id : id.slice(mark + 2) }
}
