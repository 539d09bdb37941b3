import { isObject, type JsonObject, stringAt, valueAt } from '../../model/json.ts'
import type { Extra, ReasoningPart } from '../../model/session.ts'
import { slotsOf } from '../ai-sdk/metadata.ts'

type PartKind = 'text' | 'reasoning' | 'call'

/** What the AI SDK kept of a part, in the slots of the APIs; what means nothing to them is in opencode's own. */
export function providerSlots(metadata: unknown, kind: PartKind, text = ''): Extra | undefined {
  const { extra } = slotsOf(kind, withoutNotes(metadata), text)
  if (extra === undefined) return undefined
  const { 'ai-sdk': rest, ...slots } = extra
  const kept = valueAt(rest, 'providerMetadata')
  return kept === undefined ? slots : { ...slots, opencode: { metadata: kept as JsonObject } }
}

/** What stands on the message, and an encrypted content that had not come yet. */
function withoutNotes(metadata: unknown): unknown {
  if (!isObject(metadata) || !Object.hasOwn(metadata, 'openrouter')) return metadata
  const { openrouter: _, ...rest } = metadata
  return rest
}

/** opencode 2 keeps the same without the client's name: what is in it says whose it is. */
export function nativeSlots(native: unknown, kind: PartKind, text = ''): Extra | undefined {
  if (!isObject(native)) return undefined
  const client = CLIENTS.find(([key]) => Object.hasOwn(native, key))?.[1]
  if (client !== undefined) return providerSlots({ [client]: native }, kind, text)
  return Object.keys(native).length === 0 ? undefined : { opencode: { native: native as JsonObject } }
}

const CLIENTS: readonly (readonly [key: string, client: string])[] = [
  ['signature', 'anthropic'],
  ['redactedData', 'anthropic'],
  ['itemId', 'openai'],
  ['reasoningEncryptedContent', 'openai'],
  ['thoughtSignature', 'google'],
]

/** Reasoning with what its provider wants back; without text it is redacted where that is there. */
export function reasoningPart(text: string, extra: Extra | undefined): ReasoningPart {
  const isRedacted = text === '' && isOpaque(extra)
  return {
    type: 'reasoning',
    text,
    ...(isRedacted ? { redacted: true } : {}),
    ...(extra === undefined ? {} : { extra }),
  }
}

function isOpaque(extra: Extra | undefined): boolean {
  return (
    stringAt(extra?.anthropic, 'data') !== undefined ||
    stringAt(extra?.bedrock, 'redactedContent') !== undefined ||
    stringAt(valueAt(extra?.['openai-responses'], 'item'), 'encrypted_content') !== undefined
  )
}
