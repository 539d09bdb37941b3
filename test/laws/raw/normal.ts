import { isObject } from '../../../src/model/json.ts'
import type { WritableApi } from '../../../src/write/index.ts'

/**
 * The normal form of a request: what an API takes as one and the same becomes the same. Written from the APIs' own
 * documents, not from what the writers do.
 */

type Fields = { readonly [key: string]: unknown }

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})

/** Without keys that say no more than their default; null is an absent field. */
function withoutDefaults(value: Fields, defaults: Fields): Fields {
  return Object.fromEntries(
    Object.entries(value).filter(([key, inner]) => {
      if (inner === null || inner === undefined) return false
      return !(Object.hasOwn(defaults, key) && JSON.stringify(defaults[key]) === JSON.stringify(inner))
    }),
  )
}

// Messages API

const BLOCK_DEFAULTS: { readonly [type: string]: Fields } = {
  tool_result: { is_error: false, content: '' },
  document: { citations: { enabled: false } },
}

/** A string is one text block. */
function blocks(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return listOf(content).map((block) => anthropicBlock(fieldsOf(block)))
}

function anthropicBlock(block: Fields): Fields {
  const kept = withoutDefaults(block, { ...BLOCK_DEFAULTS[String(block.type)], caller: { type: 'direct' } })
  return block.type === 'tool_result' && Array.isArray(block.content)
    ? { ...kept, content: listOf(block.content).map((inner) => anthropicBlock(fieldsOf(inner))) }
    : kept
}

/** Adjacent turns of one role are one turn; within it results come first, as the API reads them. */
function anthropicMessages(messages: readonly unknown[]): readonly Fields[] {
  const turns: { role: unknown; content: Fields[] }[] = []
  for (const message of messages.map(fieldsOf)) {
    const content = blocks(message.content)
    const last = turns.at(-1)
    if (last !== undefined && last.role === message.role && message.role !== 'system') last.content.push(...content)
    else turns.push({ ...message, role: message.role, content: [...content] })
  }
  return turns
}

function anthropic(request: Fields): Fields {
  const system = blocks(request.system)
  return {
    ...(system.length === 0 ? {} : { system }),
    messages: anthropicMessages(listOf(request.messages)),
    ...(Array.isArray(request.tools) && request.tools.length > 0
      ? { tools: request.tools.map((tool) => withoutDefaults(fieldsOf(tool), { type: 'custom' })) }
      : {}),
  }
}

// Chat Completions

function chatContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content === null ? undefined : content
  const parts = content.map((part) => chatPart(fieldsOf(part)))
  const [only] = parts
  // A string content is one text part.
  return parts.length === 1 && only?.type === 'text' && Object.keys(only).length === 2 ? only.text : parts
}

function chatPart(part: Fields): Fields {
  const kept = withoutDefaults(part, {})
  return isObject(part.image_url) ? { ...kept, image_url: withoutDefaults(part.image_url, { detail: 'auto' }) } : kept
}

function chatMessage(message: Fields): Fields {
  const calls = listOf(message.tool_calls)
  const content = chatContent(message.content)
  const { content: _, tool_calls: __, ...rest } = withoutDefaults(message, {})
  // Null, absent and an empty text beside calls are one.
  const said = content === undefined || (content === '' && message.role === 'assistant') ? {} : { content }
  return { ...rest, ...said, ...(calls.length === 0 ? {} : { tool_calls: calls }) }
}

function openaiChat(request: Fields): Fields {
  const tools = listOf(request.tools)
  return {
    messages: listOf(request.messages).map((message) => chatMessage(fieldsOf(message))),
    ...(tools.length === 0 ? {} : { tools: tools.map(chatTool) }),
  }
}

function chatTool(tool: unknown): Fields {
  const fields = fieldsOf(tool)
  if (!isObject(fields.function)) return fields
  return { ...fields, function: withoutDefaults(fields.function, { strict: false, description: '' }) }
}

// Responses

function itemContent(content: unknown, role: unknown): unknown {
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  if (typeof content === 'string') return content === '' ? [] : [{ type, text: content }]
  return listOf(content).map((part) =>
    withoutDefaults(fieldsOf(part), { annotations: [], logprobs: [], detail: 'auto' }),
  )
}

function responsesItem(value: unknown): Fields {
  const item = fieldsOf(value)
  const message = item.type === undefined || item.type === 'message'
  const kept = withoutDefaults(item, message ? { status: 'completed' } : { status: 'completed' })
  if (message) return { ...kept, type: 'message', content: itemContent(item.content, item.role) }
  if (typeof item.type === 'string' && item.type.endsWith('_output') && Array.isArray(item.output)) {
    return { ...kept, output: listOf(item.output).map((part) => withoutDefaults(fieldsOf(part), { detail: 'auto' })) }
  }
  return kept
}

/** A string input is one user message. */
function inputOf(input: unknown): readonly unknown[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : listOf(input)
}

function openaiResponses(request: Fields): Fields {
  const tools = listOf(request.tools)
  const { instructions } = request
  return {
    ...(typeof instructions === 'string' && instructions !== '' ? { instructions } : {}),
    input: inputOf(request.input).map(responsesItem),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((tool) => withoutDefaults(fieldsOf(tool), { strict: true, description: '' })) }),
  }
}

const NORMAL: { readonly [A in WritableApi]: (request: Fields) => Fields } = {
  anthropic,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
}

export function normal(api: WritableApi, request: unknown): Fields {
  return NORMAL[api](fieldsOf(request))
}
