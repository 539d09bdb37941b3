import { stringAt, valueAt } from '../../model/json.ts'
import { reportCopy } from '../copies.ts'
import type { ReadOptions } from '../reader.ts'
import type { Report } from '../report.ts'
import { type AgentFile, listAt } from './agent.ts'

/** The messages that the agent would send, in their order; `full`: all that are stored. */
export function inContext({ agent }: AgentFile, history: ReadOptions['history'], report: Report): readonly unknown[] {
  const { messages } = agent
  const [ids = [], olderIds = [], indices = []] = LISTS.map((key) => namesIn(listAt(agent, key), report))
  if (history === 'full') return messages
  const named = ids.length > 0 ? ids : olderIds
  const chosen = named.length > 0 ? byId(messages, named, report) : byIndex(messages, indices)
  if (chosen.length === 0) return messages
  if (chosen.length < messages.length)
    report('compaction-applied', { message: EVICTED, before: `${messages.length - chosen.length} messages` })
  return chosen
}

const LISTS = ['in_context_message_ids', 'message_ids', 'in_context_message_indices'] as const

/** What names a message is no object. */
function namesIn(list: readonly unknown[], report: Report): readonly unknown[] {
  for (const item of list) if (typeof item === 'object' && item !== null) report('record-invalid', { before: item })
  return list
}

const EVICTED = 'Messages that are no longer in the context of the agent were left out.'

function byId(messages: readonly unknown[], ids: readonly unknown[], report: Report): readonly unknown[] {
  const known = new Map<string, unknown>()
  for (const message of messages) {
    const id = stringAt(message, 'id')
    if (id === undefined) continue
    if (known.has(id)) reportCopy(report, id, known.get(id), message)
    known.set(id, message)
  }
  const seen = new Set<unknown>()
  return ids.flatMap((id) => {
    if (typeof id !== 'string' || seen.has(id)) return []
    seen.add(id)
    if (!known.has(id)) report('history-truncated', { before: id })
    return known.has(id) ? [known.get(id)] : []
  })
}

function byIndex(messages: readonly unknown[], indices: readonly unknown[]): readonly unknown[] {
  const distinct = new Set(indices.filter((index) => typeof index === 'number' && Object.hasOwn(messages, index)))
  return [...distinct].map((index) => messages[index as number])
}

/** The tool definitions that the agent may use. */
export function toolsOf({ agent, tools }: AgentFile): readonly unknown[] {
  const ids = new Set(listAt(agent, 'tool_ids'))
  return ids.size === 0 ? tools : tools.filter((tool) => ids.has(valueAt(tool, 'id')))
}
