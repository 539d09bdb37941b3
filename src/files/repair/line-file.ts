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
  /** The ids of those that have one. */
  readonly answered: ReadonlySet<string>
}

/** @throws {RepairError} when the file is not JSON lines. */
export function lineFile({ format, bytes }: StoredFile): LineFile {
  const lines = storedLines(bytes)
  if (!lines.records.some(({ value }) => isObject(value)))
    throw new RepairError('unsupported', `this ${format} file is not one record a line, and is not appended to`)
  const source: Source = { records: lines.records, changes: [] }
  const { session, changes } = readerOf(format).read(source, {})
  return { format, lines, source, session, ...callsOf(session, changes) }
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

/**
 * The open calls for tools that look for a result by its id alone, wherever it stands: where several calls share an id, one
 * result is that of all of them, and a second one would be a result too many.
 */
export const unanswered = ({ open, answered }: LineFile): readonly OpenCall[] =>
  open.filter(({ id }) => !answered.has(id))

/** Readers say of each call that has no result where it stands. */
function callsOf({ messages }: Session, changes: ReadResult['changes']): Pick<LineFile, 'open' | 'answered'> {
  const unfinished = new Set(
    changes.flatMap(({ code, at }) => (code === 'call-unfinished' ? [`${at.message} ${at.part}`] : [])),
  )
  const open = new Map<string, OpenCall>()
  const answered = new Set<string>()
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue
    for (const [place, part] of message.parts.entries()) {
      if (part.type !== 'tool-call' || part.id === '') continue
      if (unfinished.has(`${index} ${place}`)) open.set(part.id, openCall(part))
      else answered.add(part.id)
    }
  }
  return { open: [...open.values()], answered }
}

function openCall({ id, name, state }: ToolCallEntry): OpenCall {
  const dispatched = state.status === 'interrupted' ? state.dispatched : undefined
  return { id, name, ...(dispatched === undefined ? {} : { dispatched }) }
}
