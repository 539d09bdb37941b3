import { stringAt, valueAt } from '../model/json.ts'
import type { Json } from '../model/session.ts'
import type { IdShape } from './ids.ts'

/** Calls of both APIs have ids of one shape. */
export const CALL_ID: IdShape = { prefix: 'call_', digits: 24 }

/** A string is sent as it is: arguments that are no JSON, or the input of a custom tool. */
export function argumentsText(args: Json): string {
  return typeof args === 'string' ? args : JSON.stringify(args)
}

/** Whether the request defines this tool as one that takes free text; the definition holds its name itself, or under `custom`. */
export function isCustomTool(tools: unknown, name: string): boolean {
  if (!Array.isArray(tools)) return false
  return tools.some((tool) => {
    if (stringAt(tool, 'type') !== 'custom') return false
    return (stringAt(tool, 'name') ?? stringAt(valueAt(tool, 'custom'), 'name')) === name
  })
}
