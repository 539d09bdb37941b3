import type { FormatId } from '../../../src/model/session.ts'
import { CONVERSATIONS } from '../conversations.ts'
import type { Line } from '../hostile.ts'
import { RICH_LINES } from './rich-lines.ts'
import { RICH_VALUES } from './rich-values.ts'

export interface Stored {
  readonly format: FormatId
  readonly name: string
  readonly value: readonly Line[] | Line
  readonly isLines: boolean
}

/** The small conversation of each format, with a token in each of its texts, its arguments too. */
function tokened(value: unknown): Line {
  let text = JSON.stringify(value)
  for (const [index, word] of ['ask', 'look', 'out', 'done', 'more'].entries())
    text = text.replaceAll(`token-${word}`, `t-${index};`)
  return JSON.parse(text.replaceAll('"at":1', '"at":"t-5;"').replaceAll('\\"at\\":1', '\\"at\\":\\"t-5;\\"'))
}

const SMALL: readonly Stored[] = CONVERSATIONS.map(([format, value]) => ({
  format,
  name: 'small',
  value: tokened(value),
  isLines: Array.isArray(value),
}))

const RICH: readonly Stored[] = [...RICH_LINES, ...RICH_VALUES].map(([format, name, value]) => ({
  format,
  name,
  value,
  isLines: Array.isArray(value),
}))

export const SESSIONS: readonly Stored[] = [...SMALL, ...RICH]
