import { type Fields, isObject, parseOrText, stringAt, valueAt } from '../../model/json.ts'
import type { Json } from '../../model/session.ts'
import type { OpenCall } from '../assemble.ts'
import type { Report } from '../report.ts'
import { others, slot } from '../slots.ts'

const READ = new Set(['id', 'type', 'function', 'custom'])

/** The `tool_calls` of an assistant message. */
export function toolCalls(calls: unknown, report: Report): OpenCall[] {
  if (calls === undefined || calls === null) return []
  const read: OpenCall[] = []
  for (const item of Array.isArray(calls) ? calls : [calls]) {
    const call = isObject(item) ? toolCall(item, report) : undefined
    if (call === undefined) report('part-invalid', { before: item })
    else read.push(call)
  }
  return read
}

function toolCall(item: Fields, report: Report): OpenCall | undefined {
  const custom = valueAt(item, 'custom')
  if (isObject(custom)) return customCall(item, custom)
  const called = valueAt(item, 'function')
  if (isObject(called) && called.name === undefined && called.arguments === undefined)
    report('part-invalid', { message: NAMELESS, before: item })
  if (isObject(called)) return { ...functionCall(idAt(item, 'id'), called), ...slot('openai-chat', others(item, READ)) }
  // Some stores flatten calls.
  return stringAt(item, 'name') === undefined ? undefined : functionCall(idAt(item, 'id'), item)
}

const NAMELESS = 'A call is stored without its name and its arguments.'

function customCall(item: Fields, custom: Fields): OpenCall {
  const input = valueAt(custom, 'input')
  return {
    type: 'tool-call',
    id: idAt(item, 'id'),
    name: stringAt(custom, 'name') ?? '',
    kind: 'custom',
    args: input === undefined || input === null ? '' : (input as Json),
    ...slot('openai-chat', others(item, READ)),
  }
}

/** Also the legacy `function_call`, which has no id. */
export function functionCall(id: string, called: Fields): OpenCall {
  return { type: 'tool-call', id, name: stringAt(called, 'name') ?? '', ...argsOf(valueAt(called, 'arguments')) }
}

/** Servers that answer with a value instead of text are taken at their word. */
function argsOf(stored: unknown): Pick<OpenCall, 'args' | 'argsText'> {
  if (typeof stored === 'string') return { args: parseOrText(stored), argsText: stored }
  return { args: stored === undefined || stored === null ? {} : (stored as Json) }
}

/** '' where none is stored; a number is taken for its text. */
export function idAt(from: Fields, key: string): string {
  const id = valueAt(from, key)
  return typeof id === 'number' ? String(id) : typeof id === 'string' ? id : ''
}
