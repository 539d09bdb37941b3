import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { ReasoningPart, TextPart, UserPart } from '../../model/session.ts'
import type { StoredPart } from '../assemble.ts'
import type { Report } from '../report.ts'
import { dataMedia } from './media.ts'
import { slotsOf } from './metadata.ts'

type Said = Extract<UserPart, StoredPart>

const metadataOf = (part: Fields): unknown => part.providerMetadata ?? part.providerOptions

/** Parts that are read alike wherever they stand. */
const SAID: { readonly [type: string]: (part: Fields) => Said | ReasoningPart | undefined } = {
  text(part) {
    const text = stringAt(part, 'text')
    return text === undefined ? undefined : { type: 'text', text, ...slotsOf('text', metadataOf(part)) }
  },
  file: media,
  image: media,
  'reasoning-file': media,
  reasoning,
  'redacted-reasoning': (part) => {
    const data = stringAt(part, 'data')
    return data === undefined
      ? undefined
      : { type: 'reasoning', text: '', redacted: true, ...slotsOf('reasoning', { anthropic: { redactedData: data } }) }
  },
  custom: (part) => compaction(part),
}

function media(part: Fields): Said | undefined {
  const data = part.url ?? part.data ?? part.image
  const found = dataMedia(data, stringAt(part, 'mediaType') ?? stringAt(part, 'mimeType') ?? typed(part), nameOf(part))
  return found === undefined ? undefined : { ...found, ...slotsOf('media', metadataOf(part)) }
}

const typed = (part: Fields): string | undefined => (part.type === 'image' ? 'image/*' : undefined)
const nameOf = (part: Fields): string | undefined => stringAt(part, 'filename') ?? stringAt(part, 'name')

function reasoning(part: Fields): ReasoningPart | undefined {
  const text = stringAt(part, 'text') ?? stringAt(part, 'reasoning')
  if (text === undefined) return undefined
  const slots = slotsOf('reasoning', metadataOf(part) ?? signed(part), text)
  const opaque = text === '' && (valueAt(slots.extra?.anthropic, 'data') !== undefined || isEncrypted(slots.extra))
  return { type: 'reasoning', text, ...(opaque ? { redacted: true } : {}), ...slots }
}

/** Version 4 has the signature of messages for the model on the part. */
const signed = (part: Fields): unknown =>
  typeof part.signature === 'string' ? { anthropic: { signature: part.signature } } : undefined

const isEncrypted = (extra: ReasoningPart['extra']): boolean =>
  valueAt(valueAt(extra?.['openai-responses'], 'item'), 'encrypted_content') !== undefined ||
  valueAt(extra?.bedrock, 'redactedContent') !== undefined

/** Of a compaction nothing but the opaque item is left. */
function compaction(part: Fields): Said | undefined {
  const stored = valueAt(metadataOf(part), 'openai')
  const encrypted = stringAt(stored, 'encryptedContent') ?? stringAt(stored, 'encrypted_content')
  if (part.kind !== 'openai.compaction' || encrypted === undefined) return undefined
  const id = stringAt(stored, 'itemId')
  const value = { type: 'compaction', ...(id === undefined ? {} : { id }), encrypted_content: encrypted }
  return { type: 'native', api: 'openai-responses', value }
}

/** What screens show and models never see. */
const isNote = (type: string): boolean => NOTES.has(type) || type.startsWith('data-') || type.startsWith('source-')
const NOTES = new Set(['source', 'step-start'])

/** A text, reasoning or a file; undefined, and reported, when it is none. */
export function saidPart(part: unknown, report: Report): Said | ReasoningPart | undefined {
  const type = stringAt(part, 'type') ?? ''
  const read = isObject(part) ? own(SAID, type)?.(part) : undefined
  if (read === undefined && (type !== 'step-start' || saysMore(part)))
    report(isNote(type) || type === 'custom' ? 'part-left-out' : 'part-invalid', { before: part })
  return read
}

/** A mark between steps says nothing but that. */
const saysMore = (part: unknown): boolean =>
  isObject(part) && (part.text !== undefined || part.toolCallId !== undefined)

export function userParts(parts: readonly unknown[], report: Report): UserPart[] {
  return parts.flatMap((part) => {
    const read = saidPart(typeof part === 'string' ? { type: 'text', text: part } : part, report)
    if (read?.type !== 'reasoning') return read ?? []
    report('part-invalid', { before: part })
    return []
  })
}

/** The texts of a message that holds no others. */
export function textsOf(parts: readonly UserPart[], report: Report): TextPart[] {
  const texts: TextPart[] = []
  for (const part of parts) {
    if (part.type === 'text') texts.push(part)
    else report('part-invalid', { before: part })
  }
  return texts
}
