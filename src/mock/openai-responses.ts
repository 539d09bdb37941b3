import { checkOpenAIResponses } from '../check/openai-responses/index.ts'
import { deeperThan, isObject, type JsonObject, MAX_DEPTH } from '../model/json.ts'
import type { Json, StopReason } from '../model/session.ts'
import type { IdShape } from './ids.ts'
import { CREATED, failure, refusal, requestId, SERVER_ERROR } from './openai-error.ts'
import { outputOf } from './openai-responses-output.ts'
import { HandedOut } from './openai-responses-store.ts'
import { responsesStream } from './openai-responses-stream.ts'
import { roughTokens } from './tokens.ts'
import {
  type Arrival,
  type Exchange,
  type Looks,
  modelOf,
  type Outcome,
  streamOutcome,
  type Vendor,
  type Violation,
} from './vendor.ts'

const RESPONSE_ID: IdShape = { prefix: 'resp_', digits: 48 }

/** How a response that did not complete says why. */
const ENDINGS: { readonly [stop in StopReason]?: JsonObject } = {
  length: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
  filtered: { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
  error: { status: 'failed', error: { code: 'server_error', message: SERVER_ERROR.message } },
}

/** The Responses API, of OpenAI itself and of Azure. It knows the items and responses that it handed out. */
export function openaiResponses(): Vendor {
  const handedOut = new HandedOut()
  return {
    api: 'openai-responses',
    base: 'https://api.openai.com/v1',
    azure: true,
    requestIdHeader: 'x-request-id',
    requestId,
    refusal,
    failure,
    endpoints: [
      {
        path: '/responses',
        check: (arrival, looks) => check(arrival, looks, handedOut),
        respond: (exchange) => respond(exchange, handedOut),
      },
    ],
    reset: () => handedOut.reset(),
  }
}

function check({ body, azure, deployment }: Arrival, looks: Looks, handedOut: HandedOut): readonly Violation[] {
  const named = deployment !== undefined && isObject(body) ? { model: deployment, ...body } : body
  const platform = azure ? 'azure' : 'openai'
  return checkOpenAIResponses(named, { ...looks, platform, known: handedOut.known(body) })
}

function respond(exchange: Exchange, handedOut: HandedOut): Outcome {
  const { answer, streamed } = exchange
  if (answer.stop === 'aborted' && !streamed) return { kind: 'drop' }
  const response = responseOf(exchange)
  handedOut.add(response)
  if (streamed) return streamOutcome(responsesStream(response), answer)
  return { kind: 'json', body: response }
}

/** What a request may set and the answer repeats, with the values for what it leaves out. */
const REPEATED: JsonObject = {
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  prompt_cache_retention: 'in_memory',
  safety_identifier: null,
  store: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  user: null,
}

const NO_TOOL_USAGE: JsonObject = {
  image_gen: {
    input_tokens: 0,
    input_tokens_details: { image_tokens: 0, text_tokens: 0 },
    output_tokens: 0,
    output_tokens_details: { image_tokens: 0, text_tokens: 0 },
    total_tokens: 0,
  },
  web_search: { num_requests: 0 },
}

function responseOf(exchange: Exchange): JsonObject {
  const { body, ids, text, answer } = exchange
  const completed = answer.stop !== 'error'
  return {
    id: ids.next(RESPONSE_ID, text),
    object: 'response',
    created_at: CREATED,
    status: 'completed',
    background: false,
    billing: { payer: 'developer' },
    completed_at: completed ? CREATED : null,
    error: null,
    frequency_penalty: 0,
    incomplete_details: null,
    ...repeated(body),
    model: modelOf(exchange),
    moderation: null,
    output: outputOf(exchange),
    presence_penalty: 0,
    reasoning: { context: null, effort: null, summary: null, ...objectAt(body, 'reasoning') },
    service_tier: 'default',
    text: { format: { type: 'text' }, verbosity: 'medium', ...objectAt(body, 'text') },
    tool_usage: NO_TOOL_USAGE,
    usage: completed ? usageOf(exchange) : null,
    ...ENDINGS[answer.stop],
  }
}

function repeated(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(REPEATED).map(([key, absent]) => [key, printable(body[key]) ?? absent]))
}

/** What is nested deeper than an answer can be written counts as left out. */
function printable(value: Json | undefined): Json | undefined {
  return deeperThan(value, MAX_DEPTH) ? undefined : value
}

function objectAt(body: JsonObject, key: string): JsonObject {
  const value = printable(body[key])
  return isObject(value) ? (value as JsonObject) : {}
}

function usageOf({ answer, body }: Exchange): JsonObject {
  const { usage, text, reasoning, toolCalls } = answer
  const input = usage.inputTokens ?? roughTokens(body.instructions, body.input, body.tools)
  const thought = usage.reasoningTokens ?? roughTokens(reasoning)
  const output = usage.outputTokens ?? roughTokens(text, toolCalls) + thought + 1
  const extra = usage.extra?.['openai-responses']
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheReadTokens ?? 0,
      ...(usage.cacheWriteTokens === undefined ? {} : { cache_write_tokens: usage.cacheWriteTokens }),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: thought },
    total_tokens: input + output,
    ...(isObject(extra) ? extra : {}),
  }
}
