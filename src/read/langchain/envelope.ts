import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'

export type Kind = 'human' | 'ai' | 'system' | 'developer' | 'tool' | 'function' | 'remove'

/** A message without its envelope. */
export interface Stored {
  readonly kind: Kind
  readonly fields: Fields
}

/** Names of classes and types, without `Message` and `Chunk`. */
const KINDS: { readonly [name: string]: Kind } = {
  human: 'human',
  user: 'human',
  ai: 'ai',
  assistant: 'ai',
  system: 'system',
  developer: 'developer',
  tool: 'tool',
  function: 'function',
  remove: 'remove',
}

/** Types whose role stands in a field. */
const ROLED = new Set(['chat', 'generic'])

/**
 * `{ type, data }` of stored histories, `{ lc: 1, id, kwargs }` of serialised objects, `{ type, content }` and `{ role, content }`
 * of servers, `{ type, text }` of the first version. Undefined when it is none of them.
 */
export function unwrapped(value: unknown): Stored | undefined {
  if (!isObject(value)) return undefined
  if (isSerialised(value)) return ofKind(className(value), isObject(value.kwargs) ? value.kwargs : {})
  const type = stringAt(value, 'type')
  if (type !== undefined && isObject(value.data)) return ofKind(type, value.data)
  const named = type === undefined || type === 'constructor' ? undefined : ofKind(type, value)
  if (named !== undefined) return Object.hasOwn(value, 'content') ? named : ofFirst(named, value)
  const role = stringAt(value, 'role')
  return role === undefined ? undefined : ofKind(role, value)
}

/** An object that the library wrote with its class. */
export const isSerialised = (value: unknown): boolean =>
  isObject(value) && typeof value.lc === 'number' && value.type === 'constructor' && Array.isArray(value.id)

/** `HumanMessageChunk` is `human`. */
function className(value: Fields): string {
  const path = value.id as readonly unknown[]
  const name = path.at(-1)
  if (typeof name !== 'string') return ''
  return name
    .replace(/Chunk$/, '')
    .replace(/Message$/, '')
    .toLowerCase()
}

function ofKind(name: string, fields: Fields): Stored | undefined {
  const plain = name.endsWith('MessageChunk') ? name.slice(0, -12).toLowerCase() : name
  const known = own(KINDS, plain)
  if (known !== undefined) return { kind: known, fields }
  if (!ROLED.has(plain)) return undefined
  return { kind: own(KINDS, stringAt(fields, 'role')) ?? 'human', fields }
}

/** Nothing without a text, but for what removes another and for a call alone. */
function ofFirst({ kind }: Stored, value: Fields): Stored | undefined {
  const content = valueAt(value, 'text')
  const isWhole = content !== undefined || kind === 'remove' || Array.isArray(value.tool_calls)
  return isWhole ? { kind, fields: { ...value, content } } : undefined
}
