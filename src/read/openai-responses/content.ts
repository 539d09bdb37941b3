import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Json, MediaPart, NativePart, OutputPart, TextPart, ToolOutput } from '../../model/session.ts'
import type { Report } from '../report.ts'
import { picked, slot } from '../slots.ts'
import { filePart, type Item, imagePart } from './media.ts'

export type ContentPart = TextPart | MediaPart | NativePart

const PARTS: { readonly [type: string]: (part: Item) => ContentPart | undefined } = {
  input_text: textPart,
  output_text: textPart,
  text: textPart,
  input_image: imagePart,
  input_file: filePart,
}

/** The parts of a user or instruction message: a string is one text, null none. */
export function contentParts(content: unknown, report: Report): ContentPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (content === undefined || content === null) return []
  const parts: ContentPart[] = []
  for (const item of Array.isArray(content) ? content : [content]) {
    const part = contentPart(item)
    if (part === undefined) report('part-invalid', { before: item })
    else parts.push(part)
  }
  return parts
}

/** The texts of a message that holds no others. */
export function textParts(content: unknown, report: Report): TextPart[] {
  const parts: TextPart[] = []
  for (const part of contentParts(content, report)) {
    if (part.type === 'text') parts.push(part)
    else report('part-invalid', { before: part })
  }
  return parts
}

/** The `output` of an output item: a string stays a string and a list a list, null is ''. */
export function toolOutput(output: unknown): ToolOutput {
  if (typeof output === 'string') return output
  if (output === undefined || output === null) return ''
  const items = Array.isArray(output) ? output : [output]
  return items.map((item): OutputPart => contentPart(item) ?? { type: 'json', value: item as Json })
}

export function contentPart(item: unknown): ContentPart | undefined {
  if (typeof item === 'string') return { type: 'text', text: item }
  if (!isObject(item)) return undefined
  const type = stringAt(item, 'type')
  const read = own(PARTS, type)
  if (read === textPart || type === undefined) return textPart(item)
  return read?.(item) ?? nativePart(item)
}

export function nativePart(value: Item): NativePart {
  const text = stringAt(value, 'refusal')
  return { type: 'native', api: 'openai-responses', value: value as Json, ...(text === undefined ? {} : { text }) }
}

function textPart(part: Item): TextPart | undefined {
  const text = stringAt(part, 'text')
  if (text === undefined) return undefined
  return { type: 'text', text, ...slot('openai-responses', picked(part, ['prompt_cache_breakpoint'])) }
}

/** Texts of a list of objects that have one. */
export function textsOf(list: unknown): string[] {
  if (!Array.isArray(list)) return []
  return list.map((item) => stringAt(item, 'text')).filter((text) => text !== undefined)
}

export function lines(texts: readonly unknown[]): string {
  return texts.filter((text) => typeof text === 'string' && text !== '').join('\n')
}

/** '' where none is stored; a number is taken for its text. */
export function idAt(item: unknown, key: string): string {
  const id = valueAt(item, key)
  return typeof id === 'number' ? String(id) : typeof id === 'string' ? id : ''
}
