import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import type { Json, ToolDefinition } from '../../model/session.ts'
import type { Report } from '../report.ts'
import { others, slot } from '../slots.ts'

const READ = new Set(['name', 'description', 'parameters'])

/** The `tools` of a body; those of a server's own stay raw. */
export function toolDefinitions(tools: unknown, report: Report): readonly ToolDefinition[] {
  return definitions(tools, toolDefinition, report)
}

/** The `functions` of a body. */
export function legacyDefinitions(functions: unknown, report: Report): readonly ToolDefinition[] {
  const read = definitions(functions, definition, report)
  for (const { name } of read) report('legacy-function-call', { before: name })
  return read
}

function definitions(list: unknown, read: (from: Fields) => ToolDefinition, report: Report): readonly ToolDefinition[] {
  if (!Array.isArray(list)) {
    if (list !== undefined && list !== null) report('record-invalid', { before: list })
    return []
  }
  const found: ToolDefinition[] = []
  for (const item of list) {
    if (isObject(item)) found.push(read(item))
    else report('record-invalid', { before: item })
  }
  return found
}

function toolDefinition(tool: Fields): ToolDefinition {
  const type = stringAt(tool, 'type')
  const inner = valueAt(tool, type === 'custom' ? 'custom' : 'function')
  if (isObject(inner) && (type === 'custom' || type === 'function' || type === undefined)) {
    return type === 'custom' ? { ...definition(inner), kind: 'custom' } : definition(inner)
  }
  const name = stringAt(inner, 'name') ?? stringAt(tool, 'name') ?? type ?? ''
  return { name, ...slot('openai-chat', { raw: tool as Json }) }
}

function definition(from: Fields): ToolDefinition {
  const description = stringAt(from, 'description')
  const parameters = valueAt(from, 'parameters')
  return {
    name: stringAt(from, 'name') ?? '',
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined || parameters === null ? {} : { parameters: parameters as Json }),
    ...slot('openai-chat', others(from, READ)),
  }
}
