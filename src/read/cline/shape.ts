import { type Fields, isObject, stringAt } from '../../model/json.ts'
import { soleValue } from '../body.ts'
import { SAMPLE } from '../evidence.ts'
import type { Source } from '../reader.ts'

/** The list of a source: an array, or what stood on lines of their own. */
export function listOf(source: Source): readonly unknown[] | undefined {
  const value = soleValue(source)
  if (Array.isArray(value)) return value
  return source.records === undefined || isObject(value) ? undefined : source.records.map((record) => record.value)
}

type Store = Fields & { readonly messages: readonly unknown[] }

/** The store of the newer tool: a session with its messages, or what a compaction put in the place of the first of them. */
export function storeOf(source: Source): Store | undefined {
  const value = soleValue(source)
  if (!isObject(value) || typeof value.version !== 'number' || !Array.isArray(value.messages)) return undefined
  if (Object.hasOwn(value, 'projectHash') || !value.messages.slice(0, SAMPLE).every(isStored)) return undefined
  const isStore = typeof value.sessionId === 'string' || typeof value.source_message_count === 'number'
  return isStore ? (value as Store) : undefined
}

/** Damaged ones speak for no other format. */
const isStored = (message: unknown): boolean =>
  !isObject(message) ||
  message.role === undefined ||
  (typeof message.role === 'string' && !Object.hasOwn(message, 'parts'))

/** What the screen showed. */
export function isShown(message: unknown): boolean {
  if (!isObject(message)) return false
  const kind = message.type === 'say' ? message.say : message.type === 'ask' ? message.ask : undefined
  return typeof kind === 'string'
}

/** Kinds of messages, and keys, that only Roo and Kilo have. */
const ROO_KINDS = new Set([
  'condense_context',
  'condense_context_error',
  'sliding_window_truncation',
  'checkpoint_saved',
  'subtask_result',
  'rooignore_error',
  'codebase_search_result',
  'api_req_retry_delayed',
])
const ROO_KEYS = [
  'isSummary',
  'condenseId',
  'condenseParent',
  'truncationId',
  'truncationParent',
  'isTruncationMarker',
  'reasoning_content',
]

/** Keys of messages in other forms. */
const FOREIGN = ['tool_calls', 'parts', 'toolCalls', 'toolInvocations']
const FOREIGN_ROLES = new Set<unknown>(['tool', 'function', 'developer', 'model'])

/** What a message of either of these two says about whose it is. */
export type Owner = 'cline' | 'roo' | 'either' | 'foreign' | undefined

export function ownerOf(message: unknown): Owner {
  if (!isObject(message)) return undefined
  if (isShown(message)) return shownBy(message)
  if (ROO_KEYS.some((key) => Object.hasOwn(message, key)) || isRooItem(message)) return 'roo'
  if (message.role !== 'user' && message.role !== 'assistant')
    return FOREIGN_ROLES.has(message.role) ? 'foreign' : undefined
  if (FOREIGN.some((key) => Object.hasOwn(message, key))) return 'foreign'
  if (isObject(message.modelInfo) || isObject(message.metrics)) return 'cline'
  const blocks: readonly unknown[] = Array.isArray(message.content)
    ? message.content.slice(0, SAMPLE)
    : [message.content]
  if (blocks.some((block) => isObject(block) && Object.hasOwn(block, 'toolCallId'))) return 'foreign'
  // Other tools have such blocks too, but no time on their messages.
  if (message.role === 'assistant' && typeof message.ts === 'number' && blocks.some(isRooBlock)) return 'roo'
  if (blocks.some(isClineBlock)) return 'cline'
  if (message.role === 'user' && blocks.some(isSpoken)) return 'either'
  return undefined
}

function shownBy(message: Fields): Owner {
  if (ROO_KINDS.has(String(message.say ?? message.ask))) return 'roo'
  if (isObject(message.modelInfo) || Object.hasOwn(message, 'lastCheckpointHash')) return 'cline'
  return 'either'
}

const isRooItem = (message: Fields): boolean =>
  message.type === 'reasoning' && typeof message.ts === 'number' && typeof message.encrypted_content === 'string'

const isRooBlock = (block: unknown): boolean =>
  isObject(block) &&
  ((block.type === 'reasoning' && (typeof block.text === 'string' || typeof block.encrypted_content === 'string')) ||
    block.type === 'thoughtSignature')

const isClineBlock = (block: unknown): boolean =>
  isObject(block) &&
  (Array.isArray(block.reasoning_details) || (block.type === 'text' && typeof block.call_id === 'string'))

/** What the tool tells the model behind every prompt. */
const isSpoken = (block: unknown): boolean =>
  (typeof block === 'string' ? block : (stringAt(block, 'text') ?? '')).startsWith('<environment_details>')
