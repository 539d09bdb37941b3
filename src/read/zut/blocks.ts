import { type Fields, isObject, type JsonObject, stringAt } from '../../model/json.ts'
import type { ApiId, Extra, MediaPart, ReasoningPart, TextPart } from '../../model/session.ts'
import type { OpenCall } from '../assemble.ts'
import { bounded } from '../bounded.ts'
import type { Report } from '../report.ts'
import { slot } from '../slots.ts'

/** Blocks have no type: what they are follows from the fields they have, asked in this order. */
export type BlockKind = 'reasoning' | 'call' | 'result' | 'image' | 'text'

const KINDS: readonly { readonly kind: BlockKind; readonly fits: (block: Fields) => boolean }[] = [
  {
    kind: 'reasoning',
    fits: (block) => has(block, 'reasoning_id') || has(block, 'summary') || has(block, 'encrypted_content'),
  },
  { kind: 'call', fits: (block) => has(block, 'name') || has(block, 'id') || Object.hasOwn(block, 'arguments') },
  { kind: 'result', fits: (block) => has(block, 'call_id') },
  { kind: 'image', fits: (block) => has(block, 'mime_type') },
  { kind: 'text', fits: (block) => Object.hasOwn(block, 'text') },
]

/** A field with its zero value counts as absent. */
const has = (block: Fields, key: string): boolean => Boolean(stringAt(block, key))

export function kindOf(block: unknown): BlockKind | undefined {
  return isObject(block) ? KINDS.find(({ fits }) => fits(block))?.kind : undefined
}

type Made<P> = (block: Fields, report: Report) => P | undefined

export const textPart: Made<TextPart> = (block) => {
  const text = stringAt(block, 'text')
  return text === undefined ? undefined : { type: 'text', text, ...thought(block) }
}

export const imagePart: Made<MediaPart> = (block) => {
  const data = stringAt(block, 'data')
  if (data === undefined) return undefined
  const mediaType = stringAt(block, 'mime_type') ?? ''
  return { type: 'media', kind: 'image', mediaType, source: { base64: data }, ...thought(block) }
}

/** Only the Responses API gives such items; the text is the summary. */
export const reasoningPart: Made<ReasoningPart> = (block, report) => {
  if (block.summary !== undefined && typeof block.summary !== 'string') report('part-invalid', { before: block })
  const text = stringAt(block, 'summary') ?? ''
  const [id, encrypted] = [stringAt(block, 'reasoning_id'), stringAt(block, 'encrypted_content')]
  const item: JsonObject = {
    ...(id === undefined ? {} : { id }),
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
  }
  return { type: 'reasoning', text, ...(text === '' ? { redacted: true } : {}), ...slot('openai-responses', { item }) }
}

/** A call without an id is paired by its name. */
export const callPart: Made<OpenCall> = (block, report) => {
  const name = stringAt(block, 'name')
  if (name === undefined || name === '') return undefined
  const { arguments: args } = block
  return {
    type: 'tool-call',
    id: stringAt(block, 'id') ?? '',
    name,
    args: args === undefined || args === null ? {} : bounded(args, report),
    ...thought(block),
  }
}

function thought(block: Fields): { readonly extra?: Extra } {
  const thoughtSignature = stringAt(block, 'thought_signature')
  return thoughtSignature ? slot('gemini', { thoughtSignature }) : {}
}

/** The API that an answer came from, as far as its blocks and the name of the provider tell. */
export function apiOf(blocks: readonly unknown[], provider: string | undefined): ApiId | undefined {
  if (blocks.some((block) => kindOf(block) === 'reasoning')) return 'openai-responses'
  return provider === 'anthropic' ? 'anthropic' : undefined
}
