import { isObject, valueAt } from '../../model/json.ts'
import { append, type Draft, present } from './stream.ts'

/** A text, or the parts of servers that list them. */
export type Content = string | readonly Draft[]

/** The content with a delta's added to it. */
export function addContent(content: Content | undefined, added: unknown): Content | undefined {
  if (typeof added === 'string') {
    return typeof content === 'string' || content === undefined ? (content ?? '') + added : withText(content, added)
  }
  if (!Array.isArray(added)) return content
  const listed: readonly Draft[] = typeof content === 'string' ? withText([], content) : (content ?? [])
  return added.filter(isObject).reduce<readonly Draft[]>(withPart, listed)
}

const withText = (content: readonly Draft[], text: string): readonly Draft[] =>
  text === '' ? content : withPart(content, { type: 'text', text })

/** Lists of parts within parts, such as the texts of Mistral's thinking. */
const NESTED = 'thinking'

/** Adjacent pieces of a text are one part, and so are those of thinking. */
function withPart(content: readonly Draft[], part: Draft): readonly Draft[] {
  const last = content.at(-1)
  const merged = last === undefined || last.type !== part.type ? undefined : mergedPart(last, part)
  return merged === undefined ? [...content, { ...part }] : [...content.slice(0, -1), merged]
}

function mergedPart(last: Draft, part: Draft): Draft | undefined {
  if (part.type === 'text') return { ...last, ...part, text: textOf(last.text) + textOf(part.text) }
  if (part.type !== NESTED) return undefined
  const before = listOf(last[NESTED])
  const after = listOf(part[NESTED])
  return { ...last, ...part, [NESTED]: after.reduce<readonly Draft[]>(withPart, before) }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): readonly Draft[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The role comes with an empty text also where the plain answer has none: beside anything else it says nothing. */
export function saidContent(content: Content | undefined, besides: boolean): Content | null {
  return content === undefined || (content === '' && besides) ? null : content
}

/** Texts of reasoning details that come in pieces. */
const DETAIL_TEXTS = ['text', 'summary', 'data']

/**
 * Adds the reasoning details of a delta: adjacent ones of a type and index are pieces of one.
 * @see https://openrouter.ai/docs/guides/best-practices/reasoning-tokens
 */
export function addDetails(details: Draft[], added: unknown): void {
  if (!Array.isArray(added)) return
  for (const piece of added.filter(isObject)) {
    const last = details.at(-1)
    if (last === undefined || !belong(last, piece)) {
      details.push({ ...piece })
      continue
    }
    const fields = present(piece)
    for (const key of DETAIL_TEXTS) {
      append(last, key, fields[key])
      delete fields[key]
    }
    details[details.length - 1] = { ...last, ...fields }
  }
}

function belong(last: Draft, piece: { readonly [key: string]: unknown }): boolean {
  return last.type === valueAt(piece, 'type') && (last.index ?? 0) === (valueAt(piece, 'index') ?? 0)
}
