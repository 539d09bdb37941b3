import { isObject, valueAt } from '../model/json.ts'
import type { ToolDefinition } from '../model/session.ts'
import type { Rules } from '../rules/rules.ts'
import type { ReportEnd } from './writer.ts'

export type ObjectSchema = { type: 'object'; [key: string]: unknown }

/** The parameters as the schema of an object, which is what APIs take. */
export function objectSchema(tool: ToolDefinition, report: ReportEnd): ObjectSchema {
  const { parameters } = tool
  const type = valueAt(parameters, 'type')
  if (isObject(parameters) && type === 'object') return parameters as ObjectSchema
  if (isObject(parameters) && type === undefined) return { ...parameters, type: 'object' }
  if (parameters !== undefined) {
    report('extra-left-out', { message: 'Parameters that are no object schema were left out.', before: tool.name })
  }
  return { type: 'object', properties: {} }
}

/** The definitions that the API takes: not other APIs' own tools, nor those that its platform does not run. */
export function definable(
  tools: readonly ToolDefinition[],
  { api, definesOwn }: Rules,
  report?: ReportEnd,
): readonly ToolDefinition[] {
  const taken = (tool: ToolDefinition): boolean => {
    const raw = valueAt(tool.extra?.[api], 'raw')
    return isObject(raw) ? definesOwn(raw) : !ofAnotherApi(tool)
  }
  if (tools.every(taken)) return tools
  return tools.filter((tool) => {
    if (taken(tool)) return true
    report?.('native-left-out', { message: 'A tool that this API does not run was left out.', before: tool.name })
    return false
  })
}

/** A definition that is nothing but an API's own block. */
function ofAnotherApi(tool: ToolDefinition): boolean {
  return Object.values(tool.extra ?? {}).some((slot) => isObject(valueAt(slot, 'raw')))
}
