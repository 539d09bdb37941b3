import { isObject, type JsonObject } from '../model/json.ts'
import type { Json } from '../model/session.ts'
import { failure } from './openai-error.ts'
import { piecesOf } from './pieces.ts'
import type { SseEvent, Stream } from './vendor.ts'

/** A completion as the API answers it, with the keys that recorded answers have. */
export type WireCompletion = {
  readonly id: string
  readonly object: 'chat.completion'
  readonly created: number
  readonly model: string
  readonly choices: readonly WireChoice[]
  readonly usage: JsonObject
  readonly service_tier: string
  readonly system_fingerprint: string
}

type WireChoice = {
  readonly index: number
  readonly message: JsonObject
  readonly logprobs: null
  readonly finish_reason: string
}

/** A completion as the chunks of its stream; `usage`: the last chunk holds the counts. */
export function chatStream(completion: WireCompletion, usage: boolean): Stream {
  const { choices, usage: counts, ...head } = completion
  const chunk = (parts: readonly Json[], total: JsonObject | null = null): SseEvent => ({
    data: { ...head, object: 'chat.completion.chunk', choices: parts, ...(usage ? { usage: total } : {}) },
  })
  const choiceChunk = (index: number, delta: JsonObject, finish_reason: string | null): SseEvent =>
    chunk([{ index, delta, logprobs: null, finish_reason }])
  return {
    events: choices.flatMap(({ index, message }) => deltasOf(message).map((delta) => choiceChunk(index, delta, null))),
    end: [
      ...choices.map(({ index, finish_reason }) => choiceChunk(index, {}, finish_reason)),
      ...(usage ? [chunk([], counts)] : []),
      { data: '[DONE]' },
    ],
    failed: [{ data: failure(500) }],
  }
}

/** Keys of a message that are texts, in the order in which they come. */
const TEXTS = ['reasoning_content', 'content', 'refusal'] as const

function deltasOf(message: JsonObject): readonly JsonObject[] {
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : []
  return [
    { role: 'assistant', content: message.content === null ? null : '', refusal: null },
    ...TEXTS.flatMap((key) => textDeltas(key, message[key])),
    ...calls.flatMap((call, index) => callDeltas(call as JsonObject, index)),
  ]
}

function textDeltas(key: string, text: Json | undefined): readonly JsonObject[] {
  return typeof text === 'string' ? piecesOf(text).map((piece) => ({ [key]: piece })) : []
}

/** Where the two kinds of call hold their text. */
const CALLS = { function: 'arguments', custom: 'input' } as const

function callDeltas(call: JsonObject, index: number): readonly JsonObject[] {
  const kind = call.type === 'custom' ? 'custom' : 'function'
  const key = CALLS[kind]
  const called = call[kind]
  if (!isObject(called)) return []
  const text = called[key]
  return [
    { tool_calls: [{ index, ...call, [kind]: { ...called, [key]: '' } }] },
    ...piecesOf(typeof text === 'string' ? text : '').map((piece) => ({
      tool_calls: [{ index, [kind]: { [key]: piece } }],
    })),
  ]
}
