import { isObject, type JsonObject, stringAt, valueAt } from '../model/json.ts'
import type { ReasoningPart } from '../model/session.ts'
import type { StoredPart } from './assemble.ts'

/**
 * One item of the Responses API is stored as several parts: of reasoning one for each piece of its summary, of a message one for
 * each of its texts. Puts them together again.
 */
export function pushPart(parts: StoredPart[], part: StoredPart): void {
  const last = parts.at(-1)
  const id = itemId(part)
  if (id === undefined || last === undefined || openId(parts) !== id) parts.push(part)
  else if (part.type === 'reasoning' && last.type === 'reasoning') parts[parts.length - 1] = joined(last, part)
  else if (part.type === 'text' && last.type === 'text') parts.push(further(part))
  else parts.push(part)
}

const itemOf = (part: StoredPart): unknown => valueAt(part.extra?.['openai-responses'], 'item')
const itemId = (part: StoredPart): string | undefined => stringAt(itemOf(part), 'id')

/** No answer has so many texts in one item; looking back further would cost the square of their number. */
const MOST_PIECES = 64

/** The item that the last part belongs to: further texts of an item do not name it again. */
function openId(parts: readonly StoredPart[]): string | undefined {
  const named = parts
    .slice(-MOST_PIECES)
    .findLast((part) => valueAt(part.extra?.['openai-responses'], 'joined') !== true)
  return named === undefined ? undefined : itemId(named)
}

function joined(first: ReasoningPart, second: ReasoningPart): ReasoningPart {
  const [one, two] = [itemOf(first), itemOf(second)] as [JsonObject, JsonObject]
  const item = { ...one, ...two, summary: [...listAt(one), ...listAt(two)] }
  const { redacted: _redacted, ...rest } = first
  const text = [first.text, second.text].filter((piece) => piece !== '').join('\n\n')
  const opaque = text === '' ? { redacted: true } : {}
  return { ...rest, text, ...opaque, extra: { ...first.extra, 'openai-responses': { item } } }
}

const listAt = (item: JsonObject) => (Array.isArray(item.summary) ? item.summary : [])

function further<P extends StoredPart>(part: P): P {
  const slot = part.extra?.['openai-responses']
  const { item: _item, ...rest } = isObject(slot) ? slot : {}
  return { ...part, extra: { ...part.extra, 'openai-responses': { joined: true, ...rest } } }
}
