import { isObject, stringAt, valueAt } from '../../model/json.ts'
import type { Report } from '../report.ts'

type Fields = { readonly [key: string]: unknown }

/**
 * The messages that the tool itself would send. A summary stands for all before it; without one, messages are left out
 * whose summary or whose truncation marker is stored.
 */
export function effectiveHistory(list: readonly unknown[], report: Report): readonly unknown[] {
  const last = list.findLastIndex(isSummary)
  const markers = idsOf(list, 'truncationId', 'isTruncationMarker')
  const summaries = idsOf(list, 'condenseId', 'isSummary')
  const window = last < 0 ? list : list.slice(last)
  const kept = window.filter(
    (message) =>
      !isCovered(message, 'truncationParent', markers) &&
      (last >= 0 || !isCovered(message, 'condenseParent', summaries)),
  )
  if (kept.length < list.length) report('compaction-applied', { before: `${list.length - kept.length} messages` })
  return last < 0 ? kept : withoutLostResults(kept)
}

/** Every message that was said: without what stands for others. */
export function fullHistory(list: readonly unknown[]): readonly unknown[] {
  const parents = new Set(list.map((message) => stringAt(message, 'condenseParent')))
  return list.filter((message) => {
    if (valueAt(message, 'isTruncationMarker') === true) return false
    // A summary whose messages are gone is all that is left of them.
    return !isSummary(message) || !parents.has(stringAt(message, 'condenseId') ?? '')
  })
}

export const isSummary = (message: unknown): boolean => valueAt(message, 'isSummary') === true

function idsOf(list: readonly unknown[], key: string, flag: string): ReadonlySet<string> {
  const flagged = list.filter((message) => valueAt(message, flag) === true)
  return new Set(flagged.map((message) => stringAt(message, key)).filter((id) => id !== undefined))
}

function isCovered(message: unknown, key: string, ids: ReadonlySet<string>): boolean {
  const parent = stringAt(message, key)
  return parent !== undefined && ids.has(parent)
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
