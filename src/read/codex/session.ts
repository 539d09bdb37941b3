import { type Fields, stringAt, valueAt } from '../../model/json.ts'
import type { Json, Session } from '../../model/session.ts'
import type { Writable } from '../slots.ts'
import { others } from '../slots.ts'

/** What has a field of its own in a session. */
const READ = new Set(['id', 'timestamp', 'cwd', 'cli_version', 'base_instructions'])

/** What the first `session_meta` says; `folder` where it does not say that. */
export function sessionFields(meta: Fields, folder: string | undefined): Omit<Session, 'messages'> {
  const version = text(meta, 'cli_version')
  const fields: Writable<Omit<Session, 'messages'>> = {
    version: 1,
    source: { format: 'codex', ...(version === undefined ? {} : { version }) },
  }
  const [id, cwd, createdAt] = [text(meta, 'id'), text(meta, 'cwd') ?? folder, text(meta, 'timestamp')]
  if (id !== undefined) fields.id = id
  if (cwd !== undefined) fields.cwd = cwd
  if (createdAt !== undefined) fields.createdAt = createdAt
  const parent = parentOf(meta)
  if (parent !== undefined) fields.parent = { id: parent }
  const agent = agentOf(meta)
  if (agent !== undefined) fields.agent = agent
  const base = valueAt(meta, 'base_instructions')
  const instructions = typeof base === 'string' ? base : stringAt(base, 'text')
  if (instructions !== undefined && instructions !== '') fields.instructions = [{ type: 'text', text: instructions }]
  const rest = others(meta, READ)
  if (rest !== undefined) fields.extra = { codex: rest as Json }
  return fields
}

function text(from: unknown, key: string): string | undefined {
  return stringAt(from, key) || undefined
}

/** A fork names what it copied, a sub-agent what started it, a paginated file what it goes on from. */
function parentOf(meta: Fields): string | undefined {
  return (
    text(meta, 'forked_from_id') ??
    text(meta, 'parent_thread_id') ??
    text(spawned(meta), 'parent_thread_id') ??
    text(valueAt(meta, 'history_base'), 'thread_id')
  )
}

function agentOf(meta: Fields): string | undefined {
  const subagent = valueAt(valueAt(meta, 'source'), 'subagent')
  return (
    text(meta, 'agent_nickname') ??
    text(meta, 'agent_role') ??
    (typeof subagent === 'string' && subagent !== '' ? subagent : text(spawned(meta), 'agent_nickname'))
  )
}

function spawned(meta: Fields): unknown {
  return valueAt(valueAt(valueAt(meta, 'source'), 'subagent'), 'thread_spawn')
}
