import { isObject } from '../../model/json.ts'
import { idAt, isResult, type ResultBlock } from './messages.ts'
import type { Link } from './records.ts'
import { isCloser } from './results.ts'

/** A result with the record it stands in. */
export interface PlacedResult {
  readonly link: Link
  readonly block: ResultBlock
}

/** One API message: its lines, wherever they stand in the file. */
export interface Group {
  readonly key: string
  /** In file order once completed. */
  readonly members: Link[]
  /** How many prompts stood before its first line. */
  readonly prompts: number
  /** Lines from off the chain are among the members. */
  mixed: boolean
  /** Results of its calls from lines off the chain, in file order. */
  pulled: readonly PlacedResult[]
}

export interface Conversation {
  groupOf(link: Link): Group | undefined
  isOnChain(link: Link): boolean
  /** Whether the messages take something from a record. */
  uses(link: Link): boolean
}

const ON_CHAIN = 1
const ADDED = 2

/**
 * The messages along a chain. A parent chain passes through one of several parallel calls or results only, so their siblings are
 * added: every line with a message id of the chain, and the result of every call then present.
 */
export function converse(chain: readonly Link[], links: readonly Link[], lane: string): Conversation {
  const marks = new Uint8Array(links.length)
  for (const link of chain) marks[link.index] = ON_CHAIN
  const isOnChain = (link: Link): boolean => marks[link.index] === ON_CHAIN
  const { groups, ofLink, split } = gather(chain, lane)
  const survey = surveyOffChain(links, lane, isOnChain)
  for (const group of groups) {
    const lines = split.has(group.key) ? undefined : survey.lines.get(group.key)
    if (lines === undefined) continue
    complete(group, lines)
    for (const line of lines) ofLink[line.index] = group
  }
  if (survey.results.size > 0) {
    const puller = new Puller(survey.results, answeredOnChain(chain, lane), ofLink)
    for (const group of groups) group.pulled = puller.resultsOf(group, isOnChain)
  }
  for (const group of groups) {
    if (group.mixed) for (const link of group.members) marks[link.index] ||= ADDED
    for (const { link } of group.pulled) marks[link.index] ||= ADDED
  }
  return { groupOf: (link) => ofLink[link.index], isOnChain, uses: (link) => marks[link.index] !== 0 }
}

interface Gathered {
  readonly groups: readonly Group[]
  /** By the index of a link. */
  readonly ofLink: (Group | undefined)[]
  /** Keys that name several messages. */
  readonly split: ReadonlySet<string>
}

/**
 * Some proxies give every answer the same message id: a prompt in between, without a common request id, begins a new message, and
 * such an id gathers nothing from off the chain.
 */
function gather(chain: readonly Link[], lane: string): Gathered {
  const groups: Group[] = []
  const ofLink: (Group | undefined)[] = []
  const open = new Map<string, Group>()
  const split = new Set<string>()
  let prompts = 0
  for (const link of chain) {
    if (link.lane !== lane) continue
    if (isPrompt(link)) prompts++
    if (link.type !== 'assistant' || link.said.screenOnly) continue
    const key = link.said.key
    const known = open.get(key)
    if (known !== undefined && (known.prompts === prompts || sameRequest(known, link))) {
      known.members.push(link)
      ofLink[link.index] = known
      continue
    }
    if (known !== undefined) split.add(key)
    const group: Group = { key, members: [link], prompts, mixed: false, pulled: NO_RESULTS }
    groups.push(group)
    ofLink[link.index] = group
    open.set(key, group)
  }
  return { groups, ofLink, split }
}

const NO_RESULTS: readonly PlacedResult[] = []

const isPrompt = (link: Link): boolean => link.type === 'user' && link.record.isMeta !== true && !link.said.onlyResults

function sameRequest(group: Group, link: Link): boolean {
  const request = link.record.requestId
  return typeof request === 'string' && request !== '' && group.members[0]?.record.requestId === request
}

interface Survey {
  readonly lines: ReadonlyMap<string, readonly Link[]>
  readonly results: ReadonlyMap<string, Stored>
}

/** The results of one id in file order; those before `head` are taken. */
interface Stored {
  readonly list: PlacedResult[]
  head: number
}

/** The lines and the results of a lane that its chain does not pass through. */
function surveyOffChain(links: readonly Link[], lane: string, isOnChain: (link: Link) => boolean): Survey {
  const lines = new Map<string, Link[]>()
  const results = new Map<string, Stored>()
  for (const link of links) {
    if (link.lane !== lane || isOnChain(link)) continue
    if (link.type === 'assistant' && !link.said.screenOnly) made(lines, link.said.key, () => []).push(link)
    if (link.type !== 'user') continue
    for (const block of link.said.content ?? []) {
      if (!isResult(block)) continue
      made(results, idAt(block, 'tool_use_id'), () => ({ list: [], head: 0 })).list.push({ link, block })
    }
  }
  return { lines, results }
}

function made<T>(map: Map<string, T>, key: string, make: () => T): T {
  const found = map.get(key)
  if (found !== undefined) return found
  const fresh = make()
  map.set(key, fresh)
  return fresh
}

