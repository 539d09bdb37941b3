import { isObject, stringAt, valueAt } from '../../model/json.ts'
import type { Extra, Json, ReasoningPart, TextPart } from '../../model/session.ts'
import type { StoredPart } from '../assemble.ts'

const RESPONSES = 'openai-responses'

/**
 * Adds reasoning to the parts of a message. An item of Responses whose summary has several parts is stored as several
 * reasoning parts with one item id: they are one item again.
 */
export function addReasoning(parts: StoredPart[], text: string, extra: Extra | undefined): void {
  const item = itemOf(extra)
  const last = parts.at(-1)
  if (item === undefined) parts.push(plainReasoning(text, extra))
  else if (last?.type === 'reasoning' && isSameItem(itemOf(last.extra), item)) {
    parts[parts.length - 1] = joined(last, text, item)
  } else parts.push(itemPart(text, summaryOf(text), item, extra))
}

type Item = { readonly [key: string]: unknown }

function itemOf(extra: Extra | undefined): Item | undefined {
  const item = valueAt(extra?.[RESPONSES], 'item')
  return isObject(item) ? item : undefined
}

function isSameItem(one: Item | undefined, other: Item): boolean {
  const id = stringAt(other, 'id')
  return id !== undefined && stringAt(one, 'id') === id
}

/** Without text it is redacted where the provider gave what it wants back. */
function plainReasoning(text: string, extra: Extra | undefined): ReasoningPart {
  const isRedacted = text === '' && (hasData(extra?.anthropic) || hasData(extra?.bedrock))
  return {
    type: 'reasoning',
    text,
    ...(isRedacted ? { redacted: true } : {}),
    ...(extra === undefined ? {} : { extra }),
  }
}

const hasData = (slot: unknown): boolean => stringAt(slot, 'data') !== undefined

const summaryOf = (text: string): readonly Json[] => (text === '' ? [] : [{ type: 'summary_text', text }])

function itemPart(text: string, summary: readonly Json[], item: Item, extra: Extra | undefined): ReasoningPart {
  const isRedacted = text === '' && stringAt(item, 'encrypted_content') !== undefined
  return {
    type: 'reasoning',
    text,
    ...(isRedacted ? { redacted: true } : {}),
    extra: { ...extra, [RESPONSES]: { item: { ...item, summary } as Json } },
  }
}

/** Each part of an item repeats its id; the encrypted content stands on the last one, or on all. */
function joined(first: ReasoningPart, text: string, item: Item): ReasoningPart {
  const before = valueAt(itemOf(first.extra), 'summary')
  const summary = [...(Array.isArray(before) ? (before as Json[]) : []), ...summaryOf(text)]
  const whole = [first.text, text].filter((part) => part !== '').join('\n')
  return itemPart(whole, summary, { ...itemOf(first.extra), ...item }, first.extra)
}

/** A text; further texts of one item of Responses belong together. */
export function itemText(parts: readonly StoredPart[], text: string, extra: Extra | undefined): TextPart {
  const item = itemOf(extra)
  const last = parts.at(-1)
  if (item === undefined || extra === undefined)
    return { type: 'text', text, ...(extra === undefined ? {} : { extra }) }
  const isFurther = last?.type === 'text' && isSameItem(firstItem(parts), item)
  return { type: 'text', text, extra: isFurther ? { ...extra, [RESPONSES]: { joined: true } } : extra }
}

/** The item of the texts at the end: the first of them names it. */
function firstItem(parts: readonly StoredPart[]): Item | undefined {
  const first = parts.findLast((part) => part.type !== 'text' || itemOf(part.extra) !== undefined)
  return first?.type === 'text' ? itemOf(first.extra) : undefined
}
