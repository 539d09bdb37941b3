import { change } from '../../model/change.ts'
import { ReadError } from '../../model/error.ts'
import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { FormatId } from '../../model/session.ts'
import { withoutNode } from '../branches.ts'
import { aside, breaksOf, type Entry, pathTo } from '../entry-tree.ts'
import type { ReadOptions, ReadResult, Source } from '../reader.ts'
import { blocksOf } from './content.ts'
import { type Note, noteOf, repairedResults } from './dispatch.ts'
import { type Records, sortRecords } from './records.ts'
import { Replay } from './replay.ts'
import { sessionFields } from './session.ts'
import { activeWindow, fullWindow, isCompaction } from './window.ts'

/** Reads a session file of pi, or of a tool that writes the same; `format` is what it is called. */
export function readTree(source: Source, options: ReadOptions, format: FormatId): Omit<ReadResult, 'format'> {
  const records = sortRecords(source, format)
  const path = pathTo(leafOf(options.leaf, records, format), records.entries, true)
  const window = options.history === 'full' ? fullWindow(path.entries) : activeWindow(path.entries)
  const notes = notesOf(path.entries)
  const told = new Replay(window, { notes, repairs: repairedResults(path.entries, notes, kindOf) }).run()
  const { branches, changes: copies } = aside(records, path, {
    said,
    isResult: (entry) => isResult(entry) || isCompaction(entry),
  })
  const { instructions, tools, messages } = told
  return {
    session: {
      ...sessionFields(records, path, format),
      ...(instructions.length === 0 ? {} : { instructions }),
      ...(tools.length === 0 ? {} : { tools }),
      messages,
    },
    changes: [
      ...records.changes,
      ...breaksOf(path),
      ...window.changes,
      ...told.changes,
      ...copies,
      ...branches.map(({ node, preview: before }) => change('branch-left-out', { line: node.line }, { before })),
    ],
    branches: branches.map(withoutNode),
  }
}

function leafOf(leaf: string | undefined, records: Records, format: FormatId): Entry | undefined {
  if (leaf === undefined) return records.leaf
  const entry = records.byId.get(leaf)
  if (entry === undefined) throw new ReadError(`no record has the id ${JSON.stringify(leaf)}`, { format })
  return entry
}

/** Records of a durable writer stand among those that extensions store for themselves. */
function notesOf(path: readonly Entry[]): ReadonlyMap<Entry, Note> {
  const notes = new Map<Entry, Note>()
  for (const entry of path) {
    if (entry.type === 'message') continue
    const { type, record } = entry
    const note = type === 'custom' ? noteOf(record.customType, record.data) : noteOf(type, record.data ?? record)
    if (note !== undefined) notes.set(entry, note)
  }
  return notes
}

const KINDS: { readonly [role: string]: string } = { assistant: 'assistant', toolResult: 'result' }

function kindOf({ record }: Entry): { readonly role: unknown; readonly callId: string | undefined } {
  return { role: own(KINDS, valueAt(record.message, 'role')), callId: stringAt(record.message, 'toolCallId') }
}

const SILENT: ReadonlySet<unknown> = new Set(['toolResult', 'system'])

const isResult = (entry: Entry): boolean => kindOf(entry).role === 'result'

/** What an entry says, for the list of branches: undefined when it is no message of its own. */
function said({ type, record }: Entry): string | undefined {
  if (type === 'branch_summary') return stringAt(record, 'summary')
  const message = type === 'custom_message' ? record : type === 'message' ? record.message : undefined
  if (!isObject(message) || SILENT.has(message.role)) return undefined
  for (const block of blocksOf(message.content) ?? []) {
    const text = stringAt(block, 'text')
    if (text !== undefined && text !== '') return text
  }
  return stringAt(message, 'command') ?? ''
}
