import type { Structure } from '../shallow.ts'

/** message, tool_calls, call, function; of a completion before it choices, choice. */
export const MESSAGE: Structure = {
  keys: new Set(['content', 'tool_calls', 'function', 'custom', 'function_call', 'choices', 'message']),
  levels: 7,
}
/** tools, tool, function. */
export const LIST: Structure = { keys: new Set(['function', 'custom']), levels: 3 }
