import type { AssistantPart, ToolCallEntry, ToolCallState } from '../../model/session.ts'
import { type CallDraft, OpenCalls } from '../open-calls.ts'
import type { DispatchedCall, SettleEntry } from './record.ts'

/** A call as the journal knows it. */
export interface JournalCall {
  /** Counted over the calls of the journal from 0. */
  readonly number: number
  readonly draft: CallDraft
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

/** Which calls are open, which were dispatched, and which result is whose. */
export class JournalCalls {
  readonly all: CallDraft[] = []
  readonly #open = new OpenCalls()
  readonly #numbers = new Map<CallDraft, number>()
  readonly #dispatched = new Set<CallDraft>()
  /** Tools that have run without a record of their dispatch: of their calls it is never known that they did not start. */
  readonly #runUntold = new Set<string>()

  add(part: AssistantPart, place: { readonly message: number; readonly part: number; readonly turn: number }): void {
    if (part.type !== 'tool-call') return
    const { status } = part.state
    const stage = status === 'completed' || status === 'failed' ? 'settled' : 'open'
    const draft: CallDraft = {
      call: part,
      ...place,
      run: 0,
      line: undefined,
      state: part.state,
      stage,
      answeredAt: undefined,
    }
    this.#numbers.set(draft, this.all.length)
    this.all.push(draft)
    this.#open.add(draft)
  }

  /** @throws {Impossible} when no such call waits, or it runs already. */
  dispatch({ id, name }: DispatchedCall): JournalCall {
    const draft = this.#open.find(id, true)
    if (draft === undefined) throw this.#notWaiting(id, 'a dispatch')
    if (draft.call.name !== name) {
      throw new Impossible(`the call ${shown(id)} is of the tool ${shown(draft.call.name)}, not of ${shown(name)}`)
    }
    if (draft.stage === 'open' && this.#dispatched.has(draft)) {
      throw new Impossible(`the call ${shown(id)} is dispatched already`, true)
    }
    this.#dispatched.add(draft)
    draft.state = startedState(draft.state)
    return this.#known(draft)
  }

  /** @throws {Impossible} when no such call waits for a result. */
  settle({ callId, name, call, state }: Omit<SettleEntry, 'type'>): JournalCall {
    const real = state.status === 'completed' || state.status === 'failed'
    const named = callId === '' ? this.#open.findByOrder(name, real) : this.#open.find(callId, real)
    const draft = this.#numbered(call, callId) ?? named
    if (draft === undefined) throw this.#notWaiting(callId, 'a result')
    this.#learn(draft, state)
    this.#open.settle(draft, state, real)
    return this.#known(draft)
  }

  /**
   * Numbers are exact but where a reader has lost records: then the id alone tells.
   * @throws {Impossible} when no such call is open.
   */
  close(number: number, id: string, state: ToolCallState): JournalCall {
    const draft = this.#numbered(number, id) ?? this.#open.find(id, false)
    if (draft === undefined) throw this.#notWaiting(id, 'a repair')
    this.#open.settle(draft, state, false)
    return this.#known(draft)
  }

  /** Calls that nobody goes on with when the process is gone: not those of the API, nor those that wait for approval. */
  forsaken(isActive: (message: number) => boolean): JournalCall[] {
    const found: JournalCall[] = []
    for (const [number, draft] of this.all.entries()) {
      if (draft.stage !== 'open' || draft.call.executor === 'provider' || !isActive(draft.message)) continue
      if (!this.#waitsForApproval(draft)) found.push({ number, draft })
    }
    return found
  }

  /** Undefined when it cannot be known: nobody promised to record the dispatch. */
  wasDispatched(draft: CallDraft): boolean | undefined {
    if (this.#dispatched.has(draft)) return true
    const isPromised = (draft.call as ToolCallEntry).state.status === 'pending'
    return isPromised && !this.#runUntold.has(draft.call.name) ? false : undefined
  }

  #numbered(number: number | undefined, id: string): CallDraft | undefined {
    const draft = number === undefined ? undefined : this.all[number]
    return draft?.call.id === id && draft.stage === 'open' ? draft : undefined
  }

  #waitsForApproval(draft: CallDraft): boolean {
    const { state } = draft
    return state?.status === 'pending' && state.reason === 'approval' && !this.#dispatched.has(draft)
  }

  #learn(draft: CallDraft, state: ToolCallState): void {
    if (state.status === 'pending' && state.reason === 'running') this.#dispatched.add(draft)
    if (state.status === 'completed' && !this.#dispatched.has(draft)) this.#runUntold.add(draft.call.name)
  }

  #known(draft: CallDraft): JournalCall {
    return { number: this.#numbers.get(draft) ?? -1, draft }
  }

  #notWaiting(id: string, what: string): Impossible {
    const known = id === '' ? undefined : this.#open.latest(id)
    if (known === undefined) return new Impossible(`${what} without a call of the id ${shown(id)}`)
    return new Impossible(`${what} of the call ${shown(id)}, which has its result`, true)
  }
}

/** Shown as running, and never again as known not to have started. */
function startedState(state: ToolCallState | undefined): ToolCallState {
  if (state?.status === 'interrupted') return { ...state, dispatched: true }
  return { status: 'pending', reason: 'running' }
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text)
}