function complete(group: Group, lines: readonly Link[]): void {
  for (const line of lines) group.members.push(line)
  group.members.sort((a, b) => a.index - b.index)
  group.mixed = true
}

/** The ids that have a result on the chain: `closed` when it is only a closer. */
function answeredOnChain(chain: readonly Link[], lane: string): ReadonlyMap<string, 'closed' | 'real'> {
  const answered = new Map<string, 'closed' | 'real'>()
  for (const link of chain) {
    if (link.lane !== lane) continue
    for (const block of link.said.content ?? []) {
      if (!isResult(block)) continue
      const id = idAt(block, 'tool_use_id')
      if (!isCloser(block)) answered.set(id, 'real')
      else if (!answered.has(id)) answered.set(id, 'closed')
    }
  }
  return answered
}

/** Of the results of one id no more are compared, so that a file of one id stays linear. */
const COMPARED = 32

/** Finds the results off the chain for calls that have no real one on it. */
class Puller {
  readonly #results: Survey['results']
  readonly #answered: ReadonlyMap<string, 'closed' | 'real'>
  readonly #ofLink: Gathered['ofLink']
  readonly #taken = new Set<ResultBlock>()

  constructor(
    results: Survey['results'],
    answered: ReadonlyMap<string, 'closed' | 'real'>,
    ofLink: Gathered['ofLink'],
  ) {
    this.#results = results
    this.#answered = answered
    this.#ofLink = ofLink
  }

  resultsOf(group: Group, isOnChain: (link: Link) => boolean): readonly PlacedResult[] {
    const pulled: PlacedResult[] = []
    visitBlocks(group, isOnChain, (block, _, isRepeated) => {
      const found = isRepeated ? undefined : this.#resultOf(callId(block) ?? '', group)
      if (found !== undefined) pulled.push(found)
    })
    return pulled.length === 0 ? NO_RESULTS : pulled.sort((a, b) => a.link.index - b.link.index)
  }

  #resultOf(id: string, group: Group): PlacedResult | undefined {
    const stored = id === '' || this.#answered.get(id) === 'real' ? undefined : this.#results.get(id)
    const best = stored === undefined ? undefined : this.#best(stored, group)
    if (best === undefined || (this.#answered.has(id) && isCloser(best.block))) return undefined
    this.#taken.add(best.block)
    return best
  }

  /** A real one before a closer, one of this branch before a copy elsewhere, then the first in the file. */
  #best(stored: Stored, group: Group): PlacedResult | undefined {
    while (stored.head < stored.list.length && this.#isTaken(stored.list[stored.head])) stored.head++
    const free = stored.list.slice(stored.head, stored.head + COMPARED).filter((result) => !this.#isTaken(result))
    const real = free.filter((result) => !isCloser(result.block))
    const eligible = real.length > 0 ? real : free
    return eligible.find(({ link }) => link.up !== undefined && this.#ofLink[link.up.index] === group) ?? eligible[0]
  }

  #isTaken(result: PlacedResult | undefined): boolean {
    return result !== undefined && this.#taken.has(result.block)
  }
}

type Visit = (block: unknown, link: Link, isRepeated: boolean) => void

/** The blocks of a message in file order. Lines off the chain add only what the chain does not have. */
export function visitBlocks(group: Group, isOnChain: (link: Link) => boolean, visit: Visit): void {
  const present = group.mixed ? identities(group, isOnChain) : undefined
  const calls = group.members.length > 1 ? new Set<string>() : undefined
  for (const link of group.members) {
    const known = isOnChain(link) ? undefined : present
    for (const block of link.said.content ?? []) {
      if (known?.has(identity(block) ?? '') === true) continue
      const id = calls === undefined ? '' : (callId(block) ?? '')
      visit(block, link, calls?.has(id) === true)
      if (id !== '') calls?.add(id)
    }
  }
}

/** What the lines on the chain hold. */
function identities(group: Group, isOnChain: (link: Link) => boolean): ReadonlySet<string> {
  const found = new Set<string>()
  for (const link of group.members) {
    const blocks = isOnChain(link) ? link.said.content : undefined
    for (const block of blocks ?? []) {
      const name = identity(block)
      if (name !== undefined) found.add(name)
    }
  }
  return found
}

/** Of a call of the client, '' where none is stored. */
export function callId(block: unknown): string | undefined {
  return isObject(block) && block.type === 'tool_use' ? idAt(block, 'id') : undefined
}

/** What makes two blocks of one message the same block. */
function identity(block: unknown): string | undefined {
  if (!isObject(block)) return undefined
  const key = IDENTITIES.get(block.type)
  const value = key === undefined ? undefined : block[key]
  return typeof value === 'string' && value !== '' ? `${String(block.type)} ${value}` : undefined
}

const IDENTITIES: ReadonlyMap<unknown, string> = new Map([
  ['text', 'text'],
  ['thinking', 'signature'],
  ['redacted_thinking', 'data'],
  ['tool_use', 'id'],
  ['server_tool_use', 'id'],
  ['mcp_tool_use', 'id'],
])
