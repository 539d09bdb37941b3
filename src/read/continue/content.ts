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
export function contextParts(items: unknown, report: Report): TextPart[] {
  return contentsOf(items, report).flatMap((content): TextPart[] =>
    content.trim() === '' ? [] : [{ type: 'text', text: `${content}\n` }],
  )
}

/** The contents of what a tool gave; undefined when it gave nothing. */
export function outputText(items: unknown, report: Report): string | undefined {
  if (typeof items === 'string') return items
  const texts = contentsOf(items, report)
  return texts.length === 0 ? undefined : texts.join('\n\n')
}

function contentsOf(items: unknown, report: Report): readonly string[] {
  if (items === undefined || items === null) return []
  const contents: string[] = []
  for (const item of Array.isArray(items) ? (items as readonly unknown[]) : [items]) {
    const content = stringAt(item, 'content')
    if (content === undefined) report('part-invalid', { before: item })
    else contents.push(content)
  }
  return contents
}
