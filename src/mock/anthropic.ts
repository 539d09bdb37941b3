import { checkAnthropic } from '../check/anthropic/index.ts'
import { isObject, type JsonObject } from '../model/json.ts'
import { own } from '../model/own.ts'
import type { StopReason } from '../model/session.ts'
import { anthropicStream, type WireMessage } from './anthropic-stream.ts'
import type { IdShape } from './ids.ts'
import { jsonFault, placeInText } from './json-fault.ts'
import { roughTokens } from './tokens.ts'
import {
  type Arrival,
  type Endpoint,
  type Exchange,
  type Looks,
  modelOf,
  type Outcome,
  streamOutcome,
  type Vendor,
  type Violation,
} from './vendor.ts'

const MESSAGE_ID: IdShape = { prefix: 'msg_01', digits: 22 }
const CALL_ID: IdShape = { prefix: 'toolu_01', digits: 22 }
const REQUEST_ID: IdShape = { prefix: 'req_011C', digits: 20 }
/** No real signature, but one of its alphabet. */
const SIGNATURE: IdShape = { prefix: 'EqQBCkYIARgCKkBtb2NrIHNpZ25hdHVyZSBudW1iZXI', digits: 16 }

/** @see https://platform.claude.com/docs/en/api/errors */
const FAILURES: { readonly [status: string]: readonly [type: string, message: string] } = {
  401: ['authentication_error', 'API key is invalid.'],
  402: ['billing_error', 'Your credit balance is too low to access the Anthropic API.'],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource.'],
  404: ['not_found_error', 'Not Found'],
  409: ['conflict_error', 'Conflict'],
  413: ['request_too_large', 'Request exceeds the maximum size'],
  429: ['rate_limit_error', "This request would exceed your account's rate limit. Please try again later."],
  504: ['timeout_error', 'Request timed out'],
  529: ['overloaded_error', 'Overloaded'],
}

const STOPS: { readonly [stop in StopReason]: string } = {
  end: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  refusal: 'refusal',
  filtered: 'refusal',
  paused: 'pause_turn',
  aborted: 'end_turn',
  error: 'end_turn',
}

/** Parameters of the Messages API that its count of tokens does not know. */
const NOT_COUNTED = [
  'max_tokens',
  'container',
  'inference_geo',
  'metadata',
  'service_tier',
  'stop_sequences',
  'stream',
  'temperature',
  'top_k',
  'top_p',
]

/** The Messages API. */
export function anthropic(): Vendor {
  return {
    api: 'anthropic',
    base: 'https://api.anthropic.com',
    azure: false,
    requestIdHeader: 'request-id',
    requestId: (ids) => ids.next(REQUEST_ID),
    refusal: ({ type, message }, requestId) => errorBody(type, message, requestId),
    failure: failureBody,
    endpoints: ENDPOINTS,
    reset: () => {},
  }
}

const ENDPOINTS: readonly Endpoint[] = [
  { path: '/v1/messages', check: checked, respond },
  { path: '/v1/messages/count_tokens', check: checkCount, respond: count, counts: true },
]

/** The rule of counting tokens, which no body shows: the check does not know it. */
export const COUNT_SAME = 'anthropic/count-tokens-same'

/** The header says which betas are on; without it none is. */
function checked(arrival: Arrival, looks: Looks): readonly Violation[] {
  if (arrival.body === undefined) return [notJson(arrival.text)]
  const betas = (arrival.headers.get('anthropic-beta') ?? '').split(',').map((beta) => beta.trim())
  const without = looks.without?.filter((rule) => rule !== COUNT_SAME)
  return checkAnthropic(arrival.body, { ...looks, without, betas: betas.filter((beta) => beta !== '') })
}

