import type { ToolCallEntry, ToolCallState } from '../model/session.ts'

/** A call as a reader sees it: without its outcome. */
export type OpenCall = Omit<ToolCallEntry, 'state' | 'resultOrder'>

/** A call on its way to an entry. */
export interface CallDraft {
  readonly call: OpenCall | ToolCallEntry
  /** Index of its message, and of the call among the parts of that message. */
  readonly message: number
  readonly part: number
  readonly turn: number
  /** The run of adjacent assistant messages in which it stands. */
  readonly run: number
  readonly line: number | undefined
  state: ToolCallState | undefined
  /** `open`: takes any result. `closed`: takes a real one, its own is only a closer. `settled`: takes none. */
  stage: 'open' | 'closed' | 'settled'
  /** When its result came, counted over the results of the source. */
  answeredAt: number | undefined
}

/** First in, first out; what is no longer `stage` is passed over, and never looked at again. */
class Queue {
  readonly #stage: CallDraft['stage']
  readonly #calls: CallDraft[] = []
  #head = 0

  constructor(stage: CallDraft['stage']) {
    this.#stage = stage
  }

  push(call: CallDraft): void {
    this.#calls.push(call)
  }

  first(): CallDraft | undefined {
    while (this.#head < this.#calls.length && this.#calls[this.#head]?.stage !== this.#stage) this.#head++
    return this.#calls[this.#head]
  }
}

/** The calls of one key in one turn. */
interface TurnGroup {
  readonly turn: number
  readonly open: Queue
  closed: Queue | undefined
}

/**
 * The calls of one key (an id, a name). A result takes those of the nearest earlier turn, and of them the oldest; of
 * those that have only a closer, the one that was closed first.
 * Two stacks of the same groups, because a closer must find an open call below groups that only a real result can use;
 * each group leaves each stack once, so that a hundred thousand calls of one id stay linear.
 */
class Chain {
  readonly #takers: TurnGroup[] = []
  readonly #open: TurnGroup[] = []
  latest: CallDraft

  constructor(call: CallDraft) {
    this.latest = call
    this.add(call)
  }

  add(call: CallDraft): void {
    this.latest = call
    const top = this.#takers.at(-1)
    const group = top?.turn === call.turn ? top : { turn: call.turn, open: new Queue('open'), closed: undefined }
    group.open.push(call)
    if (group !== top) this.#takers.push(group)
    if (this.#open.at(-1) !== group) this.#open.push(group)
  }

  find(real: boolean): CallDraft | undefined {
    return real ? this.#nearestTaker() : this.#nearestOpen()
  }

  /** The call got a closer: a real result may still come. */
  close(call: CallDraft): void {
    const group = this.#groupOf(call.turn)
    if (group === undefined) return
    group.closed ??= new Queue('closed')
    group.closed.push(call)
  }

  /** Groups stand in the order of their turns. */
  #groupOf(turn: number): TurnGroup | undefined {
    let low = 0
    let high = this.#takers.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#takers[middle]?.turn ?? turn) < turn) low = middle + 1
      else high = middle
    }
    const group = this.#takers[low]
    return group?.turn === turn ? group : undefined
  }

  #nearestOpen(): CallDraft | undefined {
    for (;;) {
      const call = this.#open.at(-1)?.open.first()
      if (call !== undefined) return call
      if (this.#open.pop() === undefined) return undefined
    }
  }

  #nearestTaker(): CallDraft | undefined {
    for (;;) {
      const group = this.#takers.at(-1)
      const call = group?.open.first() ?? group?.closed?.first()
      if (call !== undefined) return call
      if (this.#takers.pop() === undefined) return undefined
    }
  }
}

/** Calls by key. A key of one call, as ids should be, holds the call itself: most histories have no other. */
class CallIndex {
  readonly #calls = new Map<string, CallDraft | Chain>()

