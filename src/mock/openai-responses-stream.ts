import { isObject, type JsonObject } from '../model/json.ts'
import { own } from '../model/own.ts'
import type { Json } from '../model/session.ts'
import { SERVER_ERROR } from './openai-error.ts'
import { piecesOf } from './pieces.ts'
import type { SseEvent, Stream } from './vendor.ts'

type Add = (type: string, fields: JsonObject) => void

/** A response as the events of its stream. @see https://platform.openai.com/docs/api-reference/responses-streaming */
export function responsesStream(response: JsonObject): Stream {
  const events: SseEvent[] = []
  const add = adder(events)
  const output = Array.isArray(response.output) ? response.output.filter(isObject) : []
  const started = {
    ...response,
    status: 'in_progress',
    completed_at: null,
    output: [],
    usage: null,
    error: null,
    incomplete_details: null,
  }
  add('response.created', { response: started })
  add('response.in_progress', { response: started })
  for (const [index, item] of output.entries()) addItem(item as JsonObject, index, add)
  const status = typeof response.status === 'string' ? response.status : 'completed'
  const failed = { ...started, status: 'failed', output: response.output ?? [], error: FAILED }
  return {
    events,
    end: [numbered(`response.${status}`, { response }, events.length)],
    failed: [numbered('response.failed', { response: failed }, events.length)],
  }
}

const FAILED: JsonObject = { code: 'server_error', message: SERVER_ERROR.message }

/** Events are numbered in the order in which they are sent. */
function adder(events: SseEvent[]): Add {
  return (type, fields) => {
    events.push(numbered(type, fields, events.length))
  }
}

function numbered(type: string, fields: JsonObject, sequence_number: number): SseEvent {
  return { event: type, data: { type, ...fields, sequence_number } }
}

interface Filling {
  /** The item before anything of it came. */
  readonly start: JsonObject
  readonly fill: (item: JsonObject, at: JsonObject, add: Add) => void
}

/** How an item of each type comes in. */
const ITEMS: { readonly [type: string]: Filling } = {
  message: { start: { content: [], status: 'in_progress' }, fill: fillMessage },
  reasoning: { start: { summary: [] }, fill: fillReasoning },
  function_call: {
    start: { arguments: '', status: 'in_progress' },
    fill: (item, at, add) => fillText(item.arguments, 'arguments', 'response.function_call_arguments', at, add),
  },
  custom_tool_call: {
    start: { input: '' },
    fill: (item, at, add) => fillText(item.input, 'input', 'response.custom_tool_call_input', at, add),
  },
}

function addItem(item: JsonObject, output_index: number, add: Add): void {
  const filling = own(ITEMS, item.type)
  add('response.output_item.added', { output_index, item: { ...item, ...filling?.start } })
  filling?.fill(item, { item_id: item.id ?? '', output_index }, add)
  add('response.output_item.done', { output_index, item })
}

function fillText(
  text: Json | undefined,
  key: string,
  type: string,
  at: JsonObject,
  add: Add,
  further: JsonObject = {},
): void {
  const whole = typeof text === 'string' ? text : ''
  for (const delta of piecesOf(whole)) add(`${type}.delta`, { ...at, delta, ...further })
  add(`${type}.done`, { ...at, [key]: whole, ...further })
}

function fillMessage(item: JsonObject, at: JsonObject, add: Add): void {
  const parts = Array.isArray(item.content) ? item.content.filter(isObject) : []
  for (const [content_index, value] of parts.entries()) {
    const part = value as JsonObject
    const place = { ...at, content_index }
    const refused = part.type === 'refusal'
    add('response.content_part.added', { ...place, part: { ...part, [refused ? 'refusal' : 'text']: '' } })
    if (refused) fillText(part.refusal, 'refusal', 'response.refusal', place, add)
    else fillText(part.text, 'text', 'response.output_text', place, add, { logprobs: [] })
    add('response.content_part.done', { ...place, part })
  }
}

function fillReasoning(item: JsonObject, at: JsonObject, add: Add): void {
  const parts = Array.isArray(item.summary) ? item.summary.filter(isObject) : []
  for (const [summary_index, value] of parts.entries()) {
    const part = value as JsonObject
    const place = { ...at, summary_index }
    add('response.reasoning_summary_part.added', { ...place, part: { ...part, text: '' } })
    fillText(part.text, 'text', 'response.reasoning_summary_text', place, add)
    add('response.reasoning_summary_part.done', { ...place, part })
  }
}
