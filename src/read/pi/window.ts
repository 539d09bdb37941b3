import { change } from '../../model/change.ts'
import { isObject, valueAt } from '../../model/json.ts'
import type { Change } from '../../model/session.ts'
import type { Entry } from '../entry-tree.ts'
import { SUMMARY_LEFT_OUT } from '../summary-left-out.ts'

/** What of a path is told, and how. */
export interface Window {
  /** In the order of telling; a compaction among them stands for its summary. */
  readonly entries: readonly Entry[]
  /** System messages that only make the prompt that the window begins with. */
  readonly prompt: readonly Entry[]
  /** By the id of the entry: null hides it, else the content it has instead. */
  readonly edits: ReadonlyMap<string, unknown>
  readonly changes: readonly Change[]
}

export const isCompaction = (entry: Entry): boolean =>
  entry.type === 'compaction' && typeof entry.record.summary === 'string'

export const isSystem = (entry: Entry): boolean =>
  entry.type === 'message' && valueAt(entry.record.message, 'role') === 'system'

/** What pi itself would send: the summary of the last compaction, what that one kept, and all that came later. */
export function activeWindow(path: readonly Entry[]): Window {
  const last = path.findLastIndex(isCompaction)
  const compaction = path[last]
  if (compaction === undefined) return { entries: path, prompt: [], ...editsOf(path) }
  const before = path.slice(0, last)
  const kept = before.slice(firstKept(compaction, before)).filter((entry) => !isSystem(entry) && !isCompaction(entry))
  const entries = [compaction, ...kept, ...path.slice(last + 1)]
  const hasPrompt = isObject(compaction.record.systemMessage)
  const { edits, changes } = editsOf(entries)
  return {
    entries,
    prompt: hasPrompt ? [] : before.filter(isSystem),
    edits,
    changes: [change('compaction-applied', { line: compaction.line }), ...changes],
  }
}

/** Everything of the path. A summary of what is not stored stays. */
export function fullWindow(path: readonly Entry[]): Window {
  const first = path.findIndex(isSpoken)
  const isDropped = (entry: Entry, index: number): boolean => first >= 0 && index > first && isCompaction(entry)
  const dropped = path.filter(isDropped)
  const { edits, changes } = editsOf(path)
  return {
    entries: dropped.length === 0 ? path : path.filter((entry, index) => !isDropped(entry, index)),
    prompt: [],
    edits,
    changes: [
      ...dropped.map(({ line }) => change('message-left-out', { line }, { message: SUMMARY_LEFT_OUT })),
      ...changes,
    ],
  }
}

const isSpoken = (entry: Entry): boolean =>
  (entry.type === 'message' && !isSystem(entry)) || entry.type === 'custom_message'

/**
 * Where the kept entries begin. An id that is not found there, such as the compaction's own, means that none are kept.
 * The first version counted all records of the file, from 0 for the header.
 */
function firstKept({ record }: Entry, before: readonly Entry[]): number {
  const { firstKeptEntryId: id, firstKeptEntryIndex: place } = record
  const isFirst = typeof id === 'string' ? (entry: Entry) => entry.id === id : (entry: Entry) => entry.place === place
  const found = before.findIndex(isFirst)
  return found < 0 ? before.length : found
}

/** The newest edit of each entry. */
function editsOf(entries: readonly Entry[]): Pick<Window, 'edits' | 'changes'> {
  const edits = new Map<string, unknown>()
  const changes: Change[] = []
  for (const entry of entries) {
    if (entry.type !== 'context_edit') continue
    const { record, line } = entry
    const { targetId, replacement } = record
    const content = valueAt(replacement, 'content')
    const isValid = replacement === null || typeof content === 'string' || Array.isArray(content)
    if (typeof targetId !== 'string' || !isValid) changes.push(change('record-invalid', { line }, { before: record }))
    else edits.set(targetId, replacement === null ? null : content)
  }
  return { edits, changes }
}
