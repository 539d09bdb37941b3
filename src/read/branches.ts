import { preview } from '../model/json.ts'
import type { Branch } from './reader.ts'

/** The tree of a stored session, by its records. */
export interface Growth<N> {
  /** Records that none follows. */
  readonly leaves: Iterable<N>
  /** All that may be in a circle of parents, which has no leaf: its last one stands for it. */
  readonly nodes?: readonly N[]
  before(node: N): N | undefined
  /** In the conversation that is read, or replaced by a summary in it. */
  isTaken(node: N): boolean
  idOf(node: N): string | undefined
  /** Which message a record is of: the next one of the same key goes on with it. Undefined: of none. */
  messageOf(node: N): unknown
  /** Whether a record that is of no message holds what would be lost with it, such as a result. */
  isResult?(node: N): boolean
  textOf(node: N): string | undefined
}

export interface LeftOut<N> extends Branch {
  readonly node: N
}

/** What is known of a record off the conversation, from where it leaves that. */
interface Trail<N> {
  readonly root: N
  readonly parent: N | undefined
  readonly messages: number
  readonly hasResult: boolean
  /** The message that the next record may belong to. */
  readonly key: unknown
  readonly text: string
}

/** The branches that a conversation leaves out and that say anything; each record is worked out once, without recursion. */
export function branchesOf<N>(growth: Growth<N>): readonly LeftOut<N>[] {
  const trails = new Map<N, Trail<N>>()
  const found: LeftOut<N>[] = []
  const end = (node: N): void => {
    const leaf = growth.isTaken(node) ? undefined : growth.idOf(node)
    const trail = leaf === undefined ? undefined : trailOf(node, growth, trails)
    if (leaf === undefined || trail === undefined || (trail.messages === 0 && !trail.hasResult)) return
    const { root, parent, messages, text } = trail
    const from = parent === undefined ? undefined : growth.idOf(parent)
    const above = from === undefined ? {} : { parent: from }
    found.push({ node, leaf, root: growth.idOf(root) ?? leaf, ...above, messages, preview: preview(text) })
  }
  for (const node of growth.leaves) end(node)
  const { nodes = [] } = growth
  for (let index = nodes.length - 1; index >= 0; index--) if (!trails.has(nodes[index]!)) end(nodes[index]!)
  return found
}

/** What is told of a branch; the record that it ends with is the reader's. */
export function withoutNode<N>({ node: _, ...branch }: LeftOut<N>): Branch {
  return branch
}

function trailOf<N>(leaf: N, growth: Growth<N>, trails: Map<N, Trail<N>>): Trail<N> | undefined {
  const steps = new Set<N>()
  let node: N | undefined = leaf
  while (node !== undefined && !growth.isTaken(node) && !trails.has(node) && !steps.has(node)) {
    steps.add(node)
    node = growth.before(node)
  }
  let trail = node === undefined ? undefined : trails.get(node)
  const parent = node !== undefined && growth.isTaken(node) ? node : undefined
  const key = parent === undefined ? undefined : growth.messageOf(parent)
  for (const step of [...steps].reverse()) {
    trail = extended(trail ?? { root: step, parent, messages: 0, hasResult: false, key, text: '' }, step, growth)
    trails.set(step, trail)
  }
  return trail
}

function extended<N>(trail: Trail<N>, node: N, growth: Growth<N>): Trail<N> {
  const key = growth.messageOf(node)
  if (key === undefined) return growth.isResult?.(node) === true ? { ...trail, hasResult: true } : trail
  const messages = key === trail.key ? trail.messages : trail.messages + 1
  return { ...trail, key, messages, text: trail.text || (growth.textOf(node) ?? '') }
}
