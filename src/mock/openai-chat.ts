import { checkOpenAIChat } from '../check/openai-chat/index.ts'
import { isObject, type JsonObject, valueAt } from '../model/json.ts'
import type { Json, StopReason } from '../model/session.ts'
import type { IdShape } from './ids.ts'
import { argumentsText, CALL_ID, isCustomTool } from './openai-call.ts'
import { chatStream, type WireCompletion } from './openai-chat-stream.ts'
import { CREATED, failure, refusal, requestId } from './openai-error.ts'
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

const COMPLETION_ID: IdShape = { prefix: 'chatcmpl-', digits: 29 }
const FINGERPRINT = 'fp_0000000001'

const STOPS: { readonly [stop in StopReason]: string } = {
  end: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  refusal: 'stop',
  filtered: 'content_filter',
  paused: 'stop',
  aborted: 'stop',
  error: 'stop',
}

/** Chat completions, of OpenAI itself and of Azure. */
export function openaiChat(): Vendor {
  return {
    api: 'openai-chat',
    base: 'https://api.openai.com/v1',
    azure: true,
    requestIdHeader: 'x-request-id',
    requestId,
    refusal,
    failure,
    endpoints: [{ path: '/chat/completions', check, respond }],
    reset: () => {},
  }
}

/** Azure's path names the deployment, so its body may leave out the model. */
function check({ body, azure, deployment }: Arrival, looks: Looks): readonly Violation[] {
  const named = deployment !== undefined && isObject(body) ? { model: deployment, ...body } : body
  return checkOpenAIChat(named, { ...looks, platform: azure ? 'azure' : 'openai' })
}

function respond(exchange: Exchange): Outcome {
  const { answer, body, streamed } = exchange
  if (streamed) {
    const usage = valueAt(body.stream_options, 'include_usage') === true
    return streamOutcome(chatStream(completionOf(exchange), usage), answer)
  }
  if (answer.stop === 'aborted') return { kind: 'drop' }
  if (answer.stop === 'error') return { kind: 'failure' }
  return { kind: 'json', body: completionOf(exchange) }
}

function completionOf(exchange: Exchange): WireCompletion {
  const { body, ids, text, answer } = exchange
  const message = messageOf(exchange)
  const choice = { logprobs: null, finish_reason: STOPS[answer.stop] }
  return {
    id: ids.next(COMPLETION_ID, text),
    object: 'chat.completion',
    created: CREATED,
    model: modelOf(exchange),
    choices: Array.from({ length: choicesOf(body.n) }, (_, index) => ({ index, message, ...choice })),
    usage: usageOf(exchange),
    service_tier: 'default',
    system_fingerprint: FINGERPRINT,
  }
}

const MOST_CHOICES = 128

function choicesOf(n: Json | undefined): number {
  return typeof n === 'number' && Number.isInteger(n) && n > 0 ? Math.min(n, MOST_CHOICES) : 1
}

function messageOf({ answer, body, ids, text: request }: Exchange): JsonObject {
  const { text, reasoning, toolCalls, stop } = answer
  const refused = stop === 'refusal'
  const calls = toolCalls.map(({ id, name, args }): JsonObject => {
    const called = isCustomTool(body.tools, name)
      ? { type: 'custom', custom: { name, input: argumentsText(args) } }
      : { type: 'function', function: { name, arguments: argumentsText(args) } }
    return { id: id ?? ids.next(CALL_ID, request), ...called }
  })
  return {
    role: 'assistant',
    content: refused || (text === '' && calls.length > 0) ? null : text,
    refusal: refused ? text : null,
    annotations: [],
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}

function usageOf({ answer, body }: Exchange): JsonObject {
  const { usage, text, reasoning, toolCalls } = answer
  const prompt = usage.inputTokens ?? roughTokens(body.messages, body.tools)
  const thought = usage.reasoningTokens ?? roughTokens(reasoning)
  const completion = usage.outputTokens ?? roughTokens(text, toolCalls) + thought + 1
  const extra = usage.extra?.['openai-chat']
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      cached_tokens: usage.cacheReadTokens ?? 0,
      audio_tokens: 0,
      ...(usage.cacheWriteTokens === undefined ? {} : { cache_write_tokens: usage.cacheWriteTokens }),
    },
    completion_tokens_details: {
      reasoning_tokens: thought,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
    ...(isObject(extra) ? extra : {}),
  }
}
