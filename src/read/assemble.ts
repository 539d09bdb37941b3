import { append } from '../model/append.ts'
import { change } from '../model/change.ts'
import { closedState } from '../model/closing.ts'
import type {
  AssistantMessage,
  AssistantPart,
  Change,
  ChangeCode,
  ChangePlace,
  InstructionMessage,
  Message,
  ToolCallEntry,
  ToolCallState,
  ToolOutput,
  UserMessage,
} from '../model/session.ts'
import { joinedFields } from './join.ts'
import { type CallDraft, type OpenCall, OpenCalls } from './open-calls.ts'
import { resultPlaces } from './result-order.ts'

export type { OpenCall } from './open-calls.ts'

/** A result as a reader sees it. */
export interface StoredResult {
  /** '' when the source stored none: then paired by name and order. */
  readonly callId: string
  readonly name?: string | undefined
  /** `interrupted` counts as a closer, like `synthetic`; `pending` leaves the call open. */
  readonly state: ToolCallState
  /** A producer's own closer, put there so that the history is valid: a real result replaces it. */
  readonly synthetic?: boolean | undefined
  readonly line?: number | undefined
}

/** An assistant message as a reader sees it: its calls may still lack their outcome. */
export type StoredAssistant = Omit<AssistantMessage, 'role' | 'parts'> & { readonly parts: readonly StoredPart[] }
export type StoredPart = Exclude<AssistantPart, ToolCallEntry> | OpenCall | ToolCallEntry

/** Where calls meet results: readers give events in the order of the source, and get messages whose calls own their outcome. */
export interface Assembler {
  user(message: Omit<UserMessage, 'role'>): void
  instruction(message: Omit<InstructionMessage, 'role'>): void
  /**
   * Calls among the parts are open until a result comes; an entry that already has a `state` keeps it, but `pending` and
   * `interrupted` give way to a result that comes after all.
   * `join`: adjacent assistant messages of one model become one, unless a result or another message stands between them,
   * or their `extra` slots hold different values under one key. The first `id` and `at` stay, the last `stop` and `usage`.
   */
  assistant(message: StoredAssistant, place?: { readonly line?: number; readonly join?: boolean }): void
  /** A result stands in the message of its call, with `resultOrder` where the results of a message were stored in another order. */
  result(result: StoredResult): void
  report(change: Change): void
  finish(): { readonly messages: readonly Message[]; readonly changes: readonly Change[] }
}

export interface AssemblerOptions {
  /** What becomes of calls without a result: of a transcript whose process is gone `interrupted`, of a body's end `pending`. */
  readonly unanswered: 'interrupted' | 'pending-at-end'
}

export function assembler(options: AssemblerOptions): Assembler {
  return new Assembly(options)
}

interface AssistantDraft {
  readonly role: 'assistant'
  /** With the parts of the first message, which do not count. */
  fields: Omit<AssistantMessage, 'role' | 'parts'>
  /** The reader's own array until a second message joins. */
  parts: readonly StoredPart[]
  joinedParts: StoredPart[] | undefined
  calls: CallDraft[]
}

/** Stands for every empty list: `append` leaves it as it is. */
const NONE: never[] = []

type MessageDraft = UserMessage | InstructionMessage | AssistantDraft

class Assembly implements Assembler {
  readonly #options: AssemblerOptions
  readonly #messages: MessageDraft[] = []
  readonly #changes: Change[] = []
  readonly #open = new OpenCalls()
  /** Results without an id wait until their run of results is over: those with an id take their calls first. */
  #withoutId: { readonly result: StoredResult; readonly place: number }[] = []
  /** Counts user messages: they part turns. */
  #turn = 0
  /** Counts runs of adjacent assistant messages: calls and results of different runs stood apart. */
  #run = 0
  #results = 0
  #afterResult = false

  constructor(options: AssemblerOptions) {
    this.#options = options
  }

  user(message: Omit<UserMessage, 'role'>): void {
    this.#push({ role: 'user', ...message })
    this.#turn++
    this.#run++
  }

  instruction(message: Omit<InstructionMessage, 'role'>): void {
    this.#push({ role: 'instruction', ...message })
    this.#run++
  }

  assistant(message: StoredAssistant, place: { readonly line?: number; readonly join?: boolean } = {}): void {
    const { parts } = message
    const last = this.#messages.at(-1)
    const joinable = place.join === true && !this.#afterResult && last?.role === 'assistant'
    const joined = joinable ? joinedFields(last.fields, message) : undefined
    if (this.#afterResult) {
      // Before the run is over in which they stand.
      this.#pairByOrder()
      this.#run++
    }
    if (joinable && joined !== undefined) this.#join(last, joined, parts, place.line)
    else {
      const draft: AssistantDraft = { role: 'assistant', fields: message, parts, joinedParts: undefined, calls: NONE }
      this.#push(draft)
      this.#addCalls(draft, parts, 0, place.line)
    }
  }

  result(stored: StoredResult): void {
    const result = recognised(stored)
    this.#afterResult = true
    const place = this.#results++
    if (result.callId === '') this.#withoutId.push({ result, place })
    else this.#settle(result, place, this.#open.find(result.callId, isReal(result)))
  }

  report(change: Change): void {
    this.#changes.push(change)
  }

  finish(): { readonly messages: readonly Message[]; readonly changes: readonly Change[] } {
    this.#pairByOrder()
    const changes = [...this.#changes]
    const messages = this.#messages.map((draft) =>
      draft.role === 'assistant' ? this.#finished(draft, changes) : draft,
    )
    return { messages, changes }
  }

