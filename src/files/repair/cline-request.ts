import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'

/** What Cline sends of its stored messages: what the API knows of them. Blocks in forms of its own it turns into the API's. */
export function clineRequest(stored: unknown): { readonly messages: readonly object[] } {
  const list: unknown = Array.isArray(stored) ? stored : valueAt(stored, 'messages')
  const messages = (Array.isArray(list) ? list : []).filter(isObject)
  return { messages: messages.map(({ role, content }) => ({ role, content: sentContent(content) })) }
}

function sentContent(content: unknown): unknown {
  return Array.isArray(content)
    ? content.map((block: unknown) => (isObject(block) ? sentBlock(block) : block))
    : content
}

/** The keys that the API knows. */
const KEYS: { readonly [type: string]: readonly string[] } = {
  text: ['type', 'text'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
  tool_use: ['type', 'id', 'name', 'input'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error'],
}

function sentBlock(block: Fields): Fields {
  if (block.type === 'file') return { type: 'text', text: stringAt(block, 'content') ?? '' }
  const data = stringAt(block, 'data')
  if (block.type === 'image' && data !== undefined)
    return { type: 'image', source: { type: 'base64', media_type: stringAt(block, 'mediaType') ?? '', data } }
  const keys = own(KEYS, block.type)
  if (keys === undefined) return block
  const kept = keys.flatMap((key) => (Object.hasOwn(block, key) ? [[key, block[key]] as const] : []))
  const sent: Fields = Object.fromEntries(kept)
  return block.type === 'tool_result' ? { ...sent, content: sentContent(sent.content) } : sent
}
