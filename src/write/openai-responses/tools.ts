import { isObject, valueAt } from '../../model/json.ts'
import type { ToolDefinition } from '../../model/session.ts'
import { objectSchema } from '../tools.ts'
import type { ReportEnd } from '../writer.ts'
import type { ResponsesTool } from './wire.ts'

export function writeTools(tools: readonly ToolDefinition[], report: ReportEnd): ResponsesTool[] {
  return tools.flatMap((tool): ResponsesTool[] => {
    const slot = tool.extra?.['openai-responses']
    const raw = valueAt(slot, 'raw')
    if (isObject(raw)) return [raw as unknown as ResponsesTool]
    const about = { name: tool.name, ...(tool.description === undefined ? {} : { description: tool.description }) }
    const fields = isObject(slot) ? slot : {}
    if (tool.kind === 'custom') return [{ type: 'custom', ...about, ...fields }]
    return [{ type: 'function', ...about, parameters: objectSchema(tool, report), strict: null, ...fields }]
  })
}
