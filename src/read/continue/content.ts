import { type Fields, isObject, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { MediaPart, TextPart } from '../../model/session.ts'
import { fromDataUrl } from '../data-url.ts'
import type { Report } from '../report.ts'

type OpenPart = TextPart | MediaPart

const PARTS: { readonly [type: string]: (part: Fields) => OpenPart | undefined } = {
  text: (part) => {
    const text = stringAt(part, 'text')
    return text === undefined ? undefined : { type: 'text', text }
  },
  imageUrl: (part) => {
    const url = stringAt(part.imageUrl, 'url') ?? stringAt(part, 'imageUrl')
    if (url === undefined) return undefined
    const data = fromDataUrl(url)
    return {
      type: 'media',
      kind: 'image',
      mediaType: data?.mediaType ?? '',
      source: data === undefined ? { url } : { base64: data.base64 },
    }
  },
}

/** A content is one text or a list of texts and images. */
export function partsOf(content: unknown, report: Report): OpenPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (content === undefined || content === null) return []
  const parts: OpenPart[] = []
  for (const item of Array.isArray(content) ? content : [content]) {
    const part = isObject(item) ? own(PARTS, item.type)?.(item) : undefined
    if (part === undefined) report('part-invalid', { before: item })
    else parts.push(part)
  }
  return parts
}

/** What a user attached, each as the tool puts it before the prompt. */
export function contextParts(items: unknown): TextPart[] {
  if (!Array.isArray(items)) return []
  return items.flatMap((item): TextPart[] => {
    const content = stringAt(item, 'content')
    return content === undefined || content.trim() === '' ? [] : [{ type: 'text', text: `${content}\n` }]
  })
}

/** The contents of what a tool gave; undefined when it gave nothing. */
export function outputText(items: unknown): string | undefined {
  if (!Array.isArray(items)) return typeof items === 'string' ? items : undefined
  const texts = items.map((item) => stringAt(item, 'content')).filter((text) => text !== undefined)
  return texts.length === 0 ? undefined : texts.join('\n\n')
}
