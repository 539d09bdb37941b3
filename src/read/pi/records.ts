import { type ChangeCode, change } from '../../model/change.ts'
import { ReadError, type ReadErrorPlace } from '../../model/error.ts'
import { type Fields, isObject, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Change, FormatId } from '../../model/session.ts'
import { type Entry, Tree } from '../entry-tree.ts'
import { lineRecordsOf } from '../line-records.ts'
import type { Source, SourceRecord } from '../reader.ts'

export interface Records {
  /** Empty when the file has lost it. */
  readonly header: Fields
  /** In file order. */
  readonly entries: readonly Entry[]
  readonly byId: ReadonlyMap<string, Entry>
  /** The last record of the active branch; undefined when the user went back to before the first one. */
  readonly leaf: Entry | undefined
  /** A title line, which one relative of the program writes before the header. */
  readonly title: string | undefined
  readonly changes: readonly Change[]
}

/** Kinds of entries. Others carry the chain too, and are told of. */
const ENTRY_TYPES: { readonly [type: string]: true } = {
  message: true,
  thinking_level_change: true,
  model_change: true,
  compaction: true,
  branch_summary: true,
  custom: true,
  custom_message: true,
  label: true,
  session_info: true,
  usage: true,
  context_edit: true,
  leaf: true,
  active_tools_change: true,
}

export const isEntryType = (type: unknown): boolean => own(ENTRY_TYPES, type) === true

/** @throws {ReadError} when there is neither a header nor an entry, or the file is of the fourth version of the format. */
export function sortRecords(source: Source, format: FormatId): Records {
  return new Sorting(source, format).sort()
}

class Sorting {
  readonly #source: Source
  readonly #format: FormatId
  readonly #tree = new Tree((value) => value as Fields)
  readonly #changes: Change[] = []
  readonly #unknown = new Set<string>()
  #header: Fields | undefined
  #title: string | undefined
  #known = 0

  constructor(source: Source, format: FormatId) {
    this.#source = source
    this.#format = format
  }

  sort(): Records {
    const records = lineRecordsOf(this.#source)
    const lost = lostBefore(this.#source.changes)
    for (const [index, record] of records.entries()) this.#record(record, index + lost(record.line))
    if (this.#known === 0) throw new ReadError('no record of a session found', { format: this.#format })
    this.#tree.complete({ ordered: true })
    const { entries, byId } = this.#tree
    return {
      header: this.#header ?? {},
      entries,
      byId,
      leaf: this.#leaf(),
      title: this.#title,
      changes: this.#changes,
    }
  }

  #record(source: SourceRecord, place: number): void {
    const { value, line } = source
    if (isObject(value) && value.kind === 'header' && typeof value.version === 'number')
      throw unsupported(value, { format: this.#format, line })
    const type = isObject(value) ? value.type : undefined
    if (!isObject(value) || typeof type !== 'string') this.#report('record-invalid', line, value)
    else if (type === 'session') this.#session(value, line)
    else if (type === 'title' && this.#tree.entries.length === 0) this.#title = stringAt(value, 'title')
    else this.#entry(source, value, type, place)
  }

  #session(record: Fields, line: number): void {
    this.#known++
    if (record.message !== undefined) this.#report('record-invalid', line, record)
    else if (this.#header !== undefined) this.#report('record-duplicate', line, record)
    this.#header ??= record
  }

  #entry(source: SourceRecord, record: Fields, type: string, place: number): void {
    if (isEntryType(type)) this.#known++
    else if (!this.#unknown.has(type)) {
      this.#unknown.add(type)
      this.#report('record-unknown', source.line, type)
    }
    const id = stringAt(record, 'id')
    const parent = record.parentId === null ? null : stringAt(record, 'parentId')
    this.#tree.add(source, { place, id, type }, parent)
  }

  /**
   * The last entry, whatever its kind, unless a `leaf` record names another one: the newest of both decides, as in the
   * harness that wrote those.
   */
  #leaf(): Entry | undefined {
    let leaf: Entry | undefined
    for (const entry of this.#tree.entries) leaf = entry.type === 'leaf' ? this.#named(entry) : entry
    return leaf
  }

  #named(entry: Entry): Entry | undefined {
    const { targetId } = entry.record
    if (targetId === null) return undefined
    const target = typeof targetId === 'string' ? this.#tree.byId.get(targetId) : undefined
    if (target === undefined) this.#report('record-invalid', entry.line, entry.record)
    return target ?? entry
  }

  #report(code: ChangeCode, line: number, before: unknown): void {
    this.#changes.push(change(code, { line }, { before }))
  }
}

const LOST: ReadonlySet<ChangeCode> = new Set(['line-unreadable', 'line-too-long'])

/** How many lines before a line could not be read: the first version counts entries by their place in the file. */
function lostBefore(changes: readonly Change[]): (line: number) => number {
  const lost = changes.filter(({ code }) => LOST.has(code)).map(({ at }) => at.line ?? 0)
  if (lost.length === 0) return () => 0
  let count = 0
  return (line) => {
    while (count < lost.length && lost[count]! < line) count++
    return count
  }
}

function unsupported(header: Fields, place: ReadErrorPlace): ReadError {
  const reason = `version ${String(header.version)} of the harness's own store is not known; pi itself writes versions 1 to 3`
  return new ReadError(reason, place)
}
