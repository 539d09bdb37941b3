import { type Fields, isObject, stringAt } from '../../model/json.ts'
import type { AssistantMessage, AssistantPart, Message } from '../../model/session.ts'
import type { StoredPart } from '../assemble.ts'
import type { Entry } from '../entry-tree.ts'

/**
 * What a durable writer notes besides the conversation: that a call was handed to its tool, or that open calls were closed when
 * the session was opened again. The shape of such records is the writer's own, so that the names of their fields are read
 * in all the usual spellings.
 */
export type Note =
  | { readonly kind: 'dispatch'; readonly callId: string }
  /** Calls by id, and whether they had been dispatched, where the record says so. */
  | { readonly kind: 'repair'; readonly closed: ReadonlyMap<string, boolean | undefined> }

/** The note of a record, told by its name and its content; undefined when it is none. */
export function noteOf(name: unknown, payload: unknown): Note | undefined {
  if (typeof name !== 'string' || !isObject(payload)) return undefined
  if (/repair/i.test(name)) return { kind: 'repair', closed: closedBy(payload) }
  const callId = /dispatch/i.test(name) ? callIdOf(payload) : undefined
  return callId === undefined ? undefined : { kind: 'dispatch', callId }
}

const ID_KEYS = ['toolCallId', 'tool_call_id', 'callId', 'call_id', 'id']
const CALL_KEYS = ['call', 'toolCall', 'tool_call']

function callIdOf(payload: unknown): string | undefined {
  for (const holder of [payload, ...CALL_KEYS.map((key) => (isObject(payload) ? payload[key] : undefined))]) {
    for (const key of ID_KEYS) {
      const id = stringAt(holder, key)
      if (id !== undefined) return id
    }
  }
  return undefined
}

function closedBy(payload: Fields): ReadonlyMap<string, boolean | undefined> {
  const closed = new Map<string, boolean | undefined>()
  for (const [key, list] of Object.entries(payload)) {
    if (!Array.isArray(list)) continue
    for (const item of list) {
      const id = typeof item === 'string' ? item : callIdOf(item)
      const flag = isObject(item) && typeof item.dispatched === 'boolean' ? item.dispatched : LISTS.get(key)
      if (id !== undefined) closed.set(id, flag ?? closed.get(id))
    }
  }
  return closed
}

/** Lists that say by their name whether the calls in them had been dispatched. */
const LISTS: ReadonlyMap<string, boolean> = new Map([
  ['dispatched', true],
  ['started', true],
  ['undispatched', false],
  ['notDispatched', false],
  ['not_dispatched', false],
  ['neverStarted', false],
  ['never_started', false],
  ['notStarted', false],
  ['not_started', false],
])

/** The results that a repair wrote: those of the calls it names, between their message and the record of the repair. */
export function repairedResults(
  path: readonly Entry[],
  notes: ReadonlyMap<Entry, Note>,
  kindOf: (entry: Entry) => { readonly role: unknown; readonly callId: string | undefined },
): ReadonlySet<Entry> {
  const found = new Set<Entry>()
  let closed: ReadonlyMap<string, unknown> | undefined
  for (let index = path.length - 1; index >= 0 && notes.size > 0; index--) {
    const entry = path[index]!
    const note = notes.get(entry)
    if (note?.kind === 'repair') closed = note.closed
    if (closed === undefined) continue
    const { role, callId } = kindOf(entry)
    if (role === 'assistant') closed = undefined
    else if (role === 'result' && (closed.has(callId ?? '') || closed.has(entry.id ?? ''))) found.add(entry)
  }
  return found
}

interface ToldCall {
  readonly message: number
  readonly part: number
  started: boolean | undefined
  /** The writer was one that notes what it dispatches: no note means that the call never started. */
  noted: boolean
}

/** Says of calls whose outcome is not known whether they had been started, where the file knows. */
export class Dispatches {
  readonly #calls: ToldCall[] = []
  readonly #latest = new Map<string, ToldCall>()
  /** A note was found that names a call of this session. */
  #noting = false
  /** Something is known of at least one call. */
  #known = false

  /** The calls of a message; `message` is its place in the session. `neverRun`: nothing that it calls was started. */
  told(message: number, parts: readonly StoredPart[], neverRun: boolean): void {
    for (const [part, { type, ...call }] of parts.entries()) {
      if (type !== 'tool-call') continue
      const told = { message, part, started: undefined, noted: neverRun || this.#noting }
      this.#known ||= neverRun
      this.#calls.push(told)
      this.#latest.set((call as { id: string }).id, told)
    }
  }

  note(note: Note): void {
    if (note.kind === 'dispatch') this.#dispatched(note.callId)
    else for (const [id, started] of note.closed) this.#closed(id, started)
  }

  #dispatched(id: string): void {
    const call = this.#latest.get(id)
    if (call === undefined) return
    this.#noting = true
    this.#known = true
    call.started = true
    for (let index = this.#calls.length - 1; this.#calls[index]?.message === call.message; index--) {
      this.#calls[index]!.noted = true
    }
  }

  #closed(id: string, started: boolean | undefined): void {
    const call = this.#latest.get(id)
    if (call === undefined) return
    this.#noting = true
    this.#known = true
    call.noted = true
    call.started ??= started
  }

  /** The messages with what is known put into the states of interrupted calls. */
  applied(messages: readonly Message[]): readonly Message[] {
    if (!this.#known) return messages
    const changed = new Map<number, AssistantPart[]>()
    for (const { message, part, started, noted } of this.#calls) {
      const parts = changed.get(message) ?? (messages[message] as AssistantMessage | undefined)?.parts
      const call = parts?.[part]
      if (parts === undefined || call?.type !== 'tool-call' || call.state.status !== 'interrupted') continue
      if (call.state.dispatched !== undefined || (started === undefined && !noted)) continue
      const copy = changed.get(message) ?? [...parts]
      copy[part] = { ...call, state: { ...call.state, dispatched: started ?? false } }
      changed.set(message, copy)
    }
    if (changed.size === 0) return messages
    return messages.map((message, index) => {
      const parts = changed.get(index)
      return parts === undefined ? message : ({ ...message, parts } as Message)
    })
  }
}
