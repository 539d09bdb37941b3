import { isObject } from '../../model/json.ts'
import {
  blocksOf,
  contentOf,
  groupKey,
  idAt,
  isForScreenOnly,
  isOnlyResults,
  isResult,
  type ResultBlock,
} from './messages.ts'
import type { Link } from './records.ts'
import { isCloser } from './results.ts'

/** A content block with the record it stands in. */
export interface Placed<T = unknown> {
  readonly link: Link
  readonly block: T
}

/** One API message: its lines, wherever they stand in the file. */
export interface Group {
  readonly key: string
  /** In file order once completed. */
  readonly members: Link[]
  readonly blocks: Placed[]
  /** Blocks that stand a second time on a further line. */
  readonly repeated: Placed[]
  /** Results of its calls from lines off the chain, in file order. */
  readonly pulled: Placed<ResultBlock>[]
}

export interface Conversation {
  readonly groups: readonly Group[]
  groupOf(link: Link): Group | undefined
  /** The first group that makes this call. */
  callerOf(callId: string): Group | undefined
  /** All records that the messages are made of. */
  readonly used: ReadonlySet<Link>
}

/**
 * The messages along a chain. A parent chain passes through one of several parallel calls or results only, so their siblings are
 * added: every line with a message id of the chain, and the result of every call then present.
 */
export function converse(chain: readonly Link[], links: readonly Link[], lane: string): Conversation {
  const survey = surveyLane(links, lane)
  const used = new Set(chain)
  const { groups, ofLink, split } = gather(chain, lane)
  const callers = new Map<string, Group>()
  for (const group of groups) {
    if (!split.has(group.key)) complete(group, survey.lines.get(group.key) ?? [], used)
    fill(group, used)
    for (const { block } of group.blocks) {
      const id = callId(block)
      if (id !== undefined && !callers.has(id)) callers.set(id, group)
    }
  }
  const taken = new Set<ResultBlock>()
  for (const group of groups) pull(group, survey.results, new Set(group.members), { used, taken })
  for (const group of groups) for (const { link } of [...group.blocks, ...group.pulled]) used.add(link)
  return { groups, groupOf: (link) => ofLink.get(link), callerOf: (id) => callers.get(id), used }
}

interface Survey {
  readonly lines: ReadonlyMap<string, readonly Link[]>
  readonly results: ReadonlyMap<string, readonly Placed<ResultBlock>[]>
}

/** The lines of each message and the results of each call of a lane, over the whole file. */
function surveyLane(links: readonly Link[], lane: string): Survey {
  const lines = new Map<string, Link[]>()
  const results = new Map<string, Placed<ResultBlock>[]>()
  for (const link of links) {
    if (link.lane !== lane) continue
    if (link.type === 'assistant' && !isForScreenOnly(link)) add(lines, groupKey(link), link)
    if (link.type !== 'user') continue
    const message = link.record.message
    if (!isObject(message) || !Array.isArray(message.content)) continue
    for (const block of blocksOf(message.content) ?? []) {
      if (isResult(block)) add(results, idAt(block, 'tool_use_id'), { link, block })
    }
  }
  return { lines, results }
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

interface Gathered {
  readonly groups: readonly Group[]
  readonly ofLink: ReadonlyMap<Link, Group>
  /** Keys that name several messages. */
  readonly split: ReadonlySet<string>
}

/**
 * Some proxies give every answer the same message id: a prompt in between, without a common request id, begins a new message, and
 * such an id gathers nothing from off the chain.
 */
function gather(chain: readonly Link[], lane: string): Gathered {
  const groups: Group[] = []
  const ofLink = new Map<Link, Group>()
  const open = new Map<string, { readonly group: Group; readonly prompts: number }>()
  const split = new Set<string>()
  let prompts = 0
  for (const link of chain) {
    if (link.lane !== lane) continue
    if (link.type === 'user' && link.record.isMeta !== true && !isOnlyResults(link)) prompts++
    if (link.type !== 'assistant' || isForScreenOnly(link)) continue
    const key = groupKey(link)
    const known = open.get(key)
    if (known !== undefined && (known.prompts === prompts || sameRequest(known.group, link))) {
      known.group.members.push(link)
      ofLink.set(link, known.group)
      continue
    }
    if (known !== undefined) split.add(key)
    const group: Group = { key, members: [link], blocks: [], repeated: [], pulled: [] }
    groups.push(group)
    ofLink.set(link, group)
    open.set(key, { group, prompts })
  }
  return { groups, ofLink, split }
}

function sameRequest(group: Group, link: Link): boolean {
  const request = link.record.requestId
  return typeof request === 'string' && request !== '' && group.members[0]?.record.requestId === request
}

function complete(group: Group, lines: readonly Link[], chain: ReadonlySet<Link>): void {
  for (const line of lines) if (!chain.has(line)) group.members.push(line)
  group.members.sort((a, b) => a.index - b.index)
}

/** The blocks of a message in file order. Lines off the chain add only what the chain does not have. */
function fill(group: Group, chain: ReadonlySet<Link>): void {
  const present = group.members.every((link) => chain.has(link)) ? undefined : identities(group, chain)
  const calls = new Set<string>()
  for (const link of group.members) {
    const known = chain.has(link) ? undefined : present
    for (const block of contentOf(link) ?? []) {
      if (known?.has(identity(block) ?? '') === true) continue
      const id = callId(block) ?? ''
      if (calls.has(id)) group.repeated.push({ link, block })
      else group.blocks.push({ link, block })
      if (id !== '') calls.add(id)
    }
  }
}

/** What the lines on the chain hold. */
function identities(group: Group, chain: ReadonlySet<Link>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const link of group.members) {
    const blocks = chain.has(link) ? contentOf(link) : undefined
    for (const block of blocks ?? []) {
      const name = identity(block)
      if (name !== undefined) found.add(name)
    }
  }
  return found
}

function callId(block: unknown): string | undefined {
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

/** Results that stand off the chain, for calls that have no real one on it. */
function pull(
  group: Group,
  results: Survey['results'],
  members: ReadonlySet<Link>,
  { used, taken }: { readonly used: ReadonlySet<Link>; readonly taken: Set<ResultBlock> },
): void {
  for (const { block } of group.blocks) {
    const id = callId(block)
    if (id === undefined || id === '') continue
    const stored = results.get(id) ?? []
    if (stored.some((result) => used.has(result.link) && !isCloser(result.block))) continue
    const best = bestOf(
      stored.filter((result) => !used.has(result.link) && !taken.has(result.block)),
      members,
    )
    if (best === undefined) continue
    if (isCloser(best.block) && stored.some((result) => used.has(result.link))) continue
    taken.add(best.block)
    group.pulled.push(best)
  }
  group.pulled.sort((a, b) => a.link.index - b.link.index)
}

/** A real one before a closer, one of this branch before a copy elsewhere, then the first in the file. */
function bestOf(results: readonly Placed<ResultBlock>[], members: ReadonlySet<Link>): Placed<ResultBlock> | undefined {
  const real = results.filter((result) => !isCloser(result.block))
  const eligible = real.length > 0 ? real : results
  return eligible.find(({ link }) => link.up !== undefined && members.has(link.up)) ?? eligible[0]
}
