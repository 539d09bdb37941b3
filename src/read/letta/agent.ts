import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { soleValue } from '../body.ts'
import { SAMPLE } from '../evidence.ts'
import type { Source } from '../reader.ts'

export interface AgentFile {
  readonly agent: Fields & { readonly messages: readonly unknown[] }
  /** The tools of the file, of which the agent names its own. */
  readonly tools: readonly unknown[]
  readonly others: number
}

type Agent = AgentFile['agent']

/** The first agent of a file; older files are the agent itself. Undefined when the source holds none. */
export function agentIn(source: Source): AgentFile | undefined {
  const value = soleValue(source)
  if (!isObject(value)) return undefined
  if (!Array.isArray(value.agents))
    return isAgent(value) ? { agent: value, tools: listAt(value, 'tools'), others: 0 } : undefined
  const agents = value.agents.filter((agent): agent is Agent => isObject(agent) && Array.isArray(agent.messages))
  const agent = agents[0]
  return agent === undefined
    ? undefined
    : { agent, tools: [...listAt(value, 'tools'), ...listAt(agent, 'tools')], others: value.agents.length - 1 }
}

export function detect(source: Source): number {
  const file = agentIn(source)
  if (file === undefined) return 0
  const { agent } = file
  const known = [agent.agent_type, agent.llm_config, agent.in_context_message_ids, agent.in_context_message_indices]
  if (known.some((field) => field !== undefined)) return 0.97
  return agent.messages.slice(0, SAMPLE).some((message) => stringAt(message, 'agent_id') !== undefined) ? 0.95 : 0
}

const isAgent = (value: Fields): value is Agent =>
  Array.isArray(value.messages) && (typeof value.agent_type === 'string' || isObject(value.llm_config))

export function listAt(from: unknown, key: string): readonly unknown[] {
  const list = valueAt(from, key)
  return Array.isArray(list) ? list : []
}
