import type { StopReason } from '../../model/session.ts'
import type { UsageTable } from '../usage.ts'

/** What the `stop_reason` of a response says. */
export const STOPS: { readonly [reason: string]: StopReason } = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
  pause_turn: 'paused',
  compaction: 'paused',
}

/** `input_tokens` does not include what was read from or written to the cache. */
export const USAGE: UsageTable = {
  inputTokens: ['input_tokens'],
  outputTokens: ['output_tokens'],
  cacheReadTokens: ['cache_read_input_tokens'],
  cacheWriteTokens: ['cache_creation_input_tokens'],
  reasoningTokens: ['output_tokens_details', 'thinking_tokens'],
}
