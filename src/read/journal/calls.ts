import type { AssistantPart, ToolCallEntry, ToolCallState } from '../../model/session.ts'
import { type CallDraft, OpenCalls } from '../open-calls.ts'
import type { DispatchedCall, SettleEntry } from './record.ts'

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

/** Which calls are open, which were dispatched, and which result is whose. */
export class JournalCalls {
  readonly all: JournalCall[] = []
  /** Of the same calls. */
  readonly #open = new OpenCalls()
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
    this.#open.add(draft)
  }

  /** @throws {Impossible} when no such call waits, or it runs already. */
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

  /** @throws {Impossible} when no such call waits for a result. */
  settle({ callId, name, call, state }: Omit<SettleEntry, 'type'>): JournalCall {
    const real = state.status === 'completed' || state.status === 'failed'
    const draft = this.#numbered(call, callId) ?? (callId === '' ? this.#first(name, real) : this.#find(callId, real))
    if (draft === undefined) throw this.#notWaiting(callId, 'a result')
    this.#learn(draft, state)
    this.#open.settle(draft, state, real)
    return draft
  }

  /**
   * Numbers are exact but where a reader has lost records: then the id alone tells.
   * @throws {Impossible} when no such call is open.
   */
  close(number: number, id: string, state: ToolCallState): JournalCall {
    const draft = this.#numbered(number, id) ?? this.#find(id, false)
    if (draft === undefined) throw this.#notWaiting(id, 'a repair')
    this.#open.settle(draft, state, false)
    return draft
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

/** Shown as running, and never again as known not to have started. */
function startedState(state: ToolCallState | undefined): ToolCallState {
  if (state?.status === 'interrupted') return { ...state, dispatched: true }
  return { status: 'pending', reason: 'running' }
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text)
}
