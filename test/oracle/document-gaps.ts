import { isObject } from '../../src/model/json.ts'
import type { DocumentedApi } from './openai-document.ts'

type Fields = { readonly [key: string]: unknown }

/** Where the API takes what its own document does not: each is filled in before the document is asked, and says why it is one. */
interface Gap {
  readonly name: string
  readonly why: string
  readonly fill: (element: Fields) => Fields
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The element with the parts of a list mapped; the same one when none changes. */
function withParts(element: Fields, key: string, type: string, fill: (part: Fields) => Fields): Fields {
  const parts = element[key]
  if (!Array.isArray(parts)) return element
  const next = parts.map((part: unknown) => (isObject(part) && part.type === type ? fill(part) : part))
  return next.every((part, index) => part === parts[index]) ? element : { ...element, [key]: next }
}

function withDefaults(element: Fields, defaults: Fields): Fields {
  const absent = Object.keys(defaults).filter((key) => element[key] === undefined)
  return absent.length === 0
    ? element
    : { ...element, ...Object.fromEntries(absent.map((key) => [key, defaults[key]])) }
}

const when = (holds: boolean, element: Fields, fields: Fields): Fields => (holds ? { ...element, ...fields } : element)

const ITEMS: readonly Gap[] = [
  {
    name: 'a text of the assistant without annotations or logprobs',
    why: 'recorded; the types of the SDK leave them open too',
    fill: (item) =>
      withParts(item, 'content', 'output_text', (part) => withDefaults(part, { annotations: [], logprobs: [] })),
  },
  {
    name: 'a message of the assistant in parts, without an id',
    why: 'recorded: the API takes what it gave, with the id left out',
    fill: (item) => {
      const given = item.role === 'assistant' && Array.isArray(item.content) && item.id === undefined
      return when(given, item, { type: 'message', id: 'msg_0', status: 'completed' })
    },
  },
  {
    name: 'a text of the assistant in the mouth of the user',
    why: "the API's own refusal lists it among the parts of a user message",
    fill: (item) =>
      item.role === 'assistant'
        ? item
        : withParts(item, 'content', 'output_text', ({ text }) => ({ type: 'input_text', text })),
  },
  {
    name: 'a call whose status is null',
    why: 'recorded',
    fill: (item) => when(item.type === 'function_call' && item.status === null, item, { status: 'completed' }),
  },
  {
    name: 'an image call of id and type alone',
    why: 'recorded',
    fill: (item) =>
      item.type === 'image_generation_call' ? withDefaults(item, { status: 'completed', result: null }) : item,
  },
  {
    name: 'the output of a local shell without a call id',
    why: 'the document demands a property that it does not define; the types of the SDK have none',
    fill: (item) => (item.type === 'local_shell_call_output' ? withDefaults(item, { call_id: item.id }) : item),
  },
  {
    name: 'the answer to an approval without a request id',
    why: 'the document demands a property that it does not define; the types of the SDK have none',
    fill: (item) =>
      item.type === 'mcp_approval_response' ? withDefaults(item, { request_id: item.approval_request_id }) : item,
  },
  {
    name: 'an update of the configuration',
    why: 'newer than the document: the types of the SDK have it',
    fill: (item) => (item.type === 'configuration_update' ? { type: 'item_reference', id: 'cu_0' } : item),
  },
]

const MESSAGES: readonly Gap[] = [
  {
    name: 'an image in the result of a tool',
    why: 'the models of the GPT-5 family were seen to take it',
    fill: (message) =>
      message.role === 'tool'
        ? withParts(message, 'content', 'image_url', () => ({ type: 'text', text: 'an image' }))
        : message,
  },
]

const TOOLS: readonly Gap[] = [
  {
    name: 'a function without strict or parameters',
    why: 'recorded; there is a default',
    fill: (tool) => (tool.type === 'function' ? withDefaults(tool, { strict: true, parameters: null }) : tool),
  },
]

const GAPS: { readonly [A in DocumentedApi]: { readonly [list: string]: readonly Gap[] } } = {
  'openai-chat': { messages: MESSAGES },
  'openai-responses': { input: ITEMS, tools: TOOLS },
}

const filled = new Map<string, number>()

/** The body with every gap filled in. */
export function fillDocumentGaps(api: DocumentedApi, body: Fields): Fields {
  const next: { [key: string]: unknown } = { ...body }
  for (const [list, gaps] of Object.entries(GAPS[api])) {
    if (!Array.isArray(body[list])) continue
    next[list] = listOf(body[list]).map((element) => (isObject(element) ? allFilled(element, gaps) : element))
  }
  return next
}

function allFilled(element: Fields, gaps: readonly Gap[]): Fields {
  let value = element
  for (const gap of gaps) {
    const after = gap.fill(value)
    if (after !== value) filled.set(gap.name, (filled.get(gap.name) ?? 0) + 1)
    value = after
  }
  return value
}

/** Each gap, why it is one, and how often it was filled. */
export function documentGaps(): readonly { readonly name: string; readonly why: string; readonly times: number }[] {
  const all = Object.values(GAPS).flatMap((lists) => Object.values(lists).flat())
  return all.map(({ name, why }) => ({ name, why, times: filled.get(name) ?? 0 }))
}
