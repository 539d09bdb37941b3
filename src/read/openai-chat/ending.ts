import type { StopReason } from '../../model/session.ts'
import type { UsageTable } from '../usage.ts'

/** What the `finish_reason` of a choice says, those of compatible servers included. */
export const STOPS: { readonly [reason: string]: StopReason } = {
  stop: 'end',
  eos: 'end',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  length: 'length',
  model_length: 'length',
  content_filter: 'filtered',
  insufficient_system_resource: 'aborted',
  error: 'error',
}

/** `prompt_tokens` includes what was read from the cache. */
export const USAGE: UsageTable = {
  inputTokens: ['prompt_tokens'],
  outputTokens: ['completion_tokens'],
  cacheReadTokens: ['prompt_tokens_details', 'cached_tokens'],
  cacheWriteTokens: ['prompt_tokens_details', 'cache_write_tokens'],
  reasoningTokens: ['completion_tokens_details', 'reasoning_tokens'],
}
