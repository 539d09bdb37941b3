import { type Fields, isObject, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { MediaPart, OutputPart, TextPart, ToolOutput } from '../../model/session.ts'
import type { StoredPart } from '../assemble.ts'
import { bounded } from '../bounded.ts'
import type { Report } from '../report.ts'

type Open = TextPart | MediaPart
type Reads<P> = { readonly [kind: string]: (block: Fields, report: Report) => P | undefined }

/** Blocks of users and of results. */
export const OPEN: Reads<Open> = {
  text(block) {
    const text = stringAt(block, 'text')
    return text === undefined ? undefined : { type: 'text', text }
  },
  image(block) {
    const data = stringAt(block, 'data')
    if (data === undefined) return undefined
    return { type: 'media', kind: 'image', mediaType: stringAt(block, 'media_type') ?? '', source: { base64: data } }
  },
}

/** No signature of reasoning is stored. Arguments that came broken are stored as a text, which they stay. */
export const ASSISTANT: Reads<StoredPart> = {
  ...OPEN,
  thinking(block) {
    const text = stringAt(block, 'text')
    if (text === undefined) return undefined
    return block.redacted === true ? { type: 'reasoning', text: '', redacted: true } : { type: 'reasoning', text }
  },
  tool_call(block, report) {
    const name = stringAt(block, 'name')
    const { arguments: args } = block
    if (name === undefined) return undefined
    return {
      type: 'tool-call',
      id: stringAt(block, 'id') ?? '',
      name,
      args: args === undefined || args === null ? {} : bounded(args, report),
    }
  },
}

/** Undefined when the content is no list and no text. */
export function partsOf<P>(content: unknown, reads: Reads<P>, report: Report): readonly P[] | undefined {
  const blocks: unknown = typeof content === 'string' ? [content] : content
  if (!Array.isArray(blocks)) return undefined
  return blocks.flatMap((block: unknown) => {
    const part = partOf(block, reads, report)
    if (part === undefined) report('part-invalid', { before: block })
    return part === undefined ? [] : [part]
  })
}

function partOf<P>(stored: unknown, reads: Reads<P>, report: Report): P | undefined {
  const block = typeof stored === 'string' ? { kind: 'text', text: stored } : stored
  return isObject(block) ? own(reads, block.kind)?.(block, report) : undefined
}

/** What a tool gave: nothing of it is left out. */
export function outputOf(content: unknown, report: Report): ToolOutput {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
  return blocks.map((block): OutputPart => {
    return partOf(block, OPEN, report) ?? { type: 'json', value: bounded(block, report) }
  })
}
