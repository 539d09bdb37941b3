import { change } from '../../model/change.ts'
import { ReadError } from '../../model/error.ts'
import { valueAt } from '../../model/json.ts'
import { type Assembler, assembler } from '../assemble.ts'
import { withoutNode } from '../branches.ts'
import { CIRCLE } from '../circle.ts'
import type { Reader, ReadOptions, ReadResult, Source } from '../reader.ts'
import { SUMMARY_LEFT_OUT } from '../summary-left-out.ts'
import { otherBranches } from './branches.ts'
import { lastNode, walk } from './chain.ts'
import { detect } from './detect.ts'
import { lineOf, type Node, type Records, sortRecords } from './records.ts'
import { Replay } from './replay.ts'
import { sessionFields } from './session.ts'

/** Sessions of Qwen Code, and the files of its sub-agents. */
export const reader: Reader = { format: 'qwen-code', hasBranches: true, detect, read }

function read(source: Source, options: ReadOptions): Omit<ReadResult, 'format'> {
  const records = sortRecords(source)
  const leaf = leafOf(records, options)
  const { chain, gaps, circle } = walk(leaf, records.nodes)
  const into = assembler({ unanswered: 'interrupted' })
  for (const found of records.changes) into.report(found)
  for (const node of gaps) into.report(change('history-truncated', lineOf(node), { before: node.head.parentUuid }))
  if (circle !== undefined) into.report(change('history-truncated', lineOf(circle), { message: CIRCLE }))
  replay(chain, options, into)
  const branches = otherBranches(records.nodes, chain)
  for (const { node, preview } of branches) into.report(change('branch-left-out', lineOf(node), { before: preview }))
  const { messages, changes } = into.finish()
  return {
    session: { ...sessionFields(chain, records.nodes), messages },
    changes,
    branches: branches.map(withoutNode),
  }
}

function leafOf({ nodes, byUuid }: Records, { leaf }: ReadOptions): Node {
  const node = leaf === undefined ? lastNode(nodes) : byUuid.get(leaf)
  if (node !== undefined) return node
  const reason = leaf === undefined ? 'no record of a session found' : `no record has the id ${JSON.stringify(leaf)}`
  throw new ReadError(reason, { format: 'qwen-code' })
}

/** From the newest compression on, or all of it. */
function replay(chain: readonly Node[], options: ReadOptions, into: Assembler): void {
  const to = new Replay(into)
  const isFull = options.history === 'full'
  const last = isFull ? chain.findIndex(isCompression) : chain.findLastIndex(isCompression)
  const point = chain[last]
  // What was compressed before the file begins is stored nowhere else.
  const isBase = point !== undefined && (!isFull || !chain.slice(0, last).some(isMessage))
  if (isBase) {
    into.report(change('compaction-applied', lineOf(point)))
    to.contents(compressed(point) ?? [], lineOf(point).line)
  }
  for (const node of isBase ? chain.slice(last + 1) : chain) {
    const inherited = inheritedBy(node)
    if (inherited !== undefined) to.contents(inherited, lineOf(node).line)
    if (isCompression(node)) into.report(change('message-left-out', lineOf(node), { message: SUMMARY_LEFT_OUT }))
    else to.tell(node)
  }
}

const isMessage = (node: Node): boolean => node.type === 'user' || node.type === 'assistant'

const isCompression = (node: Node): boolean => compressed(node) !== undefined

/** The history that a compression left. */
function compressed(node: Node): readonly unknown[] | undefined {
  return listOf(node, 'chat_compression', 'compressedHistory')
}

/** The history that a sub-agent was given. */
function inheritedBy(node: Node): readonly unknown[] | undefined {
  return listOf(node, 'agent_bootstrap', 'history')
}

function listOf(node: Node, subtype: string, key: string): readonly unknown[] | undefined {
  if (node.type !== 'system' || node.subtype !== subtype) return undefined
  const list = valueAt(node.head.systemPayload, key)
  return Array.isArray(list) ? list : undefined
}
