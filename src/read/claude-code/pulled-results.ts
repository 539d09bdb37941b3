import { callId, type Group, visitBlocks } from './group.ts'
import type { Link } from './link.ts'
import { idAt, isResult, type ResultBlock } from './messages.ts'
import { isCloser } from './results.ts'

/** A result by its place, since the record it stands in may not be held. */
export class PlacedResult {
  readonly link: Link
  /** Place in the content of the record. */
  readonly index: number
  readonly isCloser: boolean

  constructor(link: Link, index: number, block: ResultBlock) {
    this.link = link
    this.index = index
    this.isCloser = isCloser(block)
  }

  get block(): ResultBlock {
    return this.link.content?.[this.index] as ResultBlock
  }
}

export const NO_RESULTS: readonly PlacedResult[] = []

/** What a pull needs to know of the conversation. */
interface Around {
  groupOf(link: Link): Group | undefined
  isOnChain(link: Link): boolean
}

/** Gives messages the results of their calls that stand off the chain. */
export function pull(
  groups: readonly Group[],
  answers: readonly Link[],
  answered: Answered,
  { groupOf, isOnChain }: Around,
): void {
  const open = openCalls(groups, isOnChain, answered)
  if (open.size === 0) return
  const puller = new Puller(storedResults(answers, open), answered, groupOf)
  for (const group of groups) group.pulled = puller.resultsOf(group, isOnChain)
}

type Answered = ReadonlyMap<string, 'closed' | 'real'>

/** The results of one id in file order; those before `head` are taken. */
interface Stored {
  readonly list: PlacedResult[]
  head: number
}

type Results = ReadonlyMap<string, Stored>

function storedResults(answers: readonly Link[], wanted: ReadonlySet<string>): Results {
  const results = new Map<string, Stored>()
  for (const link of answers) {
    for (const [index, block] of (link.content ?? []).entries()) {
      if (!isResult(block)) continue
      const id = idAt(block, 'tool_use_id')
      if (wanted.has(id))
        made(results, id, () => ({ list: [], head: 0 })).list.push(new PlacedResult(link, index, block))
    }
  }
  return results
}

function made<T>(map: Map<string, T>, key: string, make: () => T): T {
  const found = map.get(key)
  if (found !== undefined) return found
  const fresh = make()
  map.set(key, fresh)
  return fresh
}

/** The ids that have a result on the chain: `closed` when it is only a closer. */
export function answeredOnChain(chain: readonly Link[], lane: string): Answered {
  const answered = new Map<string, 'closed' | 'real'>()
  for (const link of chain) {
    if (link.lane !== lane || !link.hasResults) continue
    for (const block of link.content ?? []) {
      if (!isResult(block)) continue
      const id = idAt(block, 'tool_use_id')
      if (!isCloser(block)) answered.set(id, 'real')
      else if (!answered.has(id)) answered.set(id, 'closed')
    }
  }
  return answered
}

/** The calls of messages that have no real result on the chain. */
function openCalls(
  groups: readonly Group[],
  isOnChain: (link: Link) => boolean,
  answered: Answered,
): ReadonlySet<string> {
  const open = new Set<string>()
  for (const group of groups) {
    visitBlocks(group, isOnChain, (block) => {
      const id = callId(block) ?? ''
      if (id !== '' && answered.get(id) !== 'real') open.add(id)
    })
  }
  return open
}

/** Of the results of one id no more are compared, so that a file of one id stays linear. */
const COMPARED = 32

/** Finds the results off the chain for calls that have no real one on it. */
class Puller {
  readonly #results: Results
  readonly #answered: Answered
  readonly #groupOf: Around['groupOf']
  readonly #taken = new Set<PlacedResult | undefined>()

  constructor(results: Results, answered: Answered, groupOf: Around['groupOf']) {
    this.#results = results
    this.#answered = answered
    this.#groupOf = groupOf
  }

  resultsOf(group: Group, isOnChain: (link: Link) => boolean): readonly PlacedResult[] {
    const pulled: PlacedResult[] = []
    visitBlocks(group, isOnChain, (block, _, __, isRepeated) => {
      const found = isRepeated ? undefined : this.#resultOf(callId(block) ?? '', group)
      if (found !== undefined) pulled.push(found)
    })
    return pulled.length === 0 ? NO_RESULTS : pulled.sort((a, b) => a.link.index - b.link.index)
  }

  #resultOf(id: string, group: Group): PlacedResult | undefined {
    const stored = this.#results.get(id)
    const best = stored === undefined ? undefined : this.#best(stored, group)
    if (best === undefined || (this.#answered.has(id) && best.isCloser)) return undefined
    this.#taken.add(best)
    return best
  }

  /** A real one before a closer, one of this branch before a copy elsewhere, then the first in the file. */
  #best(stored: Stored, group: Group): PlacedResult | undefined {
    while (stored.head < stored.list.length && this.#taken.has(stored.list[stored.head])) stored.head++
    const free = stored.list.slice(stored.head, stored.head + COMPARED).filter((result) => !this.#taken.has(result))
    const real = free.filter((result) => !result.isCloser)
    const eligible = real.length > 0 ? real : free
    return eligible.find(({ link }) => link.up !== undefined && this.#groupOf(link.up) === group) ?? eligible[0]
  }
}
