import { isObject } from '../../model/json.ts'
import type { FormatId, Session, ToolCallEntry } from '../../model/session.ts'
import { readers } from '../../read/index.ts'
import type { Reader, ReadResult, Source } from '../../read/reader.ts'
import { RepairError } from './error.ts'
import type { OpenCall, Plan, StoredFile } from './plan.ts'
import { type StoredLines, storedLines } from './stored-lines.ts'

/** A file of JSON lines, read as its tool reads it: what the tool passes over is not there. */
export interface LineFile {
  readonly format: FormatId
  readonly lines: StoredLines
  readonly source: Source
  readonly session: Session
  /** The calls of the active conversation that have no result, in their order. */
  readonly open: readonly OpenCall[]
}

/** @throws {RepairError} when the file is not JSON lines. */
export function lineFile({ format, bytes }: StoredFile): LineFile {
  const lines = storedLines(bytes)
  if (!lines.records.some(({ value }) => isObject(value)))
    throw new RepairError('unsupported', `this ${format} file is not one record a line, and is not appended to`)
  const source: Source = { records: lines.records, changes: [] }
  const { session, changes } = readerOf(format).read(source, {})
  return { format, lines, source, session, open: openCalls(session, changes) }
}

/** The plan that appends records; they go behind a torn line also when there are none, since the next record would be glued to it. */
export function appending(
  file: LineFile,
  closed: readonly OpenCall[],
  records: readonly object[],
  leftToTool: readonly OpenCall[] = [],
): Plan {
  const added = records.map((value, index) => ({ line: Number.MAX_SAFE_INTEGER - records.length + index, value }))
  return {
    session: file.session,
    closed,
    leftToTool,
    lines: records.map((record) => JSON.stringify(record)),
    tail: file.lines.tail,
    after: () => readerOf(file.format).read({ records: [...file.lines.records, ...added], changes: [] }, {}).session,
  }
}

function readerOf(format: FormatId): Reader {
  const reader = readers.find((known) => known.format === format)
  if (reader === undefined) throw new RepairError('unsupported', `${format} is not read`)
  return reader
}

/** Readers say of each call that has no result where it stands. */
function openCalls({ messages }: Session, changes: ReadResult['changes']): readonly OpenCall[] {
  const open = new Map<string, OpenCall>()
  for (const { code, at } of changes) {
    if (code !== 'call-unfinished' || at.message === undefined || at.part === undefined) continue
    const message = messages[at.message]
    const part = message?.role === 'assistant' ? message.parts[at.part] : undefined
    if (part?.type === 'tool-call' && part.id !== '') open.set(part.id, openCall(part))
  }
  return [...open.values()]
}

function openCall({ id, name, state }: ToolCallEntry): OpenCall {
  const dispatched = state.status === 'interrupted' ? state.dispatched : undefined
  return { id, name, ...(dispatched === undefined ? {} : { dispatched }) }
}
