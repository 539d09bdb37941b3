import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { append, type Draft } from './stream.ts'

/** Where the text of an event stands: under a key of the item, or of a part in one of its lists. */
interface Place {
  readonly key: string
  readonly list?: 'content' | 'summary'
  /** The type of a part that begins with its text. */
  readonly part?: string
}

/** By the type of the events, without `.delta` and `.done`. */
const PLACES: { readonly [type: string]: Place } = {
  'response.output_text': { list: 'content', part: 'output_text', key: 'text' },
  'response.refusal': { list: 'content', part: 'refusal', key: 'refusal' },
  'response.reasoning_text': { list: 'content', part: 'reasoning_text', key: 'text' },
  'response.reasoning_summary_text': { list: 'summary', part: 'summary_text', key: 'text' },
  'response.function_call_arguments': { key: 'arguments' },
  'response.custom_tool_call_input': { key: 'input' },
  'response.mcp_call_arguments': { key: 'arguments' },
  'response.code_interpreter_call_code': { key: 'code' },
}

/** Items that hold their parts whole when these end. */
const PARTS: { readonly [type: string]: 'content' | 'summary' } = {
  'response.content_part.done': 'content',
  'response.reasoning_summary_part.done': 'summary',
}

/** Their ids are known to the API only once it stored the response. */
const NAMED_BY_API = new Set(['message', 'function_call', 'custom_tool_call'])

/** What is read as calls. */
const CALLS = new Set([
  ...['function_call', 'custom_tool_call', 'shell_call', 'local_shell_call', 'apply_patch_call', 'computer_call'],
  ...['web_search_call', 'file_search_call', 'code_interpreter_call', 'image_generation_call', 'mcp_call'],
  ...['mcp_approval_request', 'tool_search_call'],
])

/** An output item, from its beginning to its end. */
export class ComingItem {
  readonly isWhole: boolean
  readonly #fields: Draft
  /** Its lists, where events have added to them. */
  readonly #lists = new Map<string, Draft[]>()

  constructor(item: { readonly [key: string]: unknown }, isWhole: boolean) {
    this.#fields = { ...item }
    this.isWhole = isWhole
  }

  /** Whether it is read as a call. */
  isCall(): boolean {
    return CALLS.has(stringAt(this.#fields, 'type') ?? '')
  }

  take(type: string, event: object): void {
    if (this.isWhole) return
    const list = own(PARTS, type)
    if (list !== undefined) this.#setPart(list, event)
    const dot = type.lastIndexOf('.')
    const place = own(PLACES, type.slice(0, dot))
    if (place === undefined) return
    const draft = place.list === undefined ? this.#fields : this.#part(place.list, place.part, event)
    const text = stringAt(event, place.key)
    if (type.endsWith('.delta')) append(draft, place.key, valueAt(event, 'delta'))
    else if (text !== undefined) draft[place.key] = text
  }

  value(): Draft {
    return { ...this.#fields, ...Object.fromEntries(this.#lists) }
  }

  /**
   * As it can be sent again when the API has not stored the response: reasoning only with its encrypted content, and
   * nothing by an id that would be looked up.
   */
  unstored(): Draft {
    const value = this.value()
    const { id: _, status: __, encrypted_content: encrypted, ...fields } = value
    if (value.type === 'reasoning') return this.isWhole && typeof encrypted === 'string' ? value : fields
    if (typeof value.type !== 'string' || !NAMED_BY_API.has(value.type)) return value
    const { id: ___, ...unnamed } = value
    return this.isWhole || unnamed.status === undefined ? unnamed : { ...unnamed, status: 'incomplete' }
  }

  #setPart(list: string, event: object): void {
    const part = valueAt(event, 'part')
    if (!isObject(part)) return
    const parts = this.#list(list)
    const found = parts.indexOf(this.#part(list, undefined, event))
    parts[found] = { ...parts[found], ...part }
  }

  /** The part that an event names; one behind all others where there is none yet. */
  #part(list: string, type: string | undefined, event: object): Draft {
    const parts = this.#list(list)
    const index = valueAt(event, list === 'summary' ? 'summary_index' : 'content_index')
    const found = typeof index === 'number' ? parts[index] : parts.at(-1)
    if (found !== undefined) return found
    const begun: Draft = type === undefined ? {} : { type }
    parts.push(begun)
    return begun
  }

  #list(key: string): Draft[] {
    const known = this.#lists.get(key)
    if (known !== undefined) return known
    const stored = this.#fields[key]
    const list = Array.isArray(stored) ? stored.filter(isObject).map((part): Draft => ({ ...part })) : []
    this.#lists.set(key, list)
    return list
  }
}
