import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type {
  ApiId,
  Extra,
  Json,
  MediaPart,
  NativePart,
  OutputPart,
  TextPart,
  ToolOutput,
} from '../../model/session.ts'
import type { Report } from '../report.ts'
import { picked, slot } from '../slots.ts'
import { MEDIA } from './media.ts'

export type OpenPart = TextPart | MediaPart | NativePart

/** What of a text block its API takes back. */
const TEXT_SLOTS: { readonly [api in ApiId]?: (block: Fields) => Extra | undefined } = {
  anthropic: (block) => slot('anthropic', picked(block, ['citations', 'cache_control'])).extra,
  'openai-responses': (block) => {
    const id = stringAt(block, 'id')
    const phase = stringAt(block, 'phase')
    const item = { ...(id?.startsWith('msg_') === true ? { id } : {}), ...(phase === undefined ? {} : { phase }) }
    const annotations = valueAt(block, 'annotations')
    const kept = {
      ...(Object.keys(item).length === 0 ? {} : { item }),
      ...(Array.isArray(annotations) && annotations.length > 0 ? { annotations: annotations as Json } : {}),
    }
    return Object.keys(kept).length === 0 ? undefined : slot('openai-responses', kept).extra
  },
  gemini: (block) => {
    const signature = stringAt(valueAt(block, 'extras'), 'signature') ?? stringAt(block, 'thought_signature')
    return signature === undefined ? undefined : { gemini: { thoughtSignature: signature } }
  },
}

export function textPart(block: Fields, api: ApiId | undefined): TextPart | undefined {
  const text = stringAt(block, 'text')
  if (text === undefined) return undefined
  // Cache markers are set on prompts, whose API is not stored.
  const extra = TEXT_SLOTS[api ?? 'anthropic']?.(block)
  return { type: 'text', text, ...(extra === undefined ? {} : { extra }) }
}

/** A text or media; undefined where it is none. A block of unknown type is its API's own. */
export function openPart(raw: unknown, api?: ApiId): OpenPart | undefined {
  if (typeof raw === 'string') return { type: 'text', text: raw }
  if (!isObject(raw)) return undefined
  const type = stringAt(raw, 'type') ?? (stringAt(raw, 'text') === undefined ? undefined : 'text')
  if (type === 'text' || type === 'input_text' || type === 'output_text') return textPart(raw, api)
  if (type === 'non_standard') return openPart(raw.value, api)
  const read = own(MEDIA, type)
  if (read !== undefined) return read(raw)
  return type === undefined || api === undefined ? undefined : nativePart(raw, api)
}

export function nativePart(block: Fields, api: ApiId): NativePart {
  const text = stringAt(block, 'refusal') ?? stringAt(block, 'text')
  return { type: 'native', api, value: block as Json, ...(text === undefined || text === '' ? {} : { text }) }
}

/** The blocks of a content, which may be one text, or null. */
export function blocksOf(content: unknown): readonly unknown[] {
  if (content === undefined || content === null || content === '') return []
  return Array.isArray(content) ? content : [content]
}

/** Blocks of prompts that the library's converters know; others are reported. */
export function openParts(content: unknown, report: Report): OpenPart[] {
  return blocksOf(content).flatMap((block) => {
    const part = openPart(block) ?? (isAnthropic(block) ? nativePart(block, 'anthropic') : undefined)
    if (part === undefined) report('part-invalid', { before: block })
    return part ?? []
  })
}

const isAnthropic = (block: unknown): block is Fields =>
  isObject(block) && (block.type === 'search_result' || block.type === 'container_upload')

/** A string stays a string and a list a list; other values are kept as JSON. */
export function outputOf(content: unknown): ToolOutput {
  if (typeof content === 'string') return content
  if (content === undefined || content === null) return ''
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
  return blocks.map((block): OutputPart => openPart(block) ?? { type: 'json', value: block as Json })
}
