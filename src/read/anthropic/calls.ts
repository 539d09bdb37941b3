import { isObject, parseOrText, stringAt, valueAt } from '../../model/json.ts'
import type { Json } from '../../model/session.ts'
import type { OpenCall } from '../assemble.ts'
import type { Report } from '../report.ts'
import { picked, slotted, type Writable } from '../slots.ts'
import type { Block } from './media.ts'

const OF_CALLS = ['cache_control', 'caller', 'toolset_name']

/** A tool_use block. */
export function clientCall(block: Block, report: Report): OpenCall {
  const id = idAt(block, 'id')
  const input = valueAt(block, 'input')
  const args = argsOf(input)
  if (typeof input === 'string' && args !== input)
    report('args-rewritten', { callId: id, message: PARSED, before: input })
  if (stringAt(block, 'name') === undefined && input === undefined)
    report('part-invalid', { message: NAMELESS, before: block })
  const call: Writable<OpenCall> = { type: 'tool-call', id, name: stringAt(block, 'name') ?? '', args }
  return slotted(call, 'anthropic', picked(block, OF_CALLS))
}

const NAMELESS = 'A call is stored without its name and its arguments.'
const PARSED = 'Arguments stored as JSON text were read as their value.'

/** The API stores a value; text that holds a JSON object is a producer's slip. */
export function argsOf(input: unknown): Json {
  if (input === undefined || input === null) return {}
  if (typeof input !== 'string') return input as Json
  const value = parseOrText(input)
  return isObject(value) ? value : input
}

/** '' where none is stored; a number is taken for its text. */
export function idAt(block: Block, key: string): string {
  const id = valueAt(block, key)
  return typeof id === 'number' ? String(id) : typeof id === 'string' ? id : ''
}