  #push(draft: MessageDraft): void {
    this.#pairByOrder()
    this.#messages.push(draft)
    this.#afterResult = false
  }

  #join(draft: AssistantDraft, fields: AssistantDraft['fields'], parts: readonly StoredPart[], line?: number): void {
    draft.joinedParts ??= [...draft.parts]
    this.#addCalls(draft, parts, draft.joinedParts.length, line)
    for (const part of parts) draft.joinedParts.push(part)
    draft.fields = fields
  }

  #addCalls(draft: AssistantDraft, parts: readonly StoredPart[], before: number, line: number | undefined): void {
    const message = this.#messages.length - 1
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index]!
      if (part.type !== 'tool-call') continue
      const call = callDraft(part, message, before + index, this.#turn, this.#run, line)
      draft.calls = append(draft.calls, call)
      this.#open.add(call)
    }
  }

  #pairByOrder(): void {
    if (this.#withoutId.length === 0) return
    const waiting = this.#withoutId
    this.#withoutId = []
    for (const { result, place } of waiting) {
      const call = this.#open.findByOrder(result.name, isReal(result))
      if (call !== undefined) this.#note('result-paired-by-order', call, result)
      this.#settle(result, place, call)
    }
  }

  #settle(result: StoredResult, place: number, call: CallDraft | undefined): void {
    if (call === undefined) {
      this.#leaveOut(result)
      return
    }
    if (call.stage === 'closed' || saysMore(call.state))
      this.#note('synthetic-result-replaced', call, result, call.state)
    if (call.run !== this.#run) this.#note('result-moved', call, result)
    // A replaced closer gives its place to the real result: that is where the model saw it.
    if (result.state.status !== 'pending') call.answeredAt ??= place
    this.#open.settle(call, result.state, isReal(result))
  }

  #leaveOut(result: StoredResult): void {
    const call = this.#open.latest(result.callId)
    const id = result.callId === '' ? {} : { callId: result.callId }
    const at = call === undefined ? id : placeOf(call)
    const code = call === undefined ? 'orphan-result' : 'duplicate-result'
    this.#changes.push(change(code, { ...at, ...lineOf(result.line) }, { before: outputOf(result.state) }))
  }

  #note(code: ChangeCode, call: CallDraft, result: StoredResult, before?: ToolCallState): void {
    const at = { ...placeOf(call), ...lineOf(result.line) }
    this.#changes.push(change(code, at, before === undefined ? {} : { before: saidOf(before) }))
  }

  #finished(draft: AssistantDraft, changes: Change[]): AssistantMessage {
    const parts = (draft.joinedParts ?? draft.parts) as readonly AssistantPart[]
    if (draft.calls.length === 0 && draft.joinedParts === undefined)
      return { role: 'assistant', ...draft.fields, parts }
    const finished = [...parts]
    const places = resultPlaces(draft.calls)
    for (const call of draft.calls) {
      const state = call.state ?? this.#unanswered(call, changes)
      finished[call.part] = entryOf(call.call, state, places?.get(call))
    }
    return { role: 'assistant', ...draft.fields, parts: finished }
  }

  #unanswered(call: CallDraft, changes: Change[]): ToolCallState {
    if (this.#options.unanswered === 'pending-at-end' && call.run === this.#run) return { status: 'pending' }
    changes.push(change('call-unfinished', { ...placeOf(call), ...lineOf(call.line) }))
    return { status: 'interrupted' }
  }
}

function callDraft(
  call: OpenCall | ToolCallEntry,
  message: number,
  part: number,
  turn: number,
  run: number,
  line: number | undefined,
): CallDraft {
  const state = 'state' in call ? call.state : undefined
  const final = state?.status === 'completed' || state?.status === 'failed'
  return { call, message, part, turn, run, line, state, stage: final ? 'settled' : 'open', answeredAt: undefined }
}

/** A call whose state came with it is shared, not copied. */
function entryOf(call: OpenCall | ToolCallEntry, state: ToolCallState, resultOrder: number | undefined): ToolCallEntry {
  if ('state' in call && call.state === state && resultOrder === undefined) return call
  return resultOrder === undefined ? { ...call, state } : { ...call, state, resultOrder }
}

/** A result that this library put into a file or a request is known for the closer that it is. */
function recognised(result: StoredResult): StoredResult {
  const output = outputOf(result.state)
  const closed = output === undefined ? undefined : closedState(output)
  if (closed === undefined) return result
  const { extra } = result.state
  return { ...result, state: extra === undefined ? closed : { ...closed, extra }, synthetic: true }
}

const isReal = (result: StoredResult): boolean => result.synthetic !== true && result.state.status !== 'interrupted'

/** An outcome that was not known says something all the same, which a result replaces. */
const saysMore = (state: ToolCallState | undefined): boolean =>
  state?.status === 'interrupted' && (state.partial !== undefined || state.reason !== undefined)

function saidOf(state: ToolCallState): unknown {
  if (state.status !== 'interrupted' || state.reason === undefined) return outputOf(state)
  const { partial, reason } = state
  return partial === undefined ? reason : { partial, reason }
}

/** What is left out or replaced, for the preview of a change. */
function outputOf(state: ToolCallState): ToolOutput | undefined {
  if (state.status === 'completed') return state.result
  if (state.status === 'failed') return state.error
  return state.status === 'interrupted' ? state.partial : undefined
}

function placeOf(draft: CallDraft): ChangePlace {
  const { message, part, call } = draft
  return call.id === '' ? { message, part } : { message, part, callId: call.id }
}

const lineOf = (line: number | undefined): ChangePlace => (line === undefined ? {} : { line })
