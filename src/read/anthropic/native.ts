import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Json, NativePart } from '../../model/session.ts'
import type { Block } from './media.ts'

/** What other APIs may be told of a block that only this one knows. */
const TEXTS: { readonly [type: string]: (block: Block) => string | undefined } = {
  search_result: (block) =>
    lines([stringAt(block, 'title'), stringAt(block, 'source'), ...texts(valueAt(block, 'content'))]),
  document: (block) => {
    const content = valueAt(valueAt(block, 'source'), 'content')
    return lines([stringAt(block, 'title'), ...(typeof content === 'string' ? [content] : texts(content))])
  },
  compaction: (block) => stringAt(block, 'content'),
  tool_reference: (block) => stringAt(block, 'tool_name'),
  browser_state: (block) => lines(tabs(valueAt(block, 'tabs'))),
}

export function nativePart(block: Block): NativePart {
  const text = own(TEXTS, block.type)?.(block) ?? stringAt(block, 'text')
  return {
    type: 'native',
    api: 'anthropic',
    value: block as Json,
    ...(text === undefined || text === '' ? {} : { text }),
  }
}

/** The texts of the text blocks of a list. */
export function texts(list: unknown): string[] {
  if (!Array.isArray(list)) return []
  return list.map((item) => stringAt(item, 'text')).filter((text) => text !== undefined)
}

export function lines(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n')
}

function tabs(list: unknown): string[] {
  if (!Array.isArray(list)) return []
  return list.filter(isObject).map((tab) => lines([stringAt(tab, 'title'), stringAt(tab, 'url')]))
}
