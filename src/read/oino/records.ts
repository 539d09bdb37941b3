import { type ChangeCode, change } from '../../model/change.ts'
import { ReadError } from '../../model/error.ts'
import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import type { Change } from '../../model/session.ts'
import { type Entry, Tree } from '../entry-tree.ts'
import { lineRecordsOf } from '../line-records.ts'
import type { Source, SourceRecord } from '../reader.ts'

export interface Records {
  /** Empty when the file has lost it. */
  readonly header: Fields
  /** In file order, which says nothing: the program sorts by random ids. */
  readonly entries: readonly Entry[]
  readonly byId: ReadonlyMap<string, Entry>
  /** Undefined: the conversation is empty. */
  readonly leaf: Entry | undefined
  readonly changes: readonly Change[]
}

/** Whether a source has records of this form, and not lines of pi's. */
export const hasRecords = (source: Source): boolean =>
  lineRecordsOf(source).some(({ value }) => isHeader(value) || isEntry(value))

export const isHeader = (value: unknown): value is Fields =>
  isObject(value) && value.record === 'header' && isObject(value.header)

export const isEntry = (value: unknown): value is Fields =>
  isObject(value) && value.record === 'entry' && isObject(value.entry)

/** @throws {ReadError} when there is neither a header nor an entry. */
export function sortRecords(source: Source): Records {
  const changes: Change[] = []
  const report = (code: ChangeCode, line: number, before: unknown): void => {
    changes.push(change(code, { line }, { before }))
  }
  const tree = new Tree(kindIn)
  const unknown = new Set<string>()
  let head: Fields | undefined
  for (const [place, stored] of lineRecordsOf(source).entries()) {
    const { value, line } = stored
    if (isHeader(value)) {
      if (head !== undefined) report('record-duplicate', line, value)
      head ??= value
      continue
    }
    const type = isEntry(value) ? added(tree, stored, value.entry as Fields, place) : undefined
    if (type === undefined) report('record-invalid', line, value)
    else if (!KINDS.has(type) && !unknown.has(type)) {
      unknown.add(type)
      report('record-unknown', line, type)
    }
  }
  const { entries, byId } = tree
  if (head === undefined && entries.length === 0)
    throw new ReadError('no record of a session found', { format: 'oino' })
  tree.complete({ ordered: false })
  bridge(entries)
  const leaf = leafOf(head, { entries, byId }, report)
  return { header: (head?.header ?? {}) as Fields, entries, byId, leaf, changes }
}

const KINDS: ReadonlySet<string> = new Set([
  'message',
  'custom_message',
  'model_change',
  'thinking_level_change',
  'compaction',
  'branch_summary',
  'session_info',
  'label',
  'leaf_move',
  'custom',
  'extension_custom',
])

/** The kind of an entry is an object, whose own kind is its type; without, it is none. */
function added(tree: Tree, source: SourceRecord, stored: Fields, place: number): string | undefined {
  const type = stringAt(stored.kind, 'kind')
  if (type !== undefined)
    tree.add(source, { place, id: stringAt(stored, 'id'), type }, stringAt(stored, 'parent') ?? null)
  return type
}

const kindIn = (value: unknown): Fields => valueAt(valueAt(value, 'entry'), 'kind') as Fields

/**
 * Where one record was lost, the conversation breaks in two. The order of the lines does not say how they were joined, but when
 * only one other branch is there, it is the beginning.
 */
function bridge(entries: readonly Entry[]): void {
  const gaps = entries.filter(({ missing }) => missing !== undefined)
  const [gap] = gaps
  if (gap === undefined || gaps.length > 1) return
  const behind = new Set<Entry | undefined>([gap])
  const followed = new Set(entries.map(({ up }) => up))
  let end: Entry | undefined
  for (const entry of entries) {
    if (followed.has(entry) || reaches(entry, behind, new Set())) continue
    if (end !== undefined) return
    end = entry
  }
  gap.up = end
}

/** Whether a record stands behind one of `behind`, to which all that do are added. */
function reaches(from: Entry, behind: Set<Entry | undefined>, seen: Set<Entry>): boolean {
  let entry: Entry | undefined = from
  while (entry !== undefined && !behind.has(entry) && !seen.has(entry)) {
    seen.add(entry)
    entry = entry.up
  }
  if (entry === undefined || !behind.has(entry)) return false
  for (const step of seen) behind.add(step)
  return true
}

/** The header names it. Where that is lost, the longest branch is the best guess. */
function leafOf(
  head: Fields | undefined,
  { entries, byId }: Pick<Records, 'entries' | 'byId'>,
  report: (code: ChangeCode, line: number, before: unknown) => void,
): Entry | undefined {
  const id = head?.leaf_id
  const named = typeof id === 'string' ? byId.get(id) : undefined
  if (named !== undefined || id === null) return named
  if (entries.length > 0) report('history-truncated', 1, id ?? 'no leaf is named')
  return deepest(entries)
}

/** Each record is worked out once, without recursion. */
function deepest(entries: readonly Entry[]): Entry | undefined {
  const depths = new Uint32Array(entries.length)
  let best: Entry | undefined
  for (const leaf of entries) {
    const path: Entry[] = []
    const seen = new Set<Entry>()
    let entry: Entry | undefined = leaf
    while (entry !== undefined && depths[entry.index] === 0 && !seen.has(entry)) {
      seen.add(entry)
      path.push(entry)
      entry = entry.up
    }
    let depth = entry === undefined ? 0 : depths[entry.index]!
    for (const step of path.reverse()) depths[step.index] = ++depth
    if (best === undefined || depths[leaf.index]! > depths[best.index]!) best = leaf
  }
  return best
}
