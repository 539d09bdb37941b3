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

  /** The call that a result takes: `real` ones also take a call that has only a closer. */
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

/** Finds the call of a result: by id, or, where the source stored no ids, by name and order. */
export class OpenCalls {
  readonly #all: CallDraft[] = []
  readonly #byId = new Map<string, Chain>()
  /** Built at the first result without an id: most sources have none. */
  #byOrder: Map<string, Chain> | undefined

  add(call: CallDraft): void {
    this.#all.push(call)
    if (call.call.id !== '') addTo(this.#byId, call.call.id, call)
    if (this.#byOrder !== undefined) this.#addByOrder(this.#byOrder, call)
  }

  find(id: string, real: boolean): CallDraft | undefined {
    return this.#byId.get(id)?.find(real)
  }

  /** The last call of an id, whether it still takes results or not. */
  latest(id: string): CallDraft | undefined {
    return this.#byId.get(id)?.latest
  }

  /**
   * The call of a result without an id: one of its name, those without an id first; else one without an id; a result
   * without a name too takes any.
   */
  findByOrder(name: string | undefined, real: boolean): CallDraft | undefined {
    this.#byOrder ??= this.#indexByOrder()
    const keys = name === undefined ? ['no id', 'any'] : [`no id, name ${name}`, `name ${name}`, 'no id']
    for (const key of keys) {
      const call = this.#byOrder.get(key)?.find(real)
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
    this.#byId.get(call.call.id)?.close(call)
    if (this.#byOrder !== undefined) closeByOrder(this.#byOrder, call)
  }

  #indexByOrder(): Map<string, Chain> {
    const index = new Map<string, Chain>()
    for (const call of this.#all) this.#addByOrder(index, call)
    const closed = this.#all.filter((call) => call.stage === 'closed')
    closed.sort((a, b) => (a.answeredAt ?? 0) - (b.answeredAt ?? 0))
    for (const call of closed) closeByOrder(index, call)
    return index
  }

  #addByOrder(index: Map<string, Chain>, call: CallDraft): void {
    for (const key of orderKeys(call)) addTo(index, key, call)
  }
}

function orderKeys(draft: CallDraft): string[] {
  const { id, name } = draft.call
  return id === '' ? ['any', `name ${name}`, 'no id', `no id, name ${name}`] : ['any', `name ${name}`]
}

function closeByOrder(index: Map<string, Chain>, call: CallDraft): void {
  for (const key of orderKeys(call)) index.get(key)?.close(call)
}

function addTo(index: Map<string, Chain>, key: string, call: CallDraft): void {
  const chain = index.get(key)
  if (chain === undefined) index.set(key, new Chain(call))
  else chain.add(call)
}
