import { ReadError } from '../../model/error.ts'
import { isObject, stringAt, valueAt } from '../../model/json.ts'
import type { ToolDefinition } from '../../model/session.ts'
import { bounded } from '../bounded.ts'
import { isoTime } from '../iso-time.ts'
import { Narrator } from '../narrator.ts'
import type { Reader, ReadOptions, ReadResult, Source } from '../reader.ts'
import type { Report } from '../report.ts'
import { type AgentFile, agentIn, detect } from './agent.ts'
import { inContext, toolsOf } from './context.ts'
import { Conversation } from './messages.ts'
import { configOf } from './model.ts'

/** Agent files of Letta (`.af`), of which the first agent is read. */
export const reader: Reader = { format: 'letta', detect, read }

function read(source: Source, options: ReadOptions): Omit<ReadResult, 'format'> {
  const file = agentIn(source)
  if (file === undefined) throw new ReadError('there is no agent with messages', { format: 'letta' })
  const to = new Narrator()
  if (file.others > 0) to.reportAside('session-left-out', { before: `${file.others} other agents` })
  const list = inContext(file, options.history, to.reportAside)
  const conversation = new Conversation(to, configOf(file.agent), list)
  for (const message of list) conversation.add(message)
  const tools = toolsOf(file).flatMap((tool) => definitionOf(tool, to.reportAside))
  const { messages, changes } = to.finish()
  const instructions = conversation.instructions ?? systemOf(file)
  return {
    session: {
      version: 1,
      source: { format: 'letta' },
      ...agentFields(file),
      ...(instructions === undefined ? {} : { instructions }),
      ...(tools.length === 0 ? {} : { tools }),
      messages,
    },
    changes,
    branches: [],
  }
}

/** Where no message holds it. */
function systemOf({ agent }: AgentFile) {
  const text = stringAt(agent, 'system')
  return text === undefined || text === '' ? undefined : [{ type: 'text' as const, text }]
}

function agentFields({ agent }: AgentFile) {
  const [id, title] = [stringAt(agent, 'id'), stringAt(agent, 'name')]
  const createdAt = isoTime(agent.created_at)
  return {
    ...(id === undefined ? {} : { id }),
    ...(title === undefined ? {} : { title }),
    ...(createdAt === undefined ? {} : { createdAt }),
  }
}

function definitionOf(tool: unknown, report: Report): ToolDefinition[] {
  const schema = valueAt(tool, 'json_schema')
  const name = stringAt(schema, 'name') ?? stringAt(tool, 'name')
  if (name === undefined || name === '') {
    report('record-invalid', { before: tool })
    return []
  }
  const description = stringAt(schema, 'description') ?? stringAt(tool, 'description')
  const parameters = valueAt(schema, 'parameters')
  return [
    {
      name,
      ...(description === undefined ? {} : { description }),
      ...(isObject(parameters) ? { parameters: bounded(parameters, report) } : {}),
    },
  ]
}
