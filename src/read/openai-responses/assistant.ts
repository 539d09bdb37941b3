import { type JsonObject, stringAt, valueAt } from '../../model/json.ts'
import type { Json } from '../../model/session.ts'
import type { StoredPart } from '../assemble.ts'
import type { Report } from '../report.ts'
import { picked, slot } from '../slots.ts'
import { contentParts, textsOf } from './content.ts'
import type { Item } from './media.ts'

/** The parts of an assistant message item: the first one's slot has the item's own fields, the further ones' say `joined`. */
export function messageParts(item: Item, report: Report): StoredPart[] {
  const content = valueAt(item, 'content')
  const fields = picked(item, ['id', 'status', 'phase'])
  const head: JsonObject = fields === undefined ? {} : { item: fields }
  const parts: StoredPart[] = []
  for (const stored of Array.isArray(content) ? content : [content ?? '']) {
    for (const part of contentParts(stored, report))
      parts.push(marked(part, stored, parts.length === 0 ? head : JOINED))
  }
  // An item without content still has its place and its id.
  return parts.length === 0 && fields !== undefined ? [marked({ type: 'text', text: '' }, undefined, head)] : parts
}

const JOINED: JsonObject = { joined: true }

function marked(part: ReturnType<typeof contentParts>[number], stored: unknown, border: JsonObject): StoredPart {
  const slotted = { ...(part.extra?.['openai-responses'] as JsonObject | undefined), ...border, ...told(stored) }
  return Object.keys(slotted).length === 0 ? part : { ...part, ...slot('openai-responses', slotted) }
}

/** Empty lists are the default. */
function told(stored: unknown): JsonObject {
  const found: { [key: string]: Json } = {}
  for (const key of ['annotations', 'logprobs']) {
    const list = valueAt(stored, key)
    if (Array.isArray(list) && list.length > 0) found[key] = list as Json
  }
  return found
}

/** A reasoning item: its text is the summary, else the reasoning itself where the server shows it. */
export function reasoningPart(item: Item): StoredPart {
  const summary = textsOf(valueAt(item, 'summary'))
  const text = (summary.length > 0 ? summary : textsOf(valueAt(item, 'content'))).join('\n\n')
  const opaque = text === '' && stringAt(item, 'encrypted_content') !== undefined
  const { type: _type, ...fields } = item
  return {
    type: 'reasoning',
    text,
    ...(opaque ? { redacted: true } : {}),
    ...slot('openai-responses', { item: fields as JsonObject }),
  }
}
