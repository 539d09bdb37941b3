import { preview } from '../../model/json.ts'
import { readSession } from '../../read/index.ts'
import { appending, type LineFile } from './line-file.ts'
import type { OpenCall, Plan, Replaced, StoredFile } from './plan.ts'
import { appendix } from './stored-lines.ts'

export interface LineRepair {
  readonly closed: readonly OpenCall[]
  readonly leftToTool?: readonly OpenCall[] | undefined
  /** To be appended. */
  readonly records: readonly object[]
  /** The 1-based lines that go. */
  readonly dropped: ReadonlySet<number>
  /** Whether the tool passes over a last line that no newline ends. Else a torn one alone is a reason to write. */
  readonly skipsUnended: boolean
}

/** Appends where that is enough, and rewrites the file where lines have to go: those that are dropped, and a torn last one. */
export function rewritten(stored: StoredFile, file: LineFile, repair: LineRepair): Plan {
  const { closed, leftToTool, records, dropped, skipsUnended } = repair
  const isTorn = file.lines.tail.state === 'torn'
  if (dropped.size === 0 && !(isTorn && (!skipsUnended || records.length > 0))) {
    const plan = appending(file, closed, records, leftToTool)
    return isTorn ? { ...plan, tail: undefined } : { ...plan, needsNewline: skipsUnended }
  }
  const kept = withoutLines(stored.bytes, dropped, isTorn ? file.lines.tail.offset : stored.bytes.length)
  const lines = records.map((record) => JSON.stringify(record))
  const end = kept.bytes.at(-1)
  const state = end === undefined || end === NEWLINE ? 'ended' : 'whole'
  const bytes = Buffer.concat([kept.bytes, appendix({ state, offset: 0, length: 0 }, lines)])
  const torn = isTorn ? [{ place: 'the end', before: textOf(stored.bytes.subarray(file.lines.tail.offset)) }] : []
  return {
    session: file.session,
    closed,
    leftToTool,
    lines,
    tail: file.lines.tail,
    replacement: { bytes, edits: [...kept.edits, ...torn] },
    after: () => readSession(bytes, { format: stored.format }).session,
  }
}

const NEWLINE = 10

const textOf = (bytes: Uint8Array): string => preview(Buffer.from(bytes).toString())

/** The bytes up to an end, without some lines. */
function withoutLines(
  bytes: Uint8Array,
  dropped: ReadonlySet<number>,
  end: number,
): { readonly bytes: Buffer; readonly edits: readonly Replaced[] } {
  const kept: Uint8Array[] = []
  const edits: Replaced[] = []
  let start = 0
  for (let line = 1; start < end; line++) {
    const newline = bytes.indexOf(NEWLINE, start)
    const stop = newline < 0 || newline >= end ? end : newline + 1
    if (dropped.has(line)) edits.push({ place: `line ${line}`, before: textOf(bytes.subarray(start, stop)).trimEnd() })
    else kept.push(bytes.subarray(start, stop))
    start = stop
  }
  return { bytes: Buffer.concat(kept), edits }
}
