import type { Link } from './link.ts'

/** The tree without the records that only carry the chain. */
export interface Spoken {
  /** In file order. */
  readonly links: readonly Link[]
  /** Those that no later record of their lane follows. */
  readonly leaves: readonly Link[]
  /** The spoken record before this one. */
  before(link: Link): Link | undefined
}

export function spokenTree(links: readonly Link[]): Spoken {
  const spoken = links.filter((link) => link.isSpoken)
  const before = spokenBefore()
  const followed = new Uint8Array(links.length)
  for (const link of spoken) {
    const parent = before(link)
    if (parent !== undefined && parent !== link && parent.lane === link.lane) followed[parent.index] = 1
  }
  return { links: spoken, leaves: spoken.filter((link) => followed[link.index] === 0), before }
}

/** Remembers what it found, since thousands of progress records may hang on one another. */
function spokenBefore(): (link: Link) => Link | undefined {
  const found = new Map<Link, Link | undefined>()
  return (link) => {
    let above = link.up
    if (above === undefined || above.isSpoken) return above
    const passed: Link[] = []
    while (above !== undefined && !above.isSpoken && !found.has(above)) {
      // Set at once, so that a circle of such records ends here.
      found.set(above, undefined)
      passed.push(above)
      above = above.up
    }
    const answer = above === undefined || above.isSpoken ? above : found.get(above)
    for (const between of passed) found.set(between, answer)
    return answer
  }
}

/** The lane that the file is about: the main conversation, or in the file of a sub-agent that one. */
export function mainLane({ links }: Spoken): string {
  return links.some((link) => link.lane === '') ? '' : (links.at(-1)?.lane ?? '')
}

/**
 * The last record of the active conversation: the newest leaf of the lane, as in the tool itself. One exception: a result that was
 * written late hangs on its call, and so hides what was said since.
 * @see https://github.com/anthropics/claude-agent-sdk-python/blob/main/src/claude_agent_sdk/_internal/sessions.py
 */
export function activeLeaf(tree: Spoken, lane: string): Link | undefined {
  const leaves = tree.leaves.filter((link) => link.lane === lane)
  const newest = leaves.at(-1) ?? tree.links.findLast((link) => link.lane === lane)
  if (newest === undefined || !newest.onlyResults) return newest
  return goneOn(tree, newest, leaves) ?? newest
}

/** The newest other leaf whose conversation has left the message behind that this result belongs to. */
function goneOn(tree: Spoken, result: Link, leaves: readonly Link[]): Link | undefined {
  const caller = assistantOf(tree, result)
  if (caller === undefined) return undefined
  const key = caller.key
  const under = descends(tree, (link) => link.type === 'assistant' && link.key === key)
  for (let index = leaves.length - 2; index >= 0; index--) {
    const leaf = leaves[index]
    if (leaf !== undefined && under(leaf) && isBeyond(tree, leaf, key)) return leaf
  }
  return undefined
}

function isBeyond(tree: Spoken, leaf: Link, key: string): boolean {
  if (leaf.type !== 'assistant' && !leaf.onlyResults) return true
  const speaker = leaf.type === 'assistant' ? leaf : assistantOf(tree, leaf)
  return speaker !== undefined && speaker.key !== key
}

function assistantOf(tree: Spoken, result: Link): Link | undefined {
  const seen = new Set<Link>()
  let link = tree.before(result)
  while (link !== undefined && link.type !== 'assistant' && link.onlyResults && !seen.has(link)) {
    seen.add(link)
    link = tree.before(link)
  }
  return link?.type === 'assistant' ? link : undefined
}

/** Whether a record or one above it is of a kind; each record is looked at once, however many are asked about. */
function descends(tree: Spoken, wanted: (link: Link) => boolean): (link: Link) => boolean {
  const known = new Map<Link, boolean>()
  return (start) => {
    const passed: Link[] = []
    let link: Link | undefined = start
    while (link !== undefined && !known.has(link)) {
      known.set(link, wanted(link))
      if (known.get(link) === true) break
      passed.push(link)
      link = tree.before(link)
    }
    const answer = link !== undefined && known.get(link) === true
    for (const below of passed) known.set(below, answer)
    return answer
  }
}
