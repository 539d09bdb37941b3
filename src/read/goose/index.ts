import { ReadError } from '../../model/error.ts'
import { stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Author, Session } from '../../model/session.ts'
import { isoTime } from '../iso-time.ts'
import { Narrator } from '../narrator.ts'
import type { Reader, ReadOptions, ReadResult, Source } from '../reader.ts'
import { SUMMARY_LEFT_OUT } from '../summary-left-out.ts'
import { jsonAt, type Row } from '../tables.ts'
import { tellAssistant } from './assistant.ts'
import { detect } from './detect.ts'
import { type StoredMessage, storedSession } from './stored.ts'
import { tellUser } from './user.ts'

/** Sessions of goose: JSON lines, exports, and its database as rows. */
export const reader: Reader = { format: 'goose', detect, read }

function read(source: Source, options: ReadOptions): Omit<ReadResult, 'format'> {
  const narrator = new Narrator()
  const stored = storedSession(source, narrator)
  if (stored === undefined) throw new ReadError('there are no messages of goose in it', { format: 'goose' })
  const { info, messages } = stored
  const by = authorOf(info)
  for (const message of windowOf(messages, options, narrator)) {
    const tell = own(ROLES, message.role)
    if (tell === undefined) narrator.report('record-unknown', { before: message.role })
    else tell(message, by, narrator)
  }
  const told = narrator.finish()
  return { session: { ...sessionFields(info), messages: told.messages }, changes: told.changes, branches: [] }
}

type Teller = (message: StoredMessage, by: Author | undefined, narrator: Narrator) => void

const ROLES: { readonly [role: string]: Teller } = {
  user: (message, _by, narrator) => tellUser(message, narrator),
  assistant: tellAssistant,
}

/** Only what the agent sees. A compaction hides the messages before it from the agent, and adds a summary that the user does not see. */
function windowOf(
  messages: readonly StoredMessage[],
  { history }: ReadOptions,
  { report }: Narrator,
): readonly StoredMessage[] {
  const lastHidden = messages.findLastIndex(isCompacted)
  const summary =
    lastHidden < 0 ? -1 : messages.findIndex((message, place) => place > lastHidden && isAgentOnly(message))
  if (history === 'full' && summary >= 0) {
    report('message-left-out', { message: SUMMARY_LEFT_OUT })
    return messages.filter((message, place) => place !== summary && !isNote(message))
  }
  if (history === 'full') return messages.filter((message) => !isNote(message))
  const seen = messages.filter(({ agentVisible }) => agentVisible)
  const hidden = messages.filter(isCompacted).length
  if (hidden > 0)
    report(summary < 0 ? 'message-left-out' : 'compaction-applied', { before: `${hidden} stored messages` })
  const summaryMessage = messages[summary]
  return seen.map((message) => (message === summaryMessage ? { ...message, isSummary: true } : message))
}

const isAgentOnly = (message: StoredMessage): boolean =>
  message.role === 'user' && message.agentVisible && !message.userVisible

/** What the screen shows and the model never saw. */
const isNote = (message: StoredMessage): boolean =>
  !message.agentVisible && message.content.every((part) => part.type === 'systemNotification')

const isCompacted = (message: StoredMessage): boolean => !message.agentVisible && !isNote(message)

/** The session knows its provider and model; which message another one wrote is not stored. */
function authorOf(info: Row): Author | undefined {
  const config = jsonAt(info, 'model_config_json') ?? info.model_config
  const model = stringAt(config, 'model_name')
  const provider = stringAt(info, 'provider_name')
  if (model === undefined || model === '') return undefined
  return { ...(provider === undefined || provider === '' ? {} : { provider }), model }
}

function sessionFields(info: Row): Omit<Session, 'messages'> {
  const id = stringAt(info, 'id')
  // The user's or a generated name; `description` before there were names.
  const title = stringAt(info, 'name') || stringAt(info, 'description')
  const cwd = stringAt(info, 'working_dir')
  const createdAt = isoTime(info.created_at)
  const parent = stringAt(info, 'parent_session_id')
  const agent = stringAt(valueAt(info, 'recipe'), 'title')
  return {
    version: 1,
    ...(id === undefined ? {} : { id }),
    ...(title === undefined || title === '' ? {} : { title }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(createdAt === undefined ? {} : { createdAt }),
    source: { format: 'goose' },
    ...(parent === undefined || parent === '' ? {} : { parent: { id: parent } }),
    ...(agent === undefined ? {} : { agent }),
  }
}
