import { type Fields, isObject, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { StopReason, Usage } from '../../model/session.ts'
import { STOPS } from '../anthropic/ending.ts'
import type { StoredAssistant, StoredPart } from '../assemble.ts'
import { authorOf } from '../author.ts'
import type { ReadOptions } from '../reader.ts'
import type { Writable } from '../slots.ts'
import type { Group } from './group.ts'

/** The message with what its lines say about it. */
export function assistantMessage(group: Group, parts: readonly StoredPart[], options: ReadOptions): StoredAssistant {
  const messages = group.members.map((link) => link.message ?? NONE)
  const first = group.members[0]
  const head: Writable<StoredAssistant> = { parts, id: firstText(messages, 'id') ?? first?.uuid }
  const by = authorOf('anthropic', options, firstText(messages, 'model'))
  if (by !== undefined) head.by = by
  const stop = stopOf(messages)
  if (stop !== undefined) head.stop = stop
  const usage = usageOf(messages)
  if (usage !== undefined) head.usage = usage
  const at = first?.record.timestamp
  if (typeof at === 'string' && at !== '') head.at = at
  return head
}

const NONE: Fields = {}

function firstText(messages: readonly Fields[], key: string): string | undefined {
  for (const message of messages) {
    const text = stringAt(message, key)
    if (text !== undefined && text !== '') return text
  }
  return undefined
}

/** Only the last line of a message has it, if any. */
function stopOf(messages: readonly Fields[]): StopReason | undefined {
  const last = messages.findLast((message) => typeof message.stop_reason === 'string')
  return last === undefined ? undefined : own(STOPS, last.stop_reason)
}

/** Each line repeats the counts; those of the first lines were taken while the answer still streamed. */
function usageOf(messages: readonly Fields[]): Usage | undefined {
  const raw = messages.findLast((message) => isObject(message.usage))?.usage
  if (!isObject(raw)) return undefined
  const usage: Writable<Usage> = {}
  let counted = false
  for (const { count, key } of COUNTS) {
    const value = raw[key]
    if (typeof value !== 'number' || !Number.isFinite(value)) continue
    usage[count] = value
    counted = true
  }
  return counted ? usage : undefined
}

/** What else stands there is no count of tokens. */
const COUNTS = [
  { count: 'inputTokens', key: 'input_tokens' },
  { count: 'outputTokens', key: 'output_tokens' },
  { count: 'cacheReadTokens', key: 'cache_read_input_tokens' },
  { count: 'cacheWriteTokens', key: 'cache_creation_input_tokens' },
] as const
