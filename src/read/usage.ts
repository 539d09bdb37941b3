import { deeperThan, isObject, valueAt } from '../model/json.ts'
import type { ApiId, FormatId, Usage } from '../model/session.ts'
import { others, slot } from './slots.ts'

type Count = Exclude<keyof Usage, 'extra'>

/** Where an API reports each count: the path of its field. */
export type UsageTable = { readonly [count in Count]?: readonly string[] }

/** Real usage is two levels deep; what is far deeper says nothing. */
const MAX_NESTING = 16

/** Counts as the API gives them (whether `inputTokens` includes cached ones is the API's own way); other fields stay in the slot. */
export function usageFrom(api: ApiId | FormatId, raw: unknown, table: UsageTable): Usage | undefined {
  if (!isObject(raw)) return undefined
  const counts: { -readonly [count in Count]?: number } = {}
  const known = new Set<string>()
  for (const [count, path] of Object.entries(table) as [Count, readonly string[]][]) {
    const value = path.reduce<unknown>(valueAt, raw)
    if (typeof value !== 'number' || !Number.isFinite(value)) continue
    counts[count] = value
    if (path.length === 1) known.add(path[0]!)
  }
  const usage = { ...counts, ...(deeperThan(raw, MAX_NESTING) ? {} : slot(api, others(raw, known))) }
  return Object.keys(usage).length === 0 ? undefined : usage
}
