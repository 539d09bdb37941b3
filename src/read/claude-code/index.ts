import { change } from '../../model/change.ts'
import { ReadError } from '../../model/error.ts'
import type { Change } from '../../model/session.ts'
import { type LeftOut, withoutNode } from '../branches.ts'
import { CIRCLE } from '../circle.ts'
import type { Reader, ReadOptions, ReadResult, Source } from '../reader.ts'
import { SUMMARY_LEFT_OUT } from '../summary-left-out.ts'
import { otherBranches } from './branches.ts'
import { connect, walk } from './chain.ts'
import { afterCompaction, beforeCompaction, isBoundary, isPoint, withoutSummaries } from './compaction.ts'
import { type Conversation, converse } from './conversation.ts'
import { detect } from './detect.ts'
import { activeLeaf, mainLane, type Spoken, spokenTree } from './leaf.ts'
import type { Link } from './link.ts'
import { type Records, sortRecords } from './records.ts'
import { Replay } from './replay.ts'
import { sessionFields } from './session.ts'

/** Transcripts of Claude Code: main sessions, and the files of its sub-agents. */
export const reader: Reader = { format: 'claude-code', hasBranches: true, detect, read }

function read(source: Source, options: ReadOptions): Omit<ReadResult, 'format'> {
  const records = sortRecords(source)
  if (records.known === 0) throw new ReadError('no record of a transcript found', { format: 'claude-code' })
  connect(records)
  const tree = spokenTree(records.links)
  const leaf = options.leaf === undefined ? activeLeaf(tree, mainLane(tree)) : named(options.leaf, records)
  return leaf === undefined ? withoutMessages(records) : readBranch(leaf, tree, records, options)
}

function named(leaf: string, { byUuid }: Records): Link {
  const link = byUuid.get(leaf)
  if (link === undefined) throw new ReadError(`no record has the id ${JSON.stringify(leaf)}`, { format: 'claude-code' })
  return link
}

/** A session that was opened and closed. */
function withoutMessages({ changes, notes }: Records): Omit<ReadResult, 'format'> {
  const title = notes.customTitle || notes.aiTitle
  const session = { version: 1, source: { format: 'claude-code' }, ...(title ? { title } : {}), messages: [] } as const
  return { session, changes, branches: [] }
}

function readBranch(leaf: Link, tree: Spoken, records: Records, options: ReadOptions): Omit<ReadResult, 'format'> {
  const { links, byUuid, notes } = records
  const { chain: whole, circle } = walk(leaf, links.length, (link) => beforeCompaction(link, byUuid))
  const { chain, changes } = options.history === 'full' ? everything(whole, byUuid) : activeWindow(whole, byUuid)
  if (circle !== undefined) changes.push(change('history-truncated', { line: circle.line }, { message: CIRCLE }))
  const conversation = converse(chain, links, leaf.lane)
  const replay = new Replay(conversation, options)
  for (const link of chain) if (link.lane === leaf.lane) replay.tell(link)
  const told = replay.finish()
  const left = otherBranches(tree, takenBy(conversation, whole, links.length))
  const branches = left.filter((branch) => !isStray(branch))
  return {
    session: { ...sessionFields({ links, chain: whole, leaf, notes }), messages: told.messages },
    changes: [
      ...records.changes,
      ...changes,
      ...told.changes,
      ...left.filter(isStray).flatMap((branch) => strays(branch, tree)),
      ...branches.map((branch) => leftOut(branch, leaf)),
    ],
    branches: branches.map(withoutNode),
  }
}

interface Window {
  readonly chain: readonly Link[]
  readonly changes: Change[]
}

/** What the tool itself would send. */
function activeWindow(whole: readonly Link[], byUuid: Records['byUuid']): Window {
  const { chain, point } = afterCompaction(whole, byUuid)
  const changes = point === undefined ? [] : [change('compaction-applied', { line: point.line })]
  for (const link of chain) if (link.gap && !isPoint(link)) changes.push(truncated(link, link.record.parentUuid))
  return { chain, changes }
}

/** Every message of the branch that is stored. */
function everything(whole: readonly Link[], byUuid: Records['byUuid']): Window {
  const { chain, dropped } = withoutSummaries(whole)
  const changes = dropped.map((link) => change('message-left-out', { line: link.line }, { message: SUMMARY_LEFT_OUT }))
  for (const link of chain) {
    const logical = isBoundary(link) ? link.record.logicalParentUuid : undefined
    if (typeof logical === 'string' && !byUuid.has(logical)) changes.push(truncated(link, logical))
    else if (link.gap) changes.push(truncated(link, link.record.parentUuid))
  }
  return { chain, changes }
}

function truncated(link: Link, parent: unknown): Change {
  return change('history-truncated', { line: link.line }, { before: parent })
}

/** Whether a record is in the conversation, or belongs to what a compaction cut. */
function takenBy(conversation: Conversation, whole: readonly Link[], count: number): (link: Link) => boolean {
  const taken = new Uint8Array(count)
  for (const link of whole) taken[link.index] = 1
  let keys: ReadonlySet<string> | undefined
  const isGathered = (link: Link): boolean => {
    keys ??= new Set(whole.filter((other) => other.type === 'assistant').map((other) => other.key))
    return keys.has(link.key)
  }
  return (link) => {
    if (taken[link.index] === 1 || conversation.uses(link)) return true
    if (link.type === 'assistant') return isGathered(link)
    const caller = link.onlyResults ? callerOf(link) : undefined
    // Results of parallel calls that a compaction cut stand off the chain, as their calls do.
    return caller !== undefined && !conversation.uses(caller) && (taken[caller.index] === 1 || isGathered(caller))
  }
}

/** The line that a record of results hangs on, others of the same message between. */
function callerOf(link: Link): Link | undefined {
  const seen = new Set<Link>()
  let above = link.up
  while (above !== undefined && above.type !== 'assistant' && !seen.has(above)) {
    if (above.isSpoken && !above.onlyResults) return undefined
    seen.add(above)
    above = above.up
  }
  return above
}

/** Results that hang on nothing that is stored: read as a branch, they would be no conversation. */
const isStray = ({ messages, parent }: LeftOut<Link>): boolean => messages === 0 && parent === undefined

function strays({ node }: LeftOut<Link>, tree: Spoken): readonly Change[] {
  const seen = new Set<Link>()
  let link: Link | undefined = node
  while (link !== undefined && !seen.has(link)) {
    seen.add(link)
    link = tree.before(link)
  }
  return [...seen].map(({ line, content }) => change('orphan-result', { line }, { before: content }))
}

function leftOut(branch: LeftOut<Link>, leaf: Link): Change {
  const at = { line: branch.node.line }
  if (branch.node.lane === leaf.lane) return change('branch-left-out', at, { before: branch.preview })
  return change('branch-left-out', at, { message: OTHER_LANE, before: branch.preview })
}

const OTHER_LANE = 'The conversation of another agent in the same file was not taken.'
