import { type Fields, isObject, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { MediaPart, TextPart, ToolOutput } from '../../model/session.ts'
import { bounded } from '../bounded.ts'
import type { Report } from '../report.ts'

type Open = TextPart | MediaPart
type Read = (block: Fields) => Open | undefined

/** Blocks that users, extensions and tools may give. */
export const OPEN_BLOCKS: { readonly [type: string]: Read } = {
  text(block) {
    const text = stringAt(block, 'text')
    return text === undefined ? undefined : { type: 'text', text }
  },
  image(block) {
    const data = stringAt(block, 'data')
    if (data === undefined) return undefined
    // A fork of pi stores the bytes elsewhere, and a reference of this form in their place.
    const source = data.startsWith('blob:') ? { url: data } : { base64: data }
    return { type: 'media', kind: 'image', mediaType: stringAt(block, 'mimeType') ?? '', source }
  },
}

/** The blocks of a content, which may be a plain text; undefined when it is neither. */
export function blocksOf(content: unknown): readonly unknown[] | undefined {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (content === null) return []
  return Array.isArray(content) ? content : undefined
}

export function openParts(blocks: readonly unknown[], report: Report): readonly Open[] {
  return blocks.flatMap((block) => {
    const part = openPart(block)
    if (part === undefined) report('part-invalid', { before: block })
    return part === undefined ? [] : [part]
  })
}

function openPart(block: unknown): Open | undefined {
  if (typeof block === 'string') return { type: 'text', text: block }
  return isObject(block) ? own(OPEN_BLOCKS, block.type)?.(block) : undefined
}

/** What a tool gave: a text stays a text, a list a list, and nothing of it is left out. */
export function outputOf(content: unknown, report: Report): ToolOutput {
  if (typeof content === 'string') return content
  if (content === undefined || content === null) return ''
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
  return blocks.map((block) => openPart(block) ?? { type: 'json', value: bounded(block, report) })
}
