import { isPoint } from './compaction.ts'
import type { Link, Records } from './records.ts'

/**
 * Gives each record the one before it. A parent that is not stored was never written, or was cut off: the conversation then goes
 * on at the newest earlier user or assistant record of the same lane, since ending there would lose the prompt.
 */
export function connect({ links, byUuid }: Records): void {
  const newest = new Map<string, Link>()
  for (const link of links) {
    const parent = link.record.parentUuid ?? null
    const stored = typeof parent === 'string' ? byUuid.get(parent) : undefined
    link.gap = parent !== null && (stored === undefined || stored === link)
    link.up = stored === link ? undefined : stored
    if (isPoint(link)) link.earlier = newest.get(link.lane)
    else if (link.gap) link.up = newest.get(link.lane)
    if (link.type === 'user' || link.type === 'assistant') newest.set(link.lane, link)
  }
}

export interface Walked {
  /** Oldest first. */
  readonly chain: readonly Link[]
  /** The record whose parent comes after it. */
  readonly circle?: Link | undefined
}

/** From a record to its root. */
export function walk(leaf: Link, before: (link: Link) => Link | undefined): Walked {
  const seen = new Set<Link>()
  let link: Link | undefined = leaf
  let last = leaf
  while (link !== undefined && !seen.has(link)) {
    seen.add(link)
    last = link
    link = before(link)
  }
  return { chain: [...seen].reverse(), circle: link === undefined ? undefined : last }
}
