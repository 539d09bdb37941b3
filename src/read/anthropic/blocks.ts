import { isObject, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { MediaPart, NativePart, ReasoningPart, TextPart } from '../../model/session.ts'
import type { StoredPart } from '../assemble.ts'
import type { Report } from '../report.ts'
import { picked, slot } from '../slots.ts'
import { clientCall } from './calls.ts'
import { type Block, hasMediaSource, mediaPart } from './media.ts'
import { nativePart } from './native.ts'
import { textPart } from './output.ts'
import { isProviderResult, isProviderUse, type ProviderCalls } from './provider.ts'

/** The blocks of a content: a string is one text block, null none. */
export function blocksOf(content: unknown, report: Report): readonly Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (content === undefined || content === null) return []
  const blocks: Block[] = []
  for (const item of Array.isArray(content) ? content : [content]) {
    const block = blockOf(item)
    if (block === undefined) report('part-invalid', { before: item })
    else blocks.push(block)
  }
  return blocks
}

/** Strings and objects without a type that have a text are taken for text blocks. */
function blockOf(item: unknown): Block | undefined {
  if (typeof item === 'string') return { type: 'text', text: item }
  if (!isObject(item)) return undefined
  if (stringAt(item, 'type') !== undefined) return item
  return stringAt(item, 'text') === undefined ? undefined : { ...item, type: 'text' }
}

/** In whose message a block belongs. */
export type Side = 'assistant' | 'result' | 'any'

const SIDES: { readonly [type: string]: Side } = {
  tool_result: 'result',
  tool_use: 'assistant',
  thinking: 'assistant',
  redacted_thinking: 'assistant',
}

export function sideOf(block: Block): Side {
  const type = stringAt(block, 'type') ?? ''
  return own(SIDES, type) ?? (isProviderUse(type) || isProviderResult(type) ? 'assistant' : 'any')
}

type OpenPart = TextPart | MediaPart | NativePart

const OPEN: { readonly [type: string]: (block: Block) => OpenPart | undefined } = {
  text: textPart,
  image: media,
  document: media,
}

/** A block that stands in any message. */
export function openPart(block: Block, report: Report): OpenPart | undefined {
  const read = own(OPEN, block.type) ?? nativePart
  const part = read(block)
  if (part === undefined) report('part-invalid', { before: block })
  return part
}

function media(block: Block): MediaPart | NativePart | undefined {
  const source = stringAt(isObject(block.source) ? block.source : undefined, 'type')
  return source === undefined || hasMediaSource(block) ? mediaPart(block) : nativePart(block)
}

/** Blocks that only assistant messages hold. */
const ASSISTANT: { readonly [type: string]: (block: Block, report: Report) => StoredPart } = {
  thinking(block, report): ReasoningPart {
    const text = stringAt(block, 'thinking')
    if (text === undefined) report('part-invalid', { message: NO_THOUGHT, before: block })
    return { type: 'reasoning', text: text ?? '', ...slot('anthropic', picked(block, ['signature'])) }
  },
  redacted_thinking: (block): ReasoningPart => ({
    type: 'reasoning',
    text: '',
    redacted: true,
    ...slot('anthropic', picked(block, ['data'])),
  }),
  tool_use: clientCall,
}

const NO_THOUGHT = 'A thinking block is stored without its text.'

/** Adds a block to the parts of an assistant message. */
export function addAssistantBlock(block: Block, parts: StoredPart[], calls: ProviderCalls, report: Report): void {
  const type = stringAt(block, 'type') ?? ''
  const read = own(ASSISTANT, type) ?? (sideOf(block) === 'any' ? openPart : undefined)
  if (read === undefined) {
    if (isProviderUse(type)) calls.use(block, parts, report)
    else calls.result(block, parts, report)
    return
  }
  const part = read(block, report)
  if (part !== undefined) parts.push(part)
}