  add(key: string, call: CallDraft): void {
    const known = this.#calls.get(key)
    if (known === undefined) this.#calls.set(key, call)
    else if (known instanceof Chain) known.add(call)
    else this.#calls.set(key, chainOf(known, call))
  }

  /** Without the short way for single calls: of many calls, it would not know which was closed first. */
  addToChain(key: string, call: CallDraft): void {
    const known = this.#calls.get(key)
    if (known instanceof Chain) known.add(call)
    else this.#calls.set(key, new Chain(call))
  }

  /** The call that a result takes: `real` ones also take a call that has only a closer. */
  find(key: string, real: boolean): CallDraft | undefined {
    const known = this.#calls.get(key)
    if (known instanceof Chain) return known.find(real)
    return known?.stage === 'open' || (real && known?.stage === 'closed') ? known : undefined
  }

  /** The last call of a key, whether it still takes results or not. */
  latest(key: string): CallDraft | undefined {
    const known = this.#calls.get(key)
    return known instanceof Chain ? known.latest : known
  }

  close(key: string, call: CallDraft): void {
    const known = this.#calls.get(key)
    if (known instanceof Chain) known.close(call)
  }
}

function chainOf(first: CallDraft, second: CallDraft): Chain {
  const chain = new Chain(first)
  if (first.stage === 'closed') chain.close(first)
  chain.add(second)
  return chain
}

/** Finds the call of a result: by id, or, where the source stored no ids, by name and order. */
export class OpenCalls {
  readonly #all: CallDraft[] = []
  readonly #byId = new CallIndex()
  /** Built at the first result without an id: most sources have none. */
  #byOrder: CallIndex | undefined

  add(call: CallDraft): void {
    this.#all.push(call)
    if (call.call.id !== '') this.#byId.add(call.call.id, call)
    if (this.#byOrder !== undefined) addByOrder(this.#byOrder, call)
  }

  find(id: string, real: boolean): CallDraft | undefined {
    return this.#byId.find(id, real)
  }

  /** The last call of an id, whether it still takes results or not. */
  latest(id: string): CallDraft | undefined {
    return this.#byId.latest(id)
  }

  /**
   * The call of a result without an id: one of its name, those without an id first; else one without an id; a result
   * without a name too takes any.
   */
  findByOrder(name: string | undefined, real: boolean): CallDraft | undefined {
    this.#byOrder ??= indexByOrder(this.#all)
    const keys = name === undefined ? ['no id', 'any'] : [`no id, name ${name}`, `name ${name}`, 'no id']
    for (const key of keys) {
      const call = this.#byOrder.find(key, real)
      if (call !== undefined) return call
    }
    return undefined
  }

  /** Gives a call its outcome. A closer leaves it open to a real result, a pending state to any. */
  settle(call: CallDraft, state: ToolCallState, real: boolean): void {
    call.state = state
    if (state.status === 'pending') return
    const was = call.stage
    call.stage = real ? 'settled' : 'closed'
    if (call.stage === was || real) return
    this.#byId.close(call.call.id, call)
    if (this.#byOrder !== undefined) closeByOrder(this.#byOrder, call)
  }
}

function indexByOrder(calls: readonly CallDraft[]): CallIndex {
  const index = new CallIndex()
  for (const call of calls) addByOrder(index, call)
  const closed = calls.filter((call) => call.stage === 'closed')
  closed.sort((a, b) => (a.answeredAt ?? 0) - (b.answeredAt ?? 0))
  for (const call of closed) closeByOrder(index, call)
  return index
}

function addByOrder(index: CallIndex, call: CallDraft): void {
  for (const key of orderKeys(call)) index.addToChain(key, call)
}

function orderKeys(draft: CallDraft): string[] {
  const { id, name } = draft.call
  return id === '' ? ['any', `name ${name}`, 'no id', `no id, name ${name}`] : ['any', `name ${name}`]
}

function closeByOrder(index: CallIndex, call: CallDraft): void {
  for (const key of orderKeys(call)) index.close(key, call)
}
