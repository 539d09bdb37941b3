import { isObject, type JsonObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { ApiId, Extra, MediaPart, ReasoningPart, TextPart } from '../../model/session.ts'
import { clientCall } from '../anthropic/calls.ts'
import { type Block, mediaPart } from '../anthropic/media.ts'
import type { OpenCall, StoredPart } from '../assemble.ts'
import { reasoningPart as reasoningItem } from '../openai-responses/assistant.ts'
import type { Report } from '../report.ts'
import { slot } from '../slots.ts'
import type { Details } from './details.ts'

/** Who speaks, and what of a message is not in its blocks. */
export interface Voice {
  /** The API of the provider that the message names. */
  readonly api: ApiId | undefined
  readonly report: Report
  readonly details: Details
}

export type OpenPart = TextPart | MediaPart

/** Blocks that stand in any message. */
const OPEN: { readonly [type: string]: (block: Block, api: ApiId | undefined) => OpenPart | undefined } = {
  text: (block, api) => {
    const text = stringAt(block, 'text')
    return text === undefined ? undefined : { type: 'text', text, ...thought(block.signature, api) }
  },
  image: (block) => flatMedia(block, 'image') ?? mediaPart(block),
  document: mediaPart,
  media: (block) => flatMedia(isObject(block.media) ? block.media : block, undefined),
  file: (block) => {
    const text = stringAt(block, 'content')
    const name = stringAt(block, 'path')
    if (text === undefined) return undefined
    return {
      type: 'media',
      kind: 'file',
      mediaType: 'text/plain',
      source: { text },
      ...(name === undefined ? {} : { name }),
    }
  },
}

/** A text, an image or a file; undefined, and reported, when it is none. */
export function openPart(raw: unknown, report: Report, api?: ApiId): OpenPart | undefined {
  const block = typeof raw === 'string' ? { type: 'text', text: raw } : raw
  const part = isObject(block) ? own(OPEN, block.type)?.(block, api) : undefined
  if (part === undefined) report('part-invalid', { before: raw })
  return part
}

const KINDS: { readonly [kind: string]: MediaPart['kind'] } = { image: 'image', audio: 'audio', video: 'video' }

/** The newer store has the data in the block itself. */
function flatMedia(block: Block, kind: MediaPart['kind'] | undefined): MediaPart | undefined {
  const base64 = stringAt(block, 'data')
  if (base64 === undefined) return undefined
  const mediaType = stringAt(block, 'mediaType') ?? stringAt(block, 'mimeType') ?? ''
  return {
    type: 'media',
    kind: kind ?? own(KINDS, mediaType.split('/')[0]) ?? 'file',
    mediaType,
    source: { base64 },
  }
}

type AssistantRead = (block: Block, voice: Voice) => StoredPart | undefined

const ASSISTANT: { readonly [type: string]: AssistantRead } = {
  thinking: (block, { api }): ReasoningPart | undefined => {
    const text = stringAt(block, 'thinking')
    const signature = stringAt(block, 'signature')
    if (text === undefined || (text === '' && !signature)) return undefined
    return { type: 'reasoning', text, ...signed(signature, api) }
  },
  redacted_thinking: (block): ReasoningPart | undefined => {
    const data = stringAt(block, 'data')
    return data === undefined
      ? undefined
      : { type: 'reasoning', text: '', redacted: true, ...slot('anthropic', { data }) }
  },
  reasoning: reasoningBlock,
  tool_use: (block, { api, report }) => withItem(clientCall(block, report), block, api),
}

/** The part that a block of an assistant message holds. */
export function assistantPart(raw: unknown, voice: Voice): StoredPart | undefined {
  const read = isObject(raw) ? own(ASSISTANT, raw.type) : undefined
  if (isObject(raw)) collectDetails(raw, voice.details)
  if (read === undefined || !isObject(raw)) return openPart(raw, voice.report, voice.api)
  const part = read(raw, voice)
  if (part === undefined) voice.report('part-invalid', { before: raw })
  return part
}

/** A reasoning item of the Responses API, or readable reasoning of another server. */
export function reasoningBlock(block: Block): StoredPart | undefined {
  if (stringAt(block, 'encrypted_content') !== undefined) return reasoningItem(reasoningFields(block))
  const text = stringAt(block, 'text')
  return text === undefined
    ? undefined
    : { type: 'reasoning', text, ...signed(stringAt(block, 'signature'), undefined) }
}

/** Without what the store adds to an item. */
function reasoningFields(block: Block): Block {
  const { role: _role, ts: _ts, text: _text, ...item } = block
  return Array.isArray(item.summary) ? item : { ...item, summary: [] }
}

/** In the slot of the API that signed; what no API takes stays in the tool's own. */
function signed(signature: string | undefined, api: ApiId | undefined): { readonly extra?: Extra } {
  if (signature === undefined || signature === '') return {}
  if (api === 'gemini') return slot('gemini', { thoughtSignature: signature })
  if (api === 'bedrock') return slot('bedrock', { signature })
  return slot(api === undefined || api === 'anthropic' ? 'anthropic' : 'cline', { signature })
}

/** Only Gemini signs texts and calls. */
function thought(signature: unknown, api: ApiId | undefined): { readonly extra?: Extra } {
  if (typeof signature !== 'string' || signature === '') return {}
  return slot(api === undefined || api === 'gemini' ? 'gemini' : 'cline', { thoughtSignature: signature })
}

/** Calls of the Responses API stand under the id of their item, beside the id of the call. */
function withItem(call: OpenCall, block: Block, api: ApiId | undefined): OpenCall {
  const sign = thought(block.signature, api).extra
  const item: JsonObject | undefined =
    call.id.startsWith('fc_') && stringAt(block, 'call_id') !== undefined ? { id: call.id } : undefined
  if (sign === undefined && item === undefined) return call
  const items = item === undefined ? {} : { 'openai-responses': item }
  return { ...call, extra: { ...call.extra, ...sign, ...items } }
}

function collectDetails(block: Block, details: Details): void {
  details.add(valueAt(block, 'reasoning_details'))
  details.add(valueAt(block, 'details'))
  // Of an item of the Responses API the summary is its own.
  if (block.type === 'thinking') details.add(valueAt(block, 'summary'))
}
