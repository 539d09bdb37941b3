import type { JsonObject } from '../model/json.ts'
import { own } from '../model/own.ts'
import type { Json } from '../model/session.ts'
import { piecesOf } from './pieces.ts'
import type { SseEvent, Stream } from './vendor.ts'

/** A message as the API answers it, with the keys that recorded answers have. */
export type WireMessage = {
  readonly id: string
  readonly type: 'message'
  readonly role: 'assistant'
  readonly model: string
  readonly content: readonly JsonObject[]
  readonly stop_reason: string | null
  readonly stop_sequence: null
  readonly stop_details: JsonObject | null
  readonly usage: JsonObject
}

/** A message as the events of its stream. @see https://platform.claude.com/docs/en/build-with-claude/streaming */
export function anthropicStream(message: WireMessage): Stream {
  const { stop_reason, stop_sequence, stop_details, usage } = message
  const start = {
    ...message,
    content: [],
    stop_reason: null,
    stop_details: null,
    usage: { ...withoutDetails(usage), output_tokens: 1 },
  }
  return {
    events: [
      event('message_start', { message: start }),
      event('ping', {}),
      ...message.content.flatMap((block, index) => blockEvents(block, index)),
    ],
    end: [
      event('message_delta', { delta: { stop_reason, stop_sequence, stop_details }, usage: finalUsage(usage) }),
      event('message_stop', {}),
    ],
    failed: [event('error', { error: { type: 'api_error', message: 'Internal server error' }, request_id: null })],
  }
}

function event(type: string, fields: JsonObject): SseEvent {
  return { event: type, data: { type, ...fields } }
}

function withoutDetails({ output_tokens_details: _, ...usage }: JsonObject): JsonObject {
  return usage
}

const FINAL = [
  'input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'output_tokens',
  'output_tokens_details',
]

function finalUsage(usage: JsonObject): JsonObject {
  return Object.fromEntries(
    FINAL.flatMap((key): [string, Json][] => (usage[key] === undefined ? [] : [[key, usage[key]]])),
  )
}

/** How a block begins, and what then comes of it. */
interface Streamed {
  readonly start: JsonObject
  readonly deltas: readonly JsonObject[]
}

const BLOCKS: { readonly [type: string]: (block: JsonObject) => Streamed } = {
  text: (block) => ({
    start: { type: 'text', text: '' },
    deltas: piecesOf(textAt(block, 'text')).map((text) => ({ type: 'text_delta', text })),
  }),
  thinking: (block) => ({
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...piecesOf(textAt(block, 'thinking')).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: textAt(block, 'signature') },
    ],
  }),
  tool_use: (block) => ({
    start: { ...block, input: {} },
    deltas: ['', ...piecesOf(inputText(block.input))].map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    })),
  }),
}

function blockEvents(block: JsonObject, index: number): readonly SseEvent[] {
  const { start, deltas } = own(BLOCKS, block.type)?.(block) ?? { start: block, deltas: [] }
  return [
    event('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ]
}

/** A string is the text of arguments that are no JSON. */
function inputText(input: Json | undefined): string {
  return typeof input === 'string' ? input : JSON.stringify(input ?? {})
}

function textAt(block: JsonObject, key: string): string {
  const text = block[key]
  return typeof text === 'string' ? text : ''
}
