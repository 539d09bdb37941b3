import { type Fields, isObject, type JsonObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { ApiId, Extra, Json } from '../../model/session.ts'
import { others } from '../slots.ts'

type Kind = 'text' | 'reasoning' | 'call' | 'media' | 'result'
type Placed = { readonly api: ApiId; readonly value: JsonObject; readonly read: readonly string[] }
type Meaning = (stored: Fields, text: string) => Placed | undefined

/** What the metadata of a provider means to its API. What is not read stays in the SDK's own slot. */
const MEANINGS: { readonly [provider: string]: { readonly [kind in Kind]?: Meaning } } = {
  anthropic: {
    text: cached,
    media: cached,
    result: cached,
    reasoning(stored) {
      const signature = stringAt(stored, 'signature')
      const data = stringAt(stored, 'redactedData')
      if (signature !== undefined) return { api: 'anthropic', value: { signature }, read: ['signature'] }
      return data === undefined ? undefined : { api: 'anthropic', value: { data }, read: ['redactedData'] }
    },
    call(stored) {
      const caller = callerOf(valueAt(stored, 'caller'))
      const cache = cached(stored)
      if (caller === undefined) return cache
      return { api: 'anthropic', value: { ...cache?.value, caller }, read: ['caller', ...(cache?.read ?? [])] }
    },
  },
  openai: {
    text: itemText,
    reasoning: itemReasoning,
    call: itemCall,
  },
  bedrock: {
    reasoning(stored) {
      const signature = stringAt(stored, 'signature')
      const redactedContent = stringAt(stored, 'redactedData')
      if (signature !== undefined) return { api: 'bedrock', value: { signature }, read: ['signature'] }
      return redactedContent === undefined
        ? undefined
        : { api: 'bedrock', value: { redactedContent }, read: ['redactedData'] }
    },
  },
  google: { text: thought, reasoning: thought, call: thought, media: thought },
}

/** Providers under other names. */
const SAME: { readonly [provider: string]: string } = {
  azure: 'openai',
  vertex: 'google',
  googleVertex: 'google',
  'google-vertex': 'google',
  amazonBedrock: 'bedrock',
  vertexAnthropic: 'anthropic',
}

function cached(stored: Fields): Placed | undefined {
  const cache = valueAt(stored, 'cacheControl') ?? valueAt(stored, 'cache_control')
  if (!isObject(cache)) return undefined
  return { api: 'anthropic', value: { cache_control: cache as Json }, read: ['cacheControl', 'cache_control'] }
}

function callerOf(caller: unknown): Json | undefined {
  const type = stringAt(caller, 'type')
  const tool = stringAt(caller, 'toolId') ?? stringAt(caller, 'tool_id')
  return type === undefined ? undefined : { type, ...(tool === undefined ? {} : { tool_id: tool }) }
}

function thought(stored: Fields): Placed | undefined {
  const thoughtSignature = stringAt(stored, 'thoughtSignature')
  return thoughtSignature === undefined
    ? undefined
    : { api: 'gemini', value: { thoughtSignature }, read: ['thoughtSignature'] }
}

function itemText(stored: Fields): Placed | undefined {
  const [id, phase] = [stringAt(stored, 'itemId'), stringAt(stored, 'phase')]
  const annotations = valueAt(stored, 'annotations')
  const item = { ...(id === undefined ? {} : { id }), ...(phase === undefined ? {} : { phase }) }
  const value: JsonObject = {
    ...(Object.keys(item).length === 0 ? {} : { item }),
    ...(Array.isArray(annotations) && annotations.length > 0 ? { annotations: annotations as Json } : {}),
  }
  return Object.keys(value).length === 0
    ? undefined
    : { api: 'openai-responses', value, read: ['itemId', 'phase', 'annotations'] }
}

function itemReasoning(stored: Fields, text: string): Placed | undefined {
  const id = stringAt(stored, 'itemId')
  const encrypted = stringAt(stored, 'reasoningEncryptedContent')
  if (id === undefined && encrypted === undefined) return undefined
  const item = {
    ...(id === undefined ? {} : { id }),
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
  }
  return { api: 'openai-responses', value: { item }, read: ['itemId', 'reasoningEncryptedContent'] }
}

function itemCall(stored: Fields): Placed | undefined {
  const [id, namespace] = [stringAt(stored, 'itemId'), stringAt(stored, 'namespace')]
  const value = { ...(id === undefined ? {} : { id }), ...(namespace === undefined ? {} : { namespace }) }
  return Object.keys(value).length === 0 ? undefined : { api: 'openai-responses', value, read: ['itemId', 'namespace'] }
}

/**
 * The slots that `providerMetadata` or `providerOptions` fill: `{ anthropic: { signature } }` is what the API itself takes
 * back, under other names.
 */
export function slotsOf(kind: Kind, metadata: unknown, text = ''): { readonly extra?: Extra } {
  if (!isObject(metadata)) return {}
  const extra: { [api: string]: Json } = {}
  const rest: [string, Json][] = []
  for (const [provider, stored] of Object.entries(metadata)) {
    if (!isObject(stored)) continue
    const placed = own(MEANINGS, own(SAME, provider) ?? provider)?.[kind]?.(stored, text)
    if (placed !== undefined) extra[placed.api] ??= placed.value
    const left = others(stored, new Set(placed?.read ?? []))
    if (left !== undefined) rest.push([provider, left])
  }
  if (rest.length > 0) extra['ai-sdk'] = { providerMetadata: Object.fromEntries(rest) }
  return Object.keys(extra).length === 0 ? {} : { extra: extra as Extra }
}

/** Reasoning that routers give as a list of details belongs to the message. */
export function detailsOf(metadata: unknown): readonly Json[] {
  const details = valueAt(valueAt(metadata, 'openrouter'), 'reasoning_details')
  return Array.isArray(details) ? (details.filter(isObject) as Json[]) : []
}
