import { isObject, type JsonObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Json, ToolCallState, ToolOutput } from '../../model/session.ts'
import type { OpenCall, StoredPart } from '../assemble.ts'
import { slot } from '../slots.ts'
import { argsOf } from './calls.ts'
import { idAt, lines } from './content.ts'
import type { Item } from './media.ts'

interface Hosted {
  readonly name: (item: Item) => string
  readonly args: (item: Item) => Pick<OpenCall, 'args' | 'argsText'>
  readonly result: (item: Item) => ToolOutput
}

const named = (name: string) => (): string => name
const fields =
  (...keys: readonly string[]) =>
  (item: Item): Pick<OpenCall, 'args'> => ({
    args: Object.fromEntries(keys.filter((key) => valueAt(item, key) != null).map((key) => [key, item[key] as Json])),
  })

/** Calls that the API ran itself. */
const HOSTED: { readonly [type: string]: Hosted } = {
  web_search_call: {
    name: named('web_search'),
    args: (item) => argsOf(valueAt(item, 'action')),
    result: (item) => eachLine(valueAt(valueAt(item, 'action'), 'sources'), (source) => [stringAt(source, 'url')]),
  },
  file_search_call: {
    name: named('file_search'),
    args: fields('queries'),
    result: (item) =>
      eachLine(valueAt(item, 'results'), (found) => [stringAt(found, 'filename'), stringAt(found, 'text')]),
  },
  code_interpreter_call: {
    name: named('code_interpreter'),
    args: fields('code'),
    result: (item) =>
      eachLine(valueAt(item, 'outputs'), (output) => [stringAt(output, 'logs') ?? stringAt(output, 'url')]),
  },
  image_generation_call: {
    name: named('image_generation'),
    args: fields('action', 'revised_prompt', 'size', 'quality', 'background', 'output_format'),
    result: image,
  },
  mcp_call: {
    name: (item) => stringAt(item, 'name') ?? '',
    args: (item) => argsOf(valueAt(item, 'arguments')),
    result: (item) => stringAt(item, 'output') ?? '',
  },
  tool_search_call: {
    name: named('tool_search'),
    args: (item) => argsOf(valueAt(item, 'arguments')),
    result: () => '',
  },
  mcp_approval_request: {
    name: (item) => stringAt(item, 'name') ?? '',
    args: (item) => argsOf(valueAt(item, 'arguments')),
    result: () => '',
  },
}

/** The entry of a hosted call, with its state unless it is still at work; undefined when the item is none. */
export function hostedCall(item: Item): StoredPart | undefined {
  const hosted = own(HOSTED, item.type)
  if (hosted === undefined) return undefined
  const call = entry(item, hosted, {})
  const state = stateOf(item, hosted)
  return state === undefined ? call : { ...call, state }
}

/** The entry of a hosted call whose outcome another item told: `told` is put beside the call's item. */
export function hostedAnswered(item: Item, state: ToolCallState, told: JsonObject): StoredPart {
  const hosted = own(HOSTED, item.type)
  if (hosted === undefined) throw new TypeError('not a hosted call')
  return { ...entry(item, hosted, told), state }
}

function entry(item: Item, hosted: Hosted, told: JsonObject): OpenCall {
  return {
    type: 'tool-call',
    id: idAt(item, 'id') || idAt(item, 'call_id'),
    name: hosted.name(item),
    ...hosted.args(item),
    executor: 'provider',
    ...slot('openai-responses', { item: item as Json, ...told }),
  }
}

const AT_WORK = new Set(['in_progress', 'searching', 'interpreting', 'generating', 'calling'])

function stateOf(item: Item, hosted: Hosted): ToolCallState | undefined {
  if (item.type === 'mcp_approval_request') return { status: 'pending', reason: 'approval' }
  const status = stringAt(item, 'status') ?? ''
  const error = errorText(valueAt(item, 'error'))
  if (error !== undefined || status === 'failed') return { status: 'failed', error: error ?? 'The call failed.' }
  if (AT_WORK.has(status)) return undefined
  const result = hosted.result(item)
  if (status !== 'incomplete') return { status: 'completed', result }
  return { status: 'interrupted', ...(result === '' ? {} : { partial: result }) }
}

function errorText(error: unknown): string | undefined {
  if (error === undefined || error === null) return undefined
  if (typeof error === 'string') return error
  return stringAt(error, 'message') ?? JSON.stringify(error)
}

function image(item: Item): ToolOutput {
  const base64 = stringAt(item, 'result')
  if (base64 === undefined) return ''
  const mediaType = `image/${stringAt(item, 'output_format') ?? 'png'}`
  return [{ type: 'media', kind: 'image', mediaType, source: { base64 } }]
}

function eachLine(list: unknown, read: (item: unknown) => readonly unknown[]): string {
  return Array.isArray(list) ? lines(list.filter(isObject).flatMap(read)) : ''
}
