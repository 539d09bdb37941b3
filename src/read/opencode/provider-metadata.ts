import { isObject, type JsonObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { ApiId, Extra, Json } from '../../model/session.ts'
import type { Row } from '../tables.ts'

export type PartKind = 'text' | 'reasoning' | 'call'

/** What one provider keeps about a part, as the slot of its API; undefined when nothing of it is needed again. */
type SlotReader = (kept: Row, kind: PartKind) => JsonObject | undefined

interface Keeper {
  readonly api: ApiId
  readonly read: SlotReader
}

const anthropic: Keeper = { api: 'anthropic', read: (kept, kind) => (kind === 'call' ? callerOf(kept) : signed(kept)) }
const bedrock: Keeper = { api: 'bedrock', read: (kept, kind) => (kind === 'reasoning' ? signed(kept) : undefined) }
const responses: Keeper = { api: 'openai-responses', read: itemOf }
const gemini: Keeper = { api: 'gemini', read: (kept) => fieldOf(kept, 'thoughtSignature') }

/** The AI SDK keeps provider metadata under the name of the client that spoke to it, which is not the provider's id. */
const KEEPERS: { readonly [client: string]: Keeper } = {
  anthropic,
  bedrock,
  openai: responses,
  azure: responses,
  copilot: responses,
  google: gemini,
  vertex: gemini,
}

/** The slots of what each client kept, and the rest as it is in opencode's own. */
export function providerSlots(metadata: unknown, kind: PartKind): Extra | undefined {
  if (!isObject(metadata)) return undefined
  const slots: [ApiId | 'opencode', Json][] = []
  const rest: [string, Json][] = []
  for (const [client, kept] of Object.entries(metadata)) {
    const keeper = own(KEEPERS, client)
    const slot = keeper !== undefined && isObject(kept) ? keeper.read(kept, kind) : undefined
    if (keeper !== undefined && slot !== undefined) slots.push([keeper.api, slot])
    else if (isObject(kept) && client !== 'openrouter') rest.push([client, kept as Json])
  }
  if (rest.length > 0) slots.push(['opencode', { metadata: Object.fromEntries(rest) }])
  return slots.length === 0 ? undefined : Object.fromEntries(slots)
}

/** opencode 2 keeps the same without the client's name: what is in it says whose it is. */
export function nativeSlots(native: unknown, kind: PartKind): Extra | undefined {
  if (!isObject(native)) return undefined
  const keeper = NATIVE_KEYS.find(([key]) => Object.hasOwn(native, key))?.[1]
  const slot = keeper?.read(native, kind)
  if (keeper !== undefined && slot !== undefined) return { [keeper.api]: slot }
  return Object.keys(native).length === 0 ? undefined : { opencode: { native: native as Json } }
}

const NATIVE_KEYS: readonly (readonly [string, Keeper])[] = [
  ['signature', anthropic],
  ['redactedData', anthropic],
  ['itemId', responses],
  ['reasoningEncryptedContent', responses],
  ['thoughtSignature', gemini],
]

function signed(kept: Row): JsonObject | undefined {
  const data = stringAt(kept, 'redactedData')
  return data === undefined ? fieldOf(kept, 'signature') : { data }
}

function fieldOf(kept: Row, key: string): JsonObject | undefined {
  const value = stringAt(kept, key)
  return value === undefined || value === '' ? undefined : { [key]: value }
}

/** Another caller than `direct` is a call of the API's own, which is not kept. */
function callerOf(kept: Row): JsonObject | undefined {
  return stringAt(valueAt(kept, 'caller'), 'type') === 'direct' ? { caller: { type: 'direct' } } : undefined
}

/** The summary of a reasoning item is put in where the text of the part is known. */
function itemOf(kept: Row, kind: PartKind): JsonObject | undefined {
  const id = stringAt(kept, 'itemId')
  if (kind === 'call') return id === undefined ? undefined : { id }
  const encrypted = stringAt(kept, 'reasoningEncryptedContent')
  const phase = stringAt(kept, 'phase')
  if (id === undefined && encrypted === undefined) return undefined
  return {
    item: {
      ...(id === undefined ? {} : { id }),
      ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
      ...(phase === undefined || kind === 'reasoning' ? {} : { phase }),
    },
  }
}

/** The details that OpenRouter wants back stand once on the assistant message, not on its parts. */
export function routerDetails(metadata: unknown): readonly Json[] {
  const details = valueAt(valueAt(metadata, 'openrouter'), 'reasoning_details')
  return Array.isArray(details) ? details : []
}
