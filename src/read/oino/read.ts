import { change } from '../../model/change.ts'
import { ReadError } from '../../model/error.ts'
import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Change, Session } from '../../model/session.ts'
import { withoutNode } from '../branches.ts'
import { aside, breaksOf, type Entry, type Path, pathTo } from '../entry-tree.ts'
import { type Note, noteOf, repairedResults } from '../pi/dispatch.ts'
import type { ReadOptions, ReadResult, Source } from '../reader.ts'
import { SUMMARY_LEFT_OUT } from '../summary-left-out.ts'
import { type Records, sortRecords } from './records.ts'
import { Replay } from './replay.ts'

/** Reads a file of `record` lines. */
export function readRecords(source: Source, options: ReadOptions): Omit<ReadResult, 'format'> {
  const records = sortRecords(source)
  const path = pathTo(leafOf(options.leaf, records), records.entries, false)
  const { entries, changes } = windowOf(path.entries, options.history === 'full')
  const notes = notesOf(path.entries)
  const replay = new Replay({ notes, repairs: repairedResults(path.entries, notes, kindOf) })
  for (const entry of entries) replay.tell(entry)
  const told = replay.finish()
  const { branches, changes: copies } = aside(records, path, {
    said,
    isResult: (entry) => isResult(entry) || isCompaction(entry),
  })
  return {
    session: { ...aboutOf(records, path), messages: told.messages },
    changes: [
      ...records.changes,
      ...breaksOf(path),
      ...changes,
      ...told.changes,
      ...copies,
      ...branches.map(({ node, preview: before }) => change('branch-left-out', { line: node.line }, { before })),
    ],
    branches: branches.map(withoutNode),
  }
}

function leafOf(leaf: string | undefined, { leaf: active, byId }: Records): Entry | undefined {
  if (leaf === undefined) return active
  const entry = byId.get(leaf)
  if (entry === undefined) throw new ReadError(`no record has the id ${JSON.stringify(leaf)}`, { format: 'oino' })
  return entry
}

const isCompaction = (entry: Entry): boolean => entry.type === 'compaction' && typeof entry.record.summary === 'string'
const isSpoken = ({ type }: Entry): boolean => type === 'message' || type === 'custom_message'

/** A compaction replaces all before it; the list of what it replaces is not looked at by the program. */
function windowOf(
  path: readonly Entry[],
  isFull: boolean,
): { readonly entries: readonly Entry[]; readonly changes: readonly Change[] } {
  if (!isFull) {
    const last = path.findLastIndex(isCompaction)
    if (last < 0) return { entries: path, changes: [] }
    // The model that was chosen before still answers.
    const models = path.slice(0, last).filter(({ type }) => type === 'model_change')
    return {
      entries: [...models, ...path.slice(last)],
      changes: [change('compaction-applied', { line: path[last]!.line })],
    }
  }
  const first = path.findIndex(isSpoken)
  const isDropped = (entry: Entry, index: number): boolean => first >= 0 && index > first && isCompaction(entry)
  return {
    entries: path.filter((entry, index) => !isDropped(entry, index)),
    changes: path
      .filter(isDropped)
      .map(({ line }) => change('message-left-out', { line }, { message: SUMMARY_LEFT_OUT })),
  }
}

function notesOf(path: readonly Entry[]): ReadonlyMap<Entry, Note> {
  const notes = new Map<Entry, Note>()
  for (const entry of path) {
    const { type } = entry
    if (type === 'message' || type === 'custom_message') continue
    const { record } = entry
    const custom = type === 'extension_custom' && isObject(record.entry) ? record.entry : record
    const note = noteOf(custom.name ?? custom.custom_type ?? type, custom.payload ?? custom.data ?? custom)
    if (note !== undefined) notes.set(entry, note)
  }
  return notes
}

const KINDS: { readonly [kind: string]: string } = { assistant: 'assistant', tool_result: 'result' }

function kindOf({ record }: Entry): { readonly role: unknown; readonly callId: string | undefined } {
  return { role: own(KINDS, valueAt(record.message, 'kind')), callId: stringAt(record.message, 'tool_call_id') }
}

const isResult = (entry: Entry): boolean => kindOf(entry).role === 'result'

/** What an entry says, for the list of branches: undefined when it is no message of its own. */
function said(entry: Entry): string | undefined {
  const { type, record } = entry
  if (type === 'branch_summary') return stringAt(record, 'summary')
  if (!isSpoken(entry) || valueAt(record.message, 'kind') === 'tool_result') return undefined
  const content = valueAt(record.message, 'content')
  for (const block of Array.isArray(content) ? content : []) {
    const text = stringAt(block, 'text')
    if (text !== undefined && text !== '') return text
  }
  return stringAt(record.message, 'summary') ?? ''
}

function aboutOf({ header }: Records, { entries }: Path): Omit<Session, 'messages'> {
  const infos = entries.filter(({ type }) => type === 'session_info').map(({ record }) => record)
  const title = infos.findLast(({ name }) => typeof name === 'string')?.name ?? header.name
  const cwd = infos.findLast((info) => typeof info.cwd === 'string')?.cwd ?? header.cwd
  const id = stringAt(header, 'session_id')
  const version = typeof header.version === 'number' ? String(header.version) : '1'
  return {
    version: 1,
    ...(id === undefined ? {} : { id }),
    ...(typeof title === 'string' && title !== '' ? { title } : {}),
    ...(typeof cwd === 'string' && cwd !== '' ? { cwd } : {}),
    source: { format: 'oino', version },
  }
}
