/** A message in the order in which messages followed each other, whatever was summarised since. */
export interface Node {
  /** Which message it is. */
  readonly slot: number
  readonly parent: Node | undefined
  /** Of the first message 1. */
  readonly depth: number
  /** How the conversation was summarised when this message came. */
  readonly summary: Summary | undefined
}

/** A summary stands for all messages up to a depth. */
interface Summary {
  readonly slot: number
  readonly floor: number
}

/** An end of the conversation, now or before it was rewound. */
interface Tip {
  readonly leaf: Node
  readonly summary: Summary | undefined
}

/**
 * Which messages are the conversation now. Each message is linked to the one before it, and a summary is only a mark on
 * the way, so that no record costs more than what it takes away.
 */
export class Path {
  #leaf: Node | undefined
  #summary: Summary | undefined
  readonly #nodes: Node[] = []
  readonly #tips: Tip[] = []
  #active: number[] | undefined = []

  get length(): number {
    return (this.#leaf?.depth ?? 0) - floorOf(this.#summary) + (this.#summary === undefined ? 0 : 1)
  }

  get isCompacted(): boolean {
    return this.#summary !== undefined
  }

  add(slot: number): void {
    this.#leaf = { slot, parent: this.#leaf, depth: (this.#leaf?.depth ?? 0) + 1, summary: this.#summary }
    this.#nodes.push(this.#leaf)
    this.#active?.push(slot)
  }

  /** The summary in `slot` stands for all but the last `keep` messages. */
  compact(slot: number, keep: number): void {
    this.#summary = { slot, floor: (this.#leaf?.depth ?? 0) - keep }
    this.#active = undefined
  }

  /** Keeps the first `keep` messages, a summary counted. */
  rewind(keep: number): void {
    if (keep === this.length) return
    if (this.#leaf !== undefined) this.#tips.push({ leaf: this.#leaf, summary: this.#summary })
    if (keep === 0) {
      this.#leaf = undefined
      this.#summary = undefined
    } else {
      const depth = floorOf(this.#summary) + keep - (this.#summary === undefined ? 0 : 1)
      while (this.#leaf !== undefined && this.#leaf.depth > depth) this.#leaf = this.#leaf.parent
    }
    this.#active = undefined
  }

  /** The slots of the conversation, from its beginning. */
  active(): readonly number[] {
    this.#active ??= slotsOf(this.#leaf, this.#summary)
    return this.#active
  }

  /** Without summaries. */
  full(): readonly number[] {
    return slotsOf(this.#leaf, undefined)
  }

  /** Makes the last message of a slot that passes the test the end of the conversation; false when there is none. */
  take(isLeaf: (slot: number) => boolean): boolean {
    const node = this.#nodes.findLast(({ slot }) => isLeaf(slot))
    if (node === undefined) return false
    if (node === this.#leaf) return true
    const tip = this.#tips.findLast(({ leaf }) => leaf === node)
    if (this.#leaf !== undefined) this.#tips.push({ leaf: this.#leaf, summary: this.#summary })
    this.#leaf = node
    this.#summary = tip === undefined ? node.summary : tip.summary
    this.#active = undefined
    return true
  }

  /** Where the conversation ended before it was rewound, each once. */
  ends(): ReadonlySet<Node> {
    return new Set(this.#tips.map(({ leaf }) => leaf))
  }
}

const floorOf = (summary: Summary | undefined): number => summary?.floor ?? 0

function slotsOf(leaf: Node | undefined, summary: Summary | undefined): number[] {
  const slots: number[] = []
  const floor = floorOf(summary)
  for (let node = leaf; node !== undefined && node.depth > floor; node = node.parent) slots.push(node.slot)
  if (summary !== undefined) slots.push(summary.slot)
  return slots.reverse()
}
