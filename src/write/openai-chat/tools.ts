import { isObject, valueAt } from '../../model/json.ts'
import type { ToolDefinition } from '../../model/session.ts'
import { objectSchema } from '../tools.ts'
import type { ReportEnd } from '../writer.ts'
import type { ChatTool } from './wire.ts'

export function writeTools(tools: readonly ToolDefinition[], report: ReportEnd): ChatTool[] {
  return tools.flatMap((tool): ChatTool[] => {
    const slot = tool.extra?.['openai-chat']
    const about = { name: tool.name, ...(tool.description === undefined ? {} : { description: tool.description }) }
    if (tool.kind === 'custom') {
      const format = valueAt(slot, 'format')
      return [{ type: 'custom', custom: { ...about, ...(format === undefined ? {} : { format }) } }]
    }
    const parameters = tool.parameters === undefined ? {} : { parameters: objectSchema(tool, report) }
    return [{ type: 'function', function: { ...about, ...parameters, ...(isObject(slot) ? slot : {}) } }]
  })
}
