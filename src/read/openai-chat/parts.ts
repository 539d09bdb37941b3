import { type Fields, isObject, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Json, MediaPart, NativePart, OutputPart, TextPart, ToolOutput } from '../../model/session.ts'
import type { Report } from '../report.ts'
import { picked, slot } from '../slots.ts'
import { audioPart, filePart, imagePart } from './media.ts'

export type ContentPart = TextPart | MediaPart | NativePart

const PARTS: { readonly [type: string]: (part: Fields) => ContentPart | undefined } = {
  text: textPart,
  image_url: imagePart,
  input_audio: audioPart,
  file: filePart,
}

export function textPart(part: Fields): TextPart | undefined {
  const text = stringAt(part, 'text')
  if (text === undefined) return undefined
  return { type: 'text', text, ...slot('openai-chat', picked(part, ['prompt_cache_breakpoint'])) }
}

/** Reads contents of one server: parts that only it knows stay with it. */
export class Contents {
  readonly #dialect: string | undefined

  constructor(dialect: string | undefined) {
    this.#dialect = dialect
  }

  /** A string is one text, null none, and a part that is not in a list counts as one. */
  parts(content: unknown, report: Report): ContentPart[] {
    if (typeof content === 'string') return [{ type: 'text', text: content }]
    if (content === undefined || content === null) return []
    const parts: ContentPart[] = []
    for (const item of Array.isArray(content) ? content : [content]) {
      const part = this.#part(item)
      if (part === undefined) report('part-invalid', { before: item })
      else parts.push(part)
    }
    return parts
  }

  /** The texts of a message that holds no others. */
  texts(content: unknown, report: Report): TextPart[] {
    const parts: TextPart[] = []
    for (const part of this.parts(content, report)) {
      if (part.type === 'text') parts.push(part)
      else report('part-invalid', { before: part })
    }
    return parts
  }

  /** The content of a tool message: a string stays a string and a list a list, null is ''. */
  output(content: unknown): ToolOutput {
    if (typeof content === 'string') return content
    if (content === undefined || content === null) return ''
    const items = Array.isArray(content) ? content : [content]
    return items.map((item): OutputPart => this.#part(item) ?? { type: 'json', value: item as Json })
  }

  #part(item: unknown): ContentPart | undefined {
    if (typeof item === 'string') return { type: 'text', text: item }
    if (!isObject(item)) return undefined
    const type = stringAt(item, 'type')
    if (type === undefined) return textPart(item)
    if (type === 'text') return textPart(item)
    return own(PARTS, type)?.(item) ?? this.#native(item)
  }

  #native(part: Fields): NativePart {
    const text = stringAt(part, 'refusal') ?? stringAt(part, 'text')
    return {
      type: 'native',
      api: 'openai-chat',
      ...(this.#dialect === undefined ? {} : { dialect: this.#dialect }),
      value: part as Json,
      ...(text === undefined ? {} : { text }),
    }
  }
}
