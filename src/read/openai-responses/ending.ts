import { stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { StopReason } from '../../model/session.ts'
import type { Head } from '../turns.ts'
import { type UsageTable, usageFrom } from '../usage.ts'
import type { Item } from './media.ts'

/** `input_tokens` includes what was read from the cache. */
const USAGE: UsageTable = {
  inputTokens: ['input_tokens'],
  outputTokens: ['output_tokens'],
  cacheReadTokens: ['input_tokens_details', 'cached_tokens'],
  cacheWriteTokens: ['input_tokens_details', 'cache_write_tokens'],
  reasoningTokens: ['output_tokens_details', 'reasoning_tokens'],
}

const STATUSES: { readonly [status: string]: StopReason } = { failed: 'error', cancelled: 'aborted' }

const REASONS: { readonly [reason: string]: StopReason } = { max_output_tokens: 'length', content_filter: 'filtered' }

/** What a response says of its end. */
export function endingOf(response: Item): Head {
  const stop = stopOf(response)
  const usage = usageFrom('openai-responses', valueAt(response, 'usage'), USAGE)
  const id = stringAt(response, 'id')
  return {
    ...(stop === undefined ? {} : { stop }),
    ...(usage === undefined ? {} : { usage }),
    ...(id === undefined ? {} : { id }),
  }
}

function stopOf(response: Item): StopReason | undefined {
  const status = stringAt(response, 'status')
  if (status === 'incomplete') return own(REASONS, stringAt(valueAt(response, 'incomplete_details'), 'reason'))
  if (status !== 'completed') return own(STATUSES, status)
  const output = valueAt(response, 'output')
  const items = Array.isArray(output) ? output : []
  if (items.some(isCall) || items.some((item) => isOpenShell(item, items))) return 'tool-calls'
  return items.some(isRefusal) ? 'refusal' : 'end'
}

/** Items that ask the client to run something. */
const CALLS = new Set(['function_call', 'custom_tool_call', 'local_shell_call', 'apply_patch_call', 'computer_call'])

function isCall(item: unknown): boolean {
  const type = stringAt(item, 'type') ?? ''
  return CALLS.has(type) || (type === 'tool_search_call' && stringAt(item, 'execution') === 'client')
}

/** A shell in a container of the API's own has its output in the same response. */
function isOpenShell(item: unknown, items: readonly unknown[]): boolean {
  if (stringAt(item, 'type') !== 'shell_call') return false
  const callId = stringAt(item, 'call_id')
  return !items.some(
    (other) => stringAt(other, 'type') === 'shell_call_output' && stringAt(other, 'call_id') === callId,
  )
}

function isRefusal(item: unknown): boolean {
  const content = valueAt(item, 'content')
  return Array.isArray(content) && content.some((part) => stringAt(part, 'type') === 'refusal')
}
