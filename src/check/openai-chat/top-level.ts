import { stringAt, valueAt } from '../../model/json.ts'
import { isSet } from '../openai/given.ts'
import { saysJson } from '../openai/says-json.ts'
import type { Shape } from '../openai/shape.ts'
import { anything, boolean, decimal, integer, nullable, object, record, text } from '../openai/shape.ts'
import { missing, semantic, unsupportedValue } from '../openai/templates.ts'
import { verify } from '../openai/verify.ts'
import type { ChatRequest } from './request.ts'
import type { ChatRule } from './rules.ts'
import { TOOLS } from './tools.ts'

const OPTION = {
  number: nullable(decimal<ChatRule>()),
  flag: nullable(boolean<ChatRule>()),
  any: anything<ChatRule>(),
} as const

/**
 * The parameters of the request (SDK 7.59). Types are checked where the history or a reported refusal depends on them; the
 * model may be left out, since Azure takes it from the URL.
 */
const PARAMS: Shape<ChatRule> = object(
  {},
  {
    model: text(),
    messages: OPTION.any,
    audio: nullable(record()),
    frequency_penalty: OPTION.number,
    function_call: OPTION.any,
    functions: OPTION.any,
    logit_bias: nullable(record()),
    logprobs: OPTION.flag,
    max_completion_tokens: nullable(integer({ min: 16 }, { range: 'max-completion-tokens-min' })),
    max_tokens: nullable(integer()),
    metadata: nullable(record()),
    modalities: OPTION.any,
    moderation: OPTION.any,
    n: nullable(integer({ min: 1, max: 128 })),
    parallel_tool_calls: OPTION.flag,
    prediction: nullable(record()),
    presence_penalty: OPTION.number,
    prompt_cache_key: nullable(text()),
    prompt_cache_options: OPTION.any,
    prompt_cache_retention: OPTION.any,
    reasoning_effort: nullable(text()),
    response_format: nullable(record()),
    safety_identifier: nullable(text()),
    seed: nullable(integer()),
    service_tier: nullable(text()),
    stop: OPTION.any,
    store: OPTION.flag,
    stream: OPTION.flag,
    stream_options: nullable(record()),
    temperature: nullable(decimal({ min: 0, max: 2 }, { range: 'temperature-range' })),
    tool_choice: OPTION.any,
    tools: TOOLS,
    top_logprobs: nullable(integer({ min: 0, max: 20 })),
    top_p: nullable(decimal({ min: 0, max: 1 })),
    user: nullable(text()),
    verbosity: nullable(text()),
    web_search_options: nullable(record()),
  },
  { rules: { unknown: 'unknown-parameter' } },
)

/** Phase 2: the parameters, unknown keys included. */
export function topLevel(request: ChatRequest): void {
  verify(request.body, PARAMS, request)
  if (valueAt(request.body, 'messages') === undefined) request.report.raise('messages-missing', missing('messages'))
}

/** Parameters that the model is known to refuse. */
export function modelOptions(request: ChatRequest): void {
  const { body, model, report } = request
  if (model.refusesMaxTokens === true && isSet(body, 'max_tokens')) {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    report.raise('max-tokens-unsupported', {
      message,
      code: 'unsupported_parameter',
      param: 'max_tokens',
      path: 'max_tokens',
    })
  }
  temperature(request)
  if (model.refusesWebSearch === true && isSet(body, 'web_search_options')) {
    const message = 'Web search options not supported with this model.'
    report.raise('web-search-options', semantic(message, 'web_search_options', 'web_search_options'))
  }
}

function temperature({ body, model, report }: ChatRequest): void {
  const value = valueAt(body, 'temperature')
  if (typeof value !== 'number' || value === 1 || model.refusesTemperature === undefined) return
  const effort = valueAt(body, 'reasoning_effort')
  const reasons = typeof effort === 'string' && effort !== 'none'
  if (model.refusesTemperature === 'reasoning' && !reasons) return
  const message = `Unsupported value: 'temperature' does not support ${value} with this model. Only the default (1) value is supported.`
  report.raise('temperature-unsupported', unsupportedValue('temperature', message))
}

/** The plain JSON mode wants the word in some message. */
export function jsonWord({ body, messages, report }: ChatRequest): void {
  if (stringAt(valueAt(body, 'response_format'), 'type') !== 'json_object' || messages.some(saysJson)) return
  const message =
    "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
  report.raise('json-word-missing', semantic(message, 'messages', 'messages'))
}
