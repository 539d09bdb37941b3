import { type Fields, isObject, type JsonObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { ApiId, Json, MediaPart, ReasoningPart, TextPart } from '../../model/session.ts'
import { idAt } from '../anthropic/calls.ts'
import type { OpenCall, StoredPart } from '../assemble.ts'
import { bounded } from '../bounded.ts'
import { reasoningPart as reasoningItem } from '../openai-responses/assistant.ts'
import type { Report } from '../report.ts'
import { slot } from '../slots.ts'
import { listAt } from './agent.ts'

type OpenPart = TextPart | MediaPart

/** Blocks of any message. */
const OPEN: { readonly [type: string]: (block: Fields, api: ApiId | undefined) => OpenPart | undefined } = {
  text: (block, api) => {
    const text = stringAt(block, 'text')
    const signature = api === 'gemini' ? stringAt(block, 'signature') : undefined
    if (text === undefined) return undefined
    return {
      type: 'text',
      text,
      ...slot('gemini', signature === undefined ? undefined : { thoughtSignature: signature }),
    }
  },
  image: (block) => {
    const source = valueAt(block, 'source')
    const [base64, url] = [stringAt(source, 'data'), stringAt(source, 'url')]
    const mediaType = stringAt(source, 'media_type') ?? ''
    if (base64 !== undefined) return { type: 'media', kind: 'image', mediaType, source: { base64 } }
    return url === undefined ? undefined : { type: 'media', kind: 'image', mediaType, source: { url } }
  },
}

/** Blocks of answers. */
const ANSWER: {
  readonly [type: string]: (block: Fields, api: ApiId | undefined, report: Report) => StoredPart | undefined
} = {
  reasoning: (block, api): ReasoningPart | undefined => {
    const text = stringAt(block, 'reasoning')
    const signature = stringAt(block, 'signature')
    if (text === undefined) return undefined
    return { type: 'reasoning', text, ...signed(signature, api) }
  },
  redacted_reasoning: (block): ReasoningPart | undefined => {
    const data = stringAt(block, 'data')
    return data === undefined
      ? undefined
      : { type: 'reasoning', text: '', redacted: true, ...slot('anthropic', { data }) }
  },
  omitted_reasoning: (block, api): ReasoningPart => ({
    type: 'reasoning',
    text: '',
    redacted: true,
    ...signed(stringAt(block, 'signature'), api),
  }),
  summarized_reasoning: (block) => reasoningItem(itemOf(block)),
  tool_call: (block, _api, report): OpenCall => {
    const input = valueAt(block, 'input')
    const args = input === undefined || input === null ? {} : bounded(input, report)
    return { type: 'tool-call', id: idAt(block, 'id'), name: stringAt(block, 'name') ?? '', args }
  },
}

function signed(signature: string | undefined, api: ApiId | undefined) {
  if (signature === undefined || signature === '') return {}
  return api === 'gemini' ? slot('gemini', { thoughtSignature: signature }) : slot('anthropic', { signature })
}

/** A reasoning item of the Responses API, whose summary is kept in numbered pieces. */
function itemOf(block: Fields): JsonObject {
  const id = stringAt(block, 'id')
  const encrypted = stringAt(block, 'encrypted_content')
  const summary = listAt(block, 'summary').flatMap((piece): Json[] => {
    const text = stringAt(piece, 'text')
    return text === undefined ? [] : [{ type: 'summary_text', text }]
  })
  return {
    ...(id === undefined ? {} : { id }),
    summary,
    ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
  }
}

/** A content is a text, a list of texts, or a list of blocks; the oldest files have a `text` beside. */
function blocksOf(message: Fields): readonly unknown[] {
  const content = valueAt(message, 'content') ?? valueAt(message, 'text')
  if (content === undefined || content === null || content === '') return []
  return Array.isArray(content) ? content : [content]
}

/** A result as a block; what it tells belongs to a call. */
export const isReturn = (block: Fields): boolean => block.type === 'tool_return'

/** The blocks that are content of their message. */
const saidIn = (message: Fields): readonly unknown[] =>
  blocksOf(message).filter((block) => !isObject(block) || !isReturn(block))

export function openParts(message: Fields, report: Report): OpenPart[] {
  return saidIn(message).flatMap((raw) => {
    const block = typeof raw === 'string' ? { type: 'text', text: raw } : raw
    const part = isObject(block) ? own(OPEN, block.type)?.(block, undefined) : undefined
    if (part === undefined) report('part-invalid', { before: raw })
    return part ?? []
  })
}

export function answerParts(message: Fields, api: ApiId | undefined, report: Report): StoredPart[] {
  return saidIn(message).flatMap((raw) => {
    const block = typeof raw === 'string' ? { type: 'text', text: raw } : raw
    const read = isObject(block) ? (own(ANSWER, block.type) ?? own(OPEN, block.type)) : undefined
    const part = read === undefined || !isObject(block) ? undefined : read(block, api, report)
    if (part === undefined) report('part-invalid', { before: raw })
    return part ?? []
  })
}

/** What a message says, for messages that hold nothing but texts. */
export function textIn(message: Fields, report: Report): string {
  const texts: string[] = []
  for (const block of blocksOf(message)) {
    const text = typeof block === 'string' ? block : stringAt(block, 'text')
    if (text === undefined) report('part-invalid', { before: block })
    else texts.push(text)
  }
  return texts.join('\n')
}
