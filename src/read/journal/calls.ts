import type { AssistantPart, ToolCallEntry, ToolCallState } from '../../model/session.ts'
import { type CallDraft, OpenCalls } from '../open-calls.ts'
import type { ClosedCall, DispatchedCall, SettleEntry } from './record.ts'

/** A call as the journal knows it. */
export interface JournalCall extends CallDraft {
  /** Counted over the calls of the journal from 0. */
  readonly number: number
  isDispatched: boolean
}

/** Why a record cannot be: the record before it says otherwise. */
export class Impossible extends Error {
  /** What it says has happened already. */
  readonly isRepeated: boolean

  constructor(reason: string, isRepeated = false) {
    super(reason)
    this.isRepeated = isRepeated
  }
}

/** What a repair says of one call. */
interface Closing extends ClosedCall {
  readonly state: ToolCallState
}

/** Which calls are open, which were dispatched, and which result is whose. */
export class JournalCalls {
  readonly all: JournalCall[] = []
  /** Of the same calls. */
  readonly #open = new OpenCalls()
  /** How many calls of an id are open. Counted from the first repair on that cannot tell its calls apart: hardly any does. */
  #openCounts: Map<string, number> | undefined
  /** Outcomes so far. */
  #ended = 0
  /** Tools that have run without a record of their dispatch: of their calls it is never known that they did not start. */
  readonly #runUntold = new Set<string>()

  /** `message` and `part` say where it stands, `turn` after how many messages of the user. */
  add(call: AssistantPart, message: number, part: number, turn: number): void {
    if (call.type !== 'tool-call') return
    const { status } = call.state
    const stage = status === 'completed' || status === 'failed' ? 'settled' : 'open'
    const draft: JournalCall = {
      call,
      message,
      part,
      turn,
      run: 0,
      line: undefined,
      state: call.state,
      stage,
      answeredAt: undefined,
      number: this.all.length,
      isDispatched: false,
    }
    this.all.push(draft)
    if (this.#openCounts !== undefined && stage === 'open') count(this.#openCounts, call.id, 1)
    this.#open.add(draft)
  }

  /** @throws {Impossible} when no such call waits, or it runs already; then nothing has changed. */
  dispatch({ id, name }: DispatchedCall): JournalCall {
    const draft = this.#find(id, true)
    if (draft === undefined) throw this.#notWaiting(id, 'a dispatch')
    if (draft.call.name !== name) {
      throw new Impossible(`the call ${shown(id)} is of the tool ${shown(draft.call.name)}, not of ${shown(name)}`)
    }
    if (draft.stage === 'open' && draft.isDispatched) {
      throw new Impossible(`the call ${shown(id)} is dispatched already`, true)
    }
    draft.isDispatched = true
    draft.state = startedState(draft.state)
    return draft
  }

  /** @throws {Impossible} when no such call waits for a result; then nothing has changed. */
  settle({ callId, name, call, state }: Omit<SettleEntry, 'type'>): JournalCall {
    const real = state.status === 'completed' || state.status === 'failed'
    const draft = this.#numbered(call, callId) ?? (callId === '' ? this.#first(name, real) : this.#find(callId, real))
    if (draft === undefined) throw this.#notWaiting(callId, 'a result')
    this.#learn(draft, state)
    this.#end(draft, state, real)
    return draft
  }

  /**
   * All of one repair, or none. Numbers are exact but where a reader has lost records: then the id alone tells.
   * @throws {Impossible} when one of the calls is not open, or is named twice; then nothing has changed.
   */
  close(closings: readonly Closing[]): JournalCall[] {
    const found = closings.map(({ call, id }) => this.#closable(call, id))
    if (new Set(found).size < found.length) this.#expectEnough(closings, found)
    return closings.map(({ call, id, state }) => {
      const draft = this.#closable(call, id)
      this.#end(draft, state, false)
      return draft
    })
  }

  /** Calls that nobody goes on with when the process is gone: not those of the API, nor those that wait for approval. */
  forsaken(isActive: (message: number) => boolean): JournalCall[] {
    return this.all.filter(
      (draft) =>
        draft.stage === 'open' &&
        draft.call.executor !== 'provider' &&
        !waitsForApproval(draft) &&
        isActive(draft.message),
    )
  }

  /** Undefined when it cannot be known: nobody promised to record the dispatch. */
  wasDispatched(draft: JournalCall): boolean | undefined {
    if (draft.isDispatched) return true
    const isPromised = (draft.call as ToolCallEntry).state.status === 'pending'
    return isPromised && !this.#runUntold.has(draft.call.name) ? false : undefined
  }

  // Nothing but calls of the journal was put among the open ones.
  #find(id: string, real: boolean): JournalCall | undefined {
    return this.#open.find(id, real) as JournalCall | undefined
  }

  #first(name: string | undefined, real: boolean): JournalCall | undefined {
    return this.#open.findByOrder(name, real) as JournalCall | undefined
  }

