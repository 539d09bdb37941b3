import { isObject, valueAt } from '../../model/json.ts'
import type { Json, ToolDefinition } from '../../model/session.ts'
import { objectSchema } from '../tools.ts'
import type { ReportEnd } from '../writer.ts'
import { markerOf } from './cache.ts'
import type { AnthropicTool } from './wire.ts'

/** Calls with free text were written with the text under this key. */
const FREE_TEXT = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] } as const

export function writeTools(
  tools: readonly ToolDefinition[],
  keepsMarkers: boolean,
  report: ReportEnd,
): AnthropicTool[] {
  return tools.flatMap((tool) => {
    const slot = tool.extra?.anthropic
    const raw = valueAt(slot, 'raw')
    if (isObject(raw)) return [raw as unknown as AnthropicTool]
    const { cache_control: _, ...rest } = (isObject(slot) ? slot : {}) as { readonly [key: string]: Json }
    const marker = keepsMarkers ? markerOf(slot) : undefined
    return [
      {
        name: tool.name,
        ...(tool.description === undefined ? {} : { description: tool.description }),
        input_schema: schemaOf(tool, report),
        ...rest,
        ...(marker === undefined ? {} : { cache_control: marker }),
      },
    ]
  })
}

function schemaOf(tool: ToolDefinition, report: ReportEnd): AnthropicTool['input_schema'] {
  return tool.kind === 'custom' ? FREE_TEXT : objectSchema(tool, report)
}
