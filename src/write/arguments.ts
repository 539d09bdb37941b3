import type { ToolCallEntry } from '../model/session.ts'

/** The text of the arguments: as stored where it was stored, else written from the value. */
export function argumentsText(call: ToolCallEntry): string {
  return call.argsText ?? (typeof call.args === 'string' ? call.args : JSON.stringify(call.args ?? {}))
}
