import { type Fields, isObject } from '../../model/json.ts'
import type { Link } from './link.ts'

export const isSummary = (link: Link): boolean => link.point === 'summary'

export const isBoundary = (link: Link): boolean => link.point === 'boundary'

/** Where a compaction cut: what stands before it is not sent any more. */
export const isPoint = (link: Link): boolean => link.point !== undefined

/** The record before this one when compactions are ignored. */
export function beforeCompaction(link: Link, byUuid: ReadonlyMap<string, Link>): Link | undefined {
  if (!isPoint(link)) return link.up
  if (isSummary(link)) return link.up ?? link.earlier
  const logical = link.record.logicalParentUuid
  const named = typeof logical === 'string' ? byUuid.get(logical) : undefined
  return named !== undefined && named !== link ? named : (link.up ?? link.earlier)
}

/** What is sent after the newest compaction of a chain: its summary, the messages kept verbatim, and all that came later. */
export function afterCompaction(
  chain: readonly Link[],
  byUuid: ReadonlyMap<string, Link>,
): { readonly chain: readonly Link[]; readonly point?: Link | undefined } {
  const last = chain.findLastIndex(isPoint)
  const point = chain[last]
  if (point === undefined) return { chain }
  const window = chain.slice(last)
  const boundary = isBoundary(point) ? point : boundaryOf(chain, last)
  const kept = boundary === undefined ? [] : preserved(boundary, byUuid)
  return { chain: kept.length === 0 ? window : splice(window, kept, boundary), point }
}

/** The boundary of a summary: above it, with no message between. */
function boundaryOf(chain: readonly Link[], summary: number): Link | undefined {
  for (let index = summary - 1; index >= 0; index--) {
    const link = chain[index]
    if (link === undefined || link.type === 'user' || link.type === 'assistant') return undefined
    if (isBoundary(link)) return link
  }
  return undefined
}

/** The chain without the summaries of what it holds in full; a summary of what is not stored stays. */
export function withoutSummaries(chain: readonly Link[]): {
  readonly chain: readonly Link[]
  readonly dropped: readonly Link[]
} {
  const first = chain.findIndex((link) => link.type === 'user' || link.type === 'assistant')
  const dropped = chain.filter((link, index) => index > first && isSummary(link))
  if (dropped.length === 0) return { chain, dropped }
  return { chain: chain.filter((link, index) => index <= first || !isSummary(link)), dropped }
}

/**
 * From version 2.1.16x on a compaction names messages that stay verbatim behind the summary. They are not written again, and
 * nothing points to them. A list that names records which were never written is not followed.
 */
function preserved(boundary: Link, byUuid: ReadonlyMap<string, Link>): readonly Link[] {
  const metadata = boundary.record.compactMetadata
  if (!isObject(metadata)) return []
  return listed(metadata.preservedMessages, byUuid) ?? segment(metadata.preservedSegment, byUuid) ?? []
}

function listed(messages: unknown, byUuid: ReadonlyMap<string, Link>): readonly Link[] | undefined {
  if (!isObject(messages)) return undefined
  const uuids: unknown = Array.isArray(messages.uuids) ? messages.uuids : messages.allUuids
  if (!Array.isArray(uuids) || uuids.length === 0) return undefined
  const found = new Set<Link>()
  for (const uuid of uuids) {
    const link = typeof uuid === 'string' ? byUuid.get(uuid) : undefined
    if (link === undefined) return undefined
    found.add(link)
  }
  return [...found]
}

function segment(value: unknown, byUuid: ReadonlyMap<string, Link>): readonly Link[] | undefined {
  if (!isObject(value)) return undefined
  const [head, tail] = [stored(value, 'headUuid', byUuid), stored(value, 'tailUuid', byUuid)]
  if (head === undefined || tail === undefined) return undefined
  const found = new Set<Link>()
  for (let link: Link | undefined = tail; link !== undefined && !found.has(link); link = link.up) {
    found.add(link)
    if (link === head) return [...found].reverse()
  }
  return undefined
}

function stored(value: Fields, key: string, byUuid: ReadonlyMap<string, Link>): Link | undefined {
  const uuid = value[key]
  return typeof uuid === 'string' ? byUuid.get(uuid) : undefined
}

/** Behind the anchor, which is the summary where the compaction does not name another record of the window. */
function splice(window: readonly Link[], kept: readonly Link[], boundary: Link | undefined): readonly Link[] {
  const metadata = boundary?.record.compactMetadata
  const named = isObject(metadata) ? [metadata.preservedMessages, metadata.preservedSegment].find(isObject) : undefined
  const anchored = window.findIndex((link) => link.uuid === named?.anchorUuid)
  const anchor = anchored === -1 ? window.findIndex(isSummary) : anchored
  if (anchor === -1) return window
  const there = new Set(window)
  const added = kept.filter((link) => !there.has(link))
  return [...window.slice(0, anchor + 1), ...added, ...window.slice(anchor + 1)]
}