/** The same checks, but for the limit of the answer, which there is none of. */
function checkCount(arrival: Arrival, looks: Looks): readonly Violation[] {
  const { body } = arrival
  const extra = isObject(body) ? NOT_COUNTED.filter((key) => Object.hasOwn(body, key)) : []
  const without = [...(looks.without ?? []), 'anthropic/max-tokens']
  const found = looks.without?.includes(COUNT_SAME) === true ? [] : extra.map(extraKey)
  return [...found, ...checked(arrival, { ...looks, without })]
}

const INVALID = { status: 400, type: 'invalid_request_error', code: null, param: null }

function extraKey(key: string): Violation {
  const message = `${key}: Extra inputs are not permitted`
  return { rule: COUNT_SAME, ...INVALID, message, path: key }
}

function notJson(text: string): Violation {
  const fault = jsonFault(text) ?? { words: 'unexpected character', at: 0 }
  const cut = fault.words === 'unexpected end of data'
  const message = `The request body is not valid JSON: ${fault.words}: ${placeInText(text, fault.at)}`
  return { rule: cut ? 'anthropic/json-truncated' : 'anthropic/json-syntax', ...INVALID, message, path: '' }
}

function errorBody(type: string, message: string, requestId: string): JsonObject {
  return { type: 'error', error: { type, message }, request_id: requestId }
}

function failureBody(status: number, requestId: string): JsonObject {
  const other = status < 500 ? (['invalid_request_error', 'Bad Request'] as const) : SERVER_ERROR
  const [type, message] = own(FAILURES, String(status)) ?? other
  return errorBody(type, message, requestId)
}

const SERVER_ERROR = ['api_error', 'Internal server error'] as const

function count({ body }: Exchange): Outcome {
  return { kind: 'json', body: { input_tokens: inputTokens(body) } }
}

function inputTokens(body: JsonObject): number {
  return roughTokens(body.system, body.messages, body.tools)
}

function respond(exchange: Exchange): Outcome {
  const { answer, streamed } = exchange
  if (streamed) return streamOutcome(anthropicStream(messageOf(exchange)), answer)
  if (answer.stop === 'aborted') return { kind: 'drop' }
  if (answer.stop === 'error') return { kind: 'failure' }
  return { kind: 'json', body: messageOf(exchange) }
}

function messageOf(exchange: Exchange): WireMessage {
  const stop = exchange.answer.stop
  return {
    id: exchange.ids.next(MESSAGE_ID, exchange.text),
    type: 'message',
    role: 'assistant',
    model: modelOf(exchange),
    content: contentOf(exchange),
    stop_reason: STOPS[stop],
    stop_sequence: null,
    stop_details: STOPS[stop] === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null,
    usage: usageOf(exchange),
  }
}

function contentOf({ answer, ids, text }: Exchange): readonly JsonObject[] {
  const content: JsonObject[] = []
  if (answer.reasoning !== '') {
    content.push({ type: 'thinking', thinking: answer.reasoning, signature: ids.next(SIGNATURE, text) })
  }
  if (answer.text !== '') content.push({ type: 'text', text: answer.text })
  for (const { id, name, args } of answer.toolCalls) {
    content.push({
      type: 'tool_use',
      id: id ?? ids.next(CALL_ID, text),
      name,
      input: args,
      caller: { type: 'direct' },
    })
  }
  return content
}

function usageOf({ answer, body }: Exchange): JsonObject {
  const { usage, text, reasoning, toolCalls } = answer
  const written = usage.cacheWriteTokens ?? 0
  const thinking = usage.reasoningTokens ?? roughTokens(reasoning)
  const extra = usage.extra?.anthropic
  return {
    cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: written },
    cache_creation_input_tokens: written,
    cache_read_input_tokens: usage.cacheReadTokens ?? 0,
    inference_geo: 'global',
    input_tokens: usage.inputTokens ?? inputTokens(body),
    output_tokens: usage.outputTokens ?? roughTokens(reasoning, text, toolCalls) + 1,
    ...(thinking === 0 ? {} : { output_tokens_details: { thinking_tokens: thinking } }),
    service_tier: 'standard',
    ...(isObject(extra) ? extra : {}),
  }
}