  #numbered(number: number | undefined, id: string): JournalCall | undefined {
    const draft = number === undefined ? undefined : this.all[number]
    return draft?.call.id === id && draft.stage === 'open' ? draft : undefined
  }

  /** @throws {Impossible} when no such call is open. */
  #closable(number: number, id: string): JournalCall {
    const draft = this.#numbered(number, id) ?? this.#find(id, false)
    if (draft === undefined) throw this.#notWaiting(id, 'a repair')
    return draft
  }

  /**
   * Several closings came to one call: by their number, or by an id that several calls have. One after the other they find
   * others of that id, while there are some.
   * @throws {Impossible} when there are not.
   */
  #expectEnough(closings: readonly Closing[], found: readonly JournalCall[]): void {
    const wanted = new Map<string, number>()
    for (const { id } of closings) wanted.set(id, (wanted.get(id) ?? 0) + 1)
    const met = new Set<JournalCall>()
    for (const draft of found) {
      const { id } = draft.call
      const isLeft = id !== '' && (this.#openById().get(id) ?? 0) >= (wanted.get(id) ?? 0)
      if (met.has(draft) && !isLeft) throw this.#notWaiting(id, 'a second repair')
      met.add(draft)
    }
  }

  #openById(): Map<string, number> {
    if (this.#openCounts === undefined) {
      this.#openCounts = new Map()
      for (const { call, stage } of this.all) if (stage === 'open') count(this.#openCounts, call.id, 1)
    }
    return this.#openCounts
  }

  /** A pending state ends nothing. */
  #end(draft: JournalCall, state: ToolCallState, real: boolean): void {
    if (state.status !== 'pending') {
      if (draft.stage === 'open' && this.#openCounts !== undefined) count(this.#openCounts, draft.call.id, -1)
      // Whenever calls are first looked for by their order, those that were closed come in the order of their closing.
      draft.answeredAt ??= this.#ended++
    }
    this.#open.settle(draft, state, real)
  }

  #learn(draft: JournalCall, state: ToolCallState): void {
    if (state.status === 'pending' && state.reason === 'running') draft.isDispatched = true
    if (state.status === 'completed' && !draft.isDispatched) this.#runUntold.add(draft.call.name)
  }

  #notWaiting(id: string, what: string): Impossible {
    const known = id === '' ? undefined : this.#open.latest(id)
    if (known === undefined) return new Impossible(`${what} without a call of the id ${shown(id)}`)
    return new Impossible(`${what} of the call ${shown(id)}, which has its result`, true)
  }
}

const waitsForApproval = ({ state, isDispatched }: JournalCall): boolean =>
  state?.status === 'pending' && state.reason === 'approval' && !isDispatched

function count(counts: Map<string, number>, id: string, more: number): void {
  counts.set(id, (counts.get(id) ?? 0) + more)
}

/** Shown as running, and never again as known not to have started. */
function startedState(state: ToolCallState | undefined): ToolCallState {
  if (state?.status === 'interrupted') return { ...state, dispatched: true }
  return { status: 'pending', reason: 'running' }
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text)
}
