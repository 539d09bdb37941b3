import { preview, valueAt } from '../../model/json.ts'
import { textIn } from '../gemini/parts.ts'
import type { Branch } from '../reader.ts'
import type { Node } from './records.ts'

/** From the root to a node. */
interface Trail {
  readonly root: Node
  /** Where it leaves the conversation. */
  readonly parent: Node | undefined
  readonly messages: number
  /** Of them those that the conversation does not have. */
  readonly own: number
  /** The first text of its own. */
  readonly text: string | undefined
}

export interface LeftOut extends Branch {
  readonly node: Node
}

/** The branches that a conversation leaves out. */
export function branchesOf(nodes: readonly Node[], chain: readonly Node[]): readonly LeftOut[] {
  const taken = new Uint8Array(nodes.length)
  for (const node of chain) taken[node.index] = 1
  const isTaken = (node: Node): boolean => taken[node.index] === 1
  const followed = new Uint8Array(nodes.length)
  for (const { up } of nodes) if (up !== undefined) followed[up.index] = 1
  const trails = new Map<Node, Trail>()
  const found: LeftOut[] = []
  for (const leaf of nodes) {
    if (followed[leaf.index] === 1 || isTaken(leaf)) continue
    const { root, parent, messages, own, text } = trailOf(leaf, isTaken, trails)
    if (own === 0) continue
    const from = parent === undefined ? {} : { parent: parent.uuid }
    found.push({ node: leaf, leaf: leaf.uuid, root: root.uuid, ...from, messages, preview: preview(text ?? '') })
  }
  return found
}

/** From the top down, without recursion; each node is worked out once. */
function trailOf(leaf: Node, isTaken: (node: Node) => boolean, trails: Map<Node, Trail>): Trail {
  const path = new Set<Node>()
  let node: Node | undefined = leaf
  while (node !== undefined && !trails.has(node) && !path.has(node)) {
    path.add(node)
    node = node.up
  }
  let above = node === undefined ? undefined : trails.get(node)
  for (const step of [...path].reverse()) {
    above = extended(above, step, isTaken(step))
    trails.set(step, above)
  }
  return above ?? extended(undefined, leaf, false)
}

function extended(above: Trail | undefined, node: Node, isTaken: boolean): Trail {
  const isMessage = node.type === 'user' || node.type === 'assistant' ? 1 : 0
  return {
    root: above?.root ?? node,
    parent: isTaken ? node : above?.parent,
    messages: (above?.messages ?? 0) + isMessage,
    own: isTaken ? 0 : (above?.own ?? 0) + isMessage,
    text: isTaken ? undefined : (above?.text ?? (isMessage === 1 ? textOf(node) : undefined)),
  }
}

function textOf(node: Node): string | undefined {
  return textIn(valueAt(node.head.message, 'parts')) || undefined
}
