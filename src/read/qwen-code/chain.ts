import type { Node } from './records.ts'

/** The last record of the file; those that only tell of files made beside the session hang on nothing. */
export function lastNode(nodes: readonly Node[]): Node | undefined {
  let last: Node | undefined
  for (const node of nodes) {
    const { subtype } = node
    if (typeof subtype === 'string' && subtype.startsWith('session_artifact')) continue
    if (last === undefined || node.place > last.place) last = node
  }
  return last
}

export interface Walked {
  /** Oldest first. */
  readonly chain: readonly Node[]
  /** Nodes whose parent is not stored. */
  readonly gaps: readonly Node[]
  /** The node whose parent comes after it. */
  readonly circle?: Node | undefined
}

/**
 * From a node to its root. Where a parent is not stored the walk goes on at the newest earlier record that hangs together
 * with none of what was walked, and is of a sub-agent or is not, as the leaf. A rewind to what is not stored ends it.
 * @see https://github.com/QwenLM/qwen-code/blob/main/packages/core/src/utils/conversation-chain.ts
 */
export function walk(leaf: Node, nodes: readonly Node[]): Walked {
  const chain: Node[] = []
  const gaps: Node[] = []
  const seen = new Uint8Array(nodes.length)
  let islands: Islands | undefined
  let node: Node | undefined = leaf
  while (node !== undefined && seen[node.index] === 0) {
    seen[node.index] = 1
    chain.push(node)
    if (!node.gap) node = node.up
    else {
      gaps.push(node)
      if (node.subtype === 'rewind') break
      islands ??= new Islands(nodes, leaf)
      node = islands.before(node)
    }
  }
  const circle = node !== undefined && gaps.at(-1) !== node ? chain.at(-1) : undefined
  return { chain: chain.reverse(), gaps: gaps.reverse(), circle }
}

/** Records that hang together, newest first. */
class Islands {
  readonly #root: ReadonlyMap<Node, Node>
  readonly #newest: readonly Node[]
  readonly #taken: Set<Node | undefined>
  /** No island is looked at twice. */
  #next = 0

  constructor(nodes: readonly Node[], leaf: Node) {
    this.#root = rootsOf(nodes)
    const side = leaf.isSide
    this.#newest = nodes.filter((node) => node.isSide === side).sort((a, b) => b.place - a.place)
    this.#taken = new Set([this.#root.get(leaf)])
  }

  before(child: Node): Node | undefined {
    for (; this.#next < this.#newest.length; this.#next++) {
      const node = this.#newest[this.#next]!
      const root = this.#root.get(node)
      if (node.place >= child.place || this.#taken.has(root)) continue
      this.#taken.add(root)
      return node
    }
    return undefined
  }
}

/** The topmost node of each; of a circle, any one of it. */
function rootsOf(nodes: readonly Node[]): ReadonlyMap<Node, Node> {
  const roots = new Map<Node, Node>()
  for (const start of nodes) {
    const path = new Set<Node>()
    let node = start
    while (!roots.has(node) && !path.has(node) && node.up !== undefined) {
      path.add(node)
      node = node.up
    }
    const root = roots.get(node) ?? node
    for (const passed of path) roots.set(passed, root)
    roots.set(node, root)
  }
  return roots
}
