import { isObject, valueAt } from '../model/json.ts'
import type { ApiId, ToolDefinition } from '../model/session.ts'
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

/** A definition that is nothing but another API's own block. */
export function ofAnotherApi(tool: ToolDefinition, api: ApiId): boolean {
  const slots = Object.entries(tool.extra ?? {})
  return slots.some(([key, slot]) => key !== api && isObject(valueAt(slot, 'raw')))
}
