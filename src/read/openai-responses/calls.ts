import { parseOrText, stringAt, valueAt } from '../../model/json.ts'
import type { Json, ToolCallState } from '../../model/session.ts'
import type { OpenCall } from '../assemble.ts'
import { others, slot } from '../slots.ts'
import { idAt, toolOutput } from './content.ts'
import type { Item } from './media.ts'

/** `parsed_arguments` is added by the SDK's parse helpers; the API knows no such field. */
const FUNCTION_READ = new Set(['type', 'call_id', 'name', 'arguments', 'parsed_arguments'])
const CUSTOM_READ = new Set(['type', 'call_id', 'name', 'input'])
const OUTPUT_READ = new Set(['type', 'call_id', 'output'])

export function functionCall(item: Item): OpenCall {
  return {
    type: 'tool-call',
    id: idAt(item, 'call_id'),
    name: stringAt(item, 'name') ?? '',
    ...argsOf(valueAt(item, 'arguments')),
    ...slot('openai-responses', others(item, FUNCTION_READ)),
  }
}

export function customCall(item: Item): OpenCall {
  const input = valueAt(item, 'input')
  return {
    type: 'tool-call',
    id: idAt(item, 'call_id'),
    name: stringAt(item, 'name') ?? '',
    kind: 'custom',
    args: input === undefined || input === null ? '' : (input as Json),
    ...slot('openai-responses', others(item, CUSTOM_READ)),
  }
}

/** Servers that answer with a value instead of text are taken at their word. */
export function argsOf(stored: unknown): Pick<OpenCall, 'args' | 'argsText'> {
  if (typeof stored === 'string') return { args: parseOrText(stored), argsText: stored }
  return { args: stored === undefined || stored === null ? {} : (stored as Json) }
}

/** The output of a function or a custom tool: the API has no error flag. */
export function outputState(item: Item): ToolCallState {
  return {
    status: 'completed',
    result: toolOutput(valueAt(item, 'output')),
    ...slot('openai-responses', others(item, OUTPUT_READ)),
  }
}
