import { type Fields, isObject, type JsonObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Json, ReasoningPart } from '../../model/session.ts'
import { idAt } from '../anthropic/calls.ts'
import type { StoredPart } from '../assemble.ts'
import { CONTENT_MISSING } from '../content-missing.ts'
import type { Narrator } from '../narrator.ts'
import { type Structure, shallow } from '../shallow.ts'
import { slot } from '../slots.ts'
import { callsOf } from './calls.ts'
import { contextParts, partsOf } from './content.ts'

/** item, message, content, part; item, states, state, call. */
const ITEM: Structure = {
  keys: new Set([
    'message',
    'content',
    'toolCalls',
    'toolCallStates',
    'toolCall',
    'function',
    'contextItems',
    'output',
  ]),
  levels: 6,
}

/** Reads the items of a history one after another. */
export class History {
  readonly #to: Narrator
  /** Thinking is an item of its own, before the answer it belongs to. */
  #thinking: ReasoningPart[] = []
  #details: Json[] = []
  /** Ids of calls that had no outcome beside their message. */
  readonly #open = new Set<string>()

  constructor(to: Narrator) {
    this.#to = to
  }

  add(raw: unknown): void {
    const item = shallow(raw, ITEM, (before) => this.#to.report('value-too-deep', { before }))
    const message = valueAt(item, 'message')
    if (!isObject(item) || !isObject(message)) {
      this.#to.report('record-invalid', { before: item })
      return
    }
    const read = own(ROLES, message.role)
    if (read === undefined) this.#to.report('record-unknown', { before: item })
    else {
      if (message.content === undefined && message.redactedThinking === undefined)
        this.#to.report('record-invalid', { message: CONTENT_MISSING, before: message })
      read(this, message, item)
    }
  }

  finish(): void {
    this.#flushThinking()
  }

  user(message: Fields, item: Fields): void {
    this.#flushThinking()
    const parts = [
      ...contextParts(item.contextItems, this.#to.report),
      ...partsOf(valueAt(message, 'content'), this.#to.report),
    ]
    this.#leaveOut(message.toolCalls)
    this.#leaveOut(item.toolCallStates)
    if (parts.length === 0) this.#to.report('message-empty')
    else this.#to.user({ parts, ...idOf(message) })
  }

  /** Calls of a message whose role makes none. */
  #leaveOut(calls: unknown): void {
    if (calls === undefined || calls === null || (Array.isArray(calls) && calls.length === 0)) return
    this.#to.report('part-invalid', { before: calls })
  }

  thinking(message: Fields): void {
    const data = stringAt(message, 'redactedThinking')
    if (data !== undefined && data !== '')
      this.#thinking.push({ type: 'reasoning', text: '', redacted: true, ...slot('anthropic', { data }) })
    const text = textOf(message, this.#to)
    const details = valueAt(message, 'reasoning_details')
    if (Array.isArray(details)) this.#details.push(...(details.filter(isObject) as Json[]))
    const signed = signedThinking(message, text)
    if (text !== '' || signed !== undefined) this.#thinking.push({ type: 'reasoning', text, ...signed })
  }

  assistant(message: Fields, item: Fields): void {
    const calls = callsOf(item, message, this.#to.report)
    for (const call of calls) if (call.type === 'tool-call' && !('state' in call)) this.#open.add(call.id)
    const texts = partsOf(valueAt(message, 'content'), this.#to.report)
    const parts: StoredPart[] = [...this.#thinking, ...this.#shownThinking(item), ...withItem(texts, message), ...calls]
    const details = this.#reasoningDetails()
    this.#thinking = []
    this.#details = []
    if (parts.length === 0) this.#to.report('message-empty')
    else
      this.#to.assistant({
        parts,
        ...idOf(message),
        ...details,
      })
  }

  /** The tool makes these anew from the states of calls; only where none is stored do they say what became of a call. */
  tool(message: Fields): void {
    const callId = idAt(message, 'toolCallId')
    if (this.#open.delete(callId)) {
      const content = partsOf(valueAt(message, 'content'), this.#to.report)
      const [only] = content
      const result = content.length === 0 ? '' : content.length === 1 && only?.type === 'text' ? only.text : content
      this.#to.result({ callId, state: { status: 'completed', result } })
    } else this.#to.report('message-left-out', { before: message })
  }

  system(message: Fields): void {
    this.#to.report('message-left-out', { before: message })
  }

  /** Thinking that the tool took out of the text of an answer, between tags. */
  #shownThinking(item: Fields): ReasoningPart[] {
    const text = stringAt(item.reasoning, 'text')
    if (text === undefined || text === '' || this.#thinking.some((known) => known.text === text)) return []
    return [{ type: 'reasoning', text }]
  }

  #reasoningDetails() {
    return slot('openai-chat', this.#details.length === 0 ? undefined : { reasoning_details: this.#details })
  }

  #flushThinking(): void {
    if (this.#thinking.length === 0) return
    this.#to.assistant({ parts: this.#thinking, ...this.#reasoningDetails() })
    this.#thinking = []
    this.#details = []
  }
}

type Read = (to: History, message: Fields, item: Fields) => void

const ROLES: { readonly [role: string]: Read } = {
  user: (to, message, item) => to.user(message, item),
  assistant: (to, message, item) => to.assistant(message, item),
  thinking: (to, message) => to.thinking(message),
  tool: (to, message) => to.tool(message),
  system: (to, message) => to.system(message),
}

function idOf(message: Fields): { readonly id?: string } {
  const id = stringAt(message, 'id')
  return id === undefined || id === '' ? {} : { id }
}

function textOf(message: Fields, to: Narrator): string {
  return partsOf(valueAt(message, 'content'), to.report)
    .map((part) => {
      if (part.type === 'text') return part.text
      to.report('part-invalid', { before: part })
      return ''
    })
    .join('')
}

/** Signed by Anthropic, or an item of the Responses API. */
function signedThinking(message: Fields, text: string): Pick<ReasoningPart, 'extra' | 'redacted'> | undefined {
  const signature = stringAt(message, 'signature')
  if (signature !== undefined && signature !== '') return slot('anthropic', { signature })
  const metadata = valueAt(message, 'metadata')
  const id = stringAt(metadata, 'reasoningId')
  if (id === undefined) return undefined
  const encrypted = stringAt(metadata, 'encrypted_content')
  const item: JsonObject = {
    id,
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
  }
  return { ...(text === '' ? { redacted: true } : {}), ...slot('openai-responses', { item }) }
}

/** The id of the item that the first text was. */
function withItem(texts: readonly StoredPart[], message: Fields): readonly StoredPart[] {
  const id = stringAt(valueAt(message, 'metadata'), 'responsesOutputItemId')
  const [first, ...rest] = texts
  if (id?.startsWith('msg_') !== true || first?.type !== 'text') return texts
  return [{ ...first, ...slot('openai-responses', { item: { id } }) }, ...rest]
}
