import { stringAt, valueAt } from '../../model/json.ts'
import type { Session } from '../../model/session.ts'
import { isoTime } from '../iso-time.ts'
import type { Writable } from '../slots.ts'
import type { Row } from '../tables.ts'

const text = (info: Row, key: string): string | undefined => stringAt(info, key) || undefined

/** What is stored about the session. The agent is the last that was chosen. */
export function sessionFields(
  info: Row,
  callId: string | undefined,
  lastAgent: string | undefined,
): Omit<Session, 'messages'> {
  const version = text(info, 'version')
  const fields: Writable<Omit<Session, 'messages'>> = {
    version: 1,
    source: { format: 'opencode', ...(version === undefined ? {} : { version }) },
  }
  const [id, title] = [text(info, 'id'), text(info, 'title')]
  // Exports of opencode 2 hold the place of the session in an object.
  const cwd = text(info, 'directory') ?? stringAt(valueAt(info, 'location'), 'directory')
  const createdAt = isoTime(valueAt(info.time, 'created'))
  const agent = text(info, 'agent') ?? lastAgent
  const parent = text(info, 'parentID')
  if (id !== undefined) fields.id = id
  if (title !== undefined) fields.title = title
  if (cwd !== undefined) fields.cwd = cwd
  if (createdAt !== undefined) fields.createdAt = createdAt
  if (parent !== undefined) fields.parent = { id: parent, ...(callId === undefined ? {} : { callId }) }
  if (agent !== undefined) fields.agent = agent
  return fields
}
