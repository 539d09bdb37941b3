import { isPoint } from './compaction.ts'
import type { Link } from './link.ts'
import type { Records } from './records.ts'

/**
 * Completes what hangs on what. A parent that is not stored was never written, or was cut off: the conversation then goes
 * on at the newest earlier user or assistant record of the same lane, since ending there would lose the prompt.
 */
export function connect({ links, byUuid, orphans }: Records): void {
  for (const { link, parent } of orphans) {
    const stored = byUuid.get(parent)
    link.gap = stored === undefined || stored.index === link.index
    link.up = link.gap ? undefined : stored
  }
  const newest = new Map<string, Link>()
  for (const link of links) {
    // A better copy may have taken the place of the one that was there.
    if (link.up !== undefined) link.up = links[link.up.index]
    if (isPoint(link)) link.earlier = newest.get(link.lane)
    else if (link.gap) link.up = newest.get(link.lane)
    if (link.type === 'user' || link.type === 'assistant') newest.set(link.lane, link)
  }
}

interface Walked {
  /** Oldest first. */
  readonly chain: readonly Link[]
  /** The record whose parent comes after it. */
  readonly circle?: Link | undefined
}

/** From a record of `count` to its root. */
export function walk(leaf: Link, count: number, before: (link: Link) => Link | undefined): Walked {
  const seen = new Uint8Array(count)
  const chain: Link[] = []
  let link: Link | undefined = leaf
  while (link !== undefined && seen[link.index] === 0) {
    seen[link.index] = 1
    chain.push(link)
    link = before(link)
  }
  const circle = link === undefined ? undefined : chain.at(-1)
  return { chain: chain.reverse(), circle }
}
