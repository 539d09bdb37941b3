import { isObject, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { StopReason, Usage } from '../../model/session.ts'
import { STOPS } from '../anthropic/ending.ts'
import type { StoredAssistant } from '../assemble.ts'
import { authorOf } from '../author.ts'
import type { ReadOptions } from '../reader.ts'
import type { Group } from './conversation.ts'
import type { JsonRecord } from './messages.ts'

type Head = Omit<StoredAssistant, 'parts'>

type Writable<T> = { -readonly [key in keyof T]: T[key] }

/** What the lines of a message say about it. */
export function headOf(group: Group, options: ReadOptions): Head {
  const messages = group.members.map((link) => link.said.message ?? NONE)
  const head: Writable<Head> = {}
  const by = authorOf('anthropic', options, firstText(messages, 'model'))
  if (by !== undefined) head.by = by
  const stop = stopOf(messages)
  if (stop !== undefined) head.stop = stop
  const usage = usageOf(messages)
  if (usage !== undefined) head.usage = usage
  const first = group.members[0]
  head.id = firstText(messages, 'id') ?? first?.uuid
  const at = first?.record.timestamp
  if (typeof at === 'string' && at !== '') head.at = at
  return head
}

const NONE: JsonRecord = {}

function firstText(messages: readonly JsonRecord[], key: string): string | undefined {
  for (const message of messages) {
    const text = stringAt(message, key)
    if (text !== undefined && text !== '') return text
  }
  return undefined
}

/** Only the last line of a message has it, if any. */
function stopOf(messages: readonly JsonRecord[]): StopReason | undefined {
  const last = messages.findLast((message) => typeof message.stop_reason === 'string')
  return last === undefined ? undefined : own(STOPS, last.stop_reason)
}

/** Each line repeats the counts; those of the first lines were taken while the answer still streamed. */
function usageOf(messages: readonly JsonRecord[]): Usage | undefined {
  const raw = messages.findLast((message) => isObject(message.usage))?.usage
  if (!isObject(raw)) return undefined
  const usage: Writable<Usage> = {}
  let counted = false
  for (const [count, key] of COUNTS) {
    const value = raw[key]
    if (typeof value !== 'number' || !Number.isFinite(value)) continue
    usage[count] = value
    counted = true
  }
  return counted ? usage : undefined
}

/** What else stands there is no count of tokens. */
const COUNTS = [
  ['inputTokens', 'input_tokens'],
  ['outputTokens', 'output_tokens'],
  ['cacheReadTokens', 'cache_read_input_tokens'],
  ['cacheWriteTokens', 'cache_creation_input_tokens'],
] as const
