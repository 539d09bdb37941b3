import { isObject, stringAt, valueAt } from '../../model/json.ts'
import type { Json, TextPart, ToolDefinition } from '../../model/session.ts'
import type { Report } from '../report.ts'
import { others, slot } from '../slots.ts'
import { blocksOf } from './blocks.ts'
import { textPart } from './output.ts'

const READ = new Set(['name', 'description', 'input_schema'])

/** Tool definitions; a tool of the API's own stays raw under its name. */
export function toolDefinitions(tools: unknown, report: Report): readonly ToolDefinition[] | undefined {
  if (!Array.isArray(tools) && tools !== undefined && tools !== null) report('record-invalid', { before: tools })
  if (!Array.isArray(tools) || tools.length === 0) return undefined
  const read: ToolDefinition[] = []
  for (const tool of tools) {
    if (isObject(tool)) read.push(toolDefinition(tool))
    else report('record-invalid', { before: tool })
  }
  return read
}

function toolDefinition(tool: { readonly [key: string]: unknown }): ToolDefinition {
  const type = stringAt(tool, 'type')
  const name = stringAt(tool, 'name') ?? stringAt(tool, 'mcp_server_name') ?? type ?? ''
  if (type !== undefined && type !== 'custom') return { name, ...slot('anthropic', { raw: tool as Json }) }
  const description = stringAt(tool, 'description')
  const parameters = valueAt(tool, 'input_schema')
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters: parameters as Json }),
    ...slot('anthropic', others(tool, READ)),
  }
}

/** The `system` of a body; an empty string is none. */
export function instructionsOf(system: unknown, report: Report): readonly TextPart[] | undefined {
  if (system === '') return undefined
  const parts = textParts(system, report)
  return parts.length === 0 ? undefined : parts
}

/** The text blocks of a content that takes no others. */
export function textParts(content: unknown, report: Report): readonly TextPart[] {
  const parts: TextPart[] = []
  for (const block of blocksOf(content, report)) {
    const part = block.type === 'text' ? textPart(block) : undefined
    if (part === undefined) report('part-invalid', { before: block })
    else parts.push(part)
  }
  return parts
}
