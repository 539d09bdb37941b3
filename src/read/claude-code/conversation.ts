import type { Group } from './group.ts'
import type { Link } from './link.ts'
import { answeredOnChain, NO_RESULTS, pull } from './pulled-results.ts'

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
  const keys = new Set(groups.map(({ key }) => key))
  const survey = surveyOffChain(links, (link) => link.lane === lane && !isOnChain(link), keys)
  for (const group of groups) {
    const lines = split.has(group.key) ? undefined : survey.lines.get(group.key)
    if (lines === undefined) continue
    complete(group, lines)
    for (const line of lines) ofLink[line.index] = group
  }
  const groupOf = (link: Link): Group | undefined => ofLink[link.index]
  if (survey.answers.length > 0) pull(groups, survey.answers, answeredOnChain(chain, lane), { groupOf, isOnChain })
  for (const group of groups) {
    if (group.mixed) for (const link of group.members) marks[link.index] ||= ADDED
    for (const { link } of group.pulled) marks[link.index] ||= ADDED
  }
  return { groupOf, isOnChain, uses: (link) => marks[link.index] !== 0 }
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
    if (link.type !== 'assistant' || link.screenOnly) continue
    const key = link.key
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

const isPrompt = (link: Link): boolean => link.type === 'user' && link.record.isMeta !== true && !link.onlyResults

function sameRequest(group: Group, link: Link): boolean {
  const request = link.record.requestId
  return typeof request === 'string' && request !== '' && group.members[0]?.record.requestId === request
}

interface Survey {
  readonly lines: ReadonlyMap<string, readonly Link[]>
  /** Records with results. */
  readonly answers: readonly Link[]
}

/** The lines of messages of the chain, and the results, that the chain does not pass through. */
function surveyOffChain(
  links: readonly Link[],
  isOffChain: (link: Link) => boolean,
  keys: ReadonlySet<string>,
): Survey {
  const lines = new Map<string, Link[]>()
  const answers: Link[] = []
  for (const link of links) {
    if (!isOffChain(link)) continue
    if (link.type === 'user' && link.hasResults) answers.push(link)
    if (link.type !== 'assistant' || link.screenOnly || !keys.has(link.key)) continue
    const others = lines.get(link.key)
    if (others === undefined) lines.set(link.key, [link])
    else others.push(link)
  }
  return { lines, answers }
}

function complete(group: Group, lines: readonly Link[]): void {
  for (const line of lines) group.members.push(line)
  group.members.sort((a, b) => a.index - b.index)
  group.mixed = true
}
