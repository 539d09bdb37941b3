import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import type { Report } from '../report.ts'
import { SUMMARY_LEFT_OUT } from '../summary-left-out.ts'

/**
 * The messages that the tool itself would send. The last summary stands for all before it; what a truncation hid is left out as
 * long as its marker is stored.
 */
export function effectiveHistory(list: readonly unknown[], report: Report): readonly unknown[] {
  const last = list.findLastIndex(isSummary)
  const markers = markersIn(list)
  const window = last < 0 ? list : list.slice(last)
  const kept = window.filter((message) => !markers.has(stringAt(message, 'truncationParent')))
  if (kept.length < list.length) report('compaction-applied', { before: `${list.length - kept.length} messages` })
  return last < 0 ? kept : withoutLostResults(kept)
}

/** Every message that was said: without what stands for others. */
export function fullHistory(list: readonly unknown[], report: Report): readonly unknown[] {
  const parents = new Set(list.map((message) => stringAt(message, 'condenseParent')))
  return list.filter((message) => {
    // A summary whose messages are gone is all that is left of them.
    const isKept = !isSummary(message) || !parents.has(stringAt(message, 'condenseId') ?? '')
    if (isKept && valueAt(message, 'isTruncationMarker') !== true) return true
    report('message-left-out', isKept ? { before: message } : { message: SUMMARY_LEFT_OUT, before: message })
    return false
  })
}

export const isSummary = (message: unknown): boolean => valueAt(message, 'isSummary') === true

/** The ids of the stored markers of truncations. */
function markersIn(list: readonly unknown[]): ReadonlySet<string | undefined> {
  const markers = list.filter((message) => valueAt(message, 'isTruncationMarker') === true)
  return new Set(markers.flatMap((message) => stringAt(message, 'truncationId') ?? []))
}

/** Results of calls that the summary replaced are part of what it tells. */
function withoutLostResults(list: readonly unknown[]): readonly unknown[] {
  const calls = new Set<unknown>()
  return list.flatMap((message) => {
    const content = valueAt(message, 'content')
    if (!isObject(message) || !Array.isArray(content)) return [message]
    for (const block of content) if (isBlock(block, 'tool_use')) calls.add(block.id)
    const kept = content.filter((block) => !isBlock(block, 'tool_result') || calls.has(block.tool_use_id))
    if (kept.length === content.length) return [message]
    return kept.length === 0 ? [] : [{ ...message, content: kept }]
  })
}

const isBlock = (block: unknown, type: string): block is Fields => isObject(block) && block.type === type
