import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Json, ToolDefinition } from '../../model/session.ts'
import type { Report } from '../report.ts'
import { others, slot } from '../slots.ts'
import type { Item } from './media.ts'

const READ = new Set(['type', 'name', 'description', 'parameters'])

const KINDS: { readonly [type: string]: (tool: Item) => ToolDefinition } = {
  function: definition,
  custom: (tool) => ({ ...definition(tool), kind: 'custom' }),
}

/** Tool definitions; a tool of the API's own stays raw under its name, else its type. */
export function toolDefinitions(tools: unknown, report: Report): readonly ToolDefinition[] | undefined {
  if (!Array.isArray(tools) || tools.length === 0) return undefined
  const read: ToolDefinition[] = []
  for (const tool of tools) {
    if (isObject(tool)) read.push((own(KINDS, tool.type) ?? raw)(tool))
    else report('record-invalid', { before: tool })
  }
  return read
}

function raw(tool: Item): ToolDefinition {
  const name = stringAt(tool, 'name') ?? stringAt(tool, 'server_label') ?? stringAt(tool, 'type') ?? ''
  return { name, ...slot('openai-responses', { raw: tool as Json }) }
}

function definition(tool: Item): ToolDefinition {
  const description = stringAt(tool, 'description')
  const parameters = valueAt(tool, 'parameters')
  return {
    name: stringAt(tool, 'name') ?? '',
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined || parameters === null ? {} : { parameters: parameters as Json }),
    ...slot('openai-responses', others(tool, READ)),
  }
}
