import { join } from 'node:path'
import { readSession } from '../../read/index.ts'
import type { ReadResult } from '../../read/reader.ts'
import type { Row } from '../../read/tables.ts'
import { messagesPath, partsPath, type Tree, type TreeRows, type TreeSession, treeRows } from '../opencode-tree.ts'
import { about, RepairError } from './error.ts'
import { inTurns } from './in-turns.ts'
import { decoded } from './json-file.ts'
import { repairedText } from './opencode.ts'
import type { OpenCall, Replaced } from './plan.ts'
import { type Replacement, replaceAll } from './replace-all.ts'
import { changed, snapshotOf } from './snapshot.ts'
import { leftOpen, type StorePlan } from './store.ts'
import type { RepairFiles } from './system.ts'
import { treeState } from './tree-state.ts'
import type { TreeTarget } from './tree-target.ts'

/** A file of the tree that holds an open call, and what it becomes. */
interface Repaired extends Replacement {
  readonly row: Row
  readonly text: string
  readonly closed: readonly OpenCall[]
  readonly edits: readonly Replaced[]
}

/**
 * What would be done to one session of a storage tree, where each part is a file. Every file of the session is looked at before it
 * is read and again before anything is written, so that what came in between is noticed.
 */
export async function treePlan(
  { tree, session }: TreeTarget,
  maxBytes: number,
  now: Date,
  files: RepairFiles,
): Promise<StorePlan> {
  const { fingerprint, changedAt, bytes } = await treeState(tree, session, files)
  refuseLarge(bytes, maxBytes)
  const rows = await treeRows(tree, session, maxBytes)
  // A call in it would stay open.
  if (rows.changes[0] !== undefined) throw new RepairError('io', rows.changes[0].message)
  const repairs = await repairsOf(tree, rows, maxBytes, now, files)
  const closed = repairs.flatMap((one) => one.closed)
  const stored = readRows(session, rows)
  const unchanged = async (): Promise<void> => {
    if ((await treeState(tree, session, files)).fingerprint !== fingerprint) throw changed()
  }
  return {
    format: 'opencode',
    session: stored.session,
    closed,
    leftToTool: leftOpen(stored, closed),
    replaced: repairs.flatMap(({ path, edits }) =>
      edits.map((edit) => ({ ...edit, place: `${path.join('/')} ${edit.place}` })),
    ),
    after: repairs.length === 0 ? stored.session : readRows(session, renewed(rows, repairs)).session,
    changedAt,
    write: () => replaceAll({ root: tree.root, name: session.id, replacements: repairs, unchanged }, now, files),
  }
}

function refuseLarge(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return
  throw new RepairError(
    'unsupported',
    `the files of this session are over ${maxBytes} bytes; maxBytes raises the limit`,
  )
}

type Rows = Pick<TreeRows, 'message' | 'part'>

async function repairsOf(
  tree: Tree,
  { message, part }: Rows,
  maxBytes: number,
  now: Date,
  files: RepairFiles,
): Promise<readonly Repaired[]> {
  const open = [...message, ...part].filter((row) => repairedText(String(row.data), now) !== undefined)
  const repairs: Repaired[] = []
  await inTurns([...open.entries()], async ([place, row]) => {
    repairs[place] = await repairedFile(tree, row, maxBytes, now, files)
  })
  return repairs
}

function renewed({ message, part }: Rows, repairs: readonly Repaired[]): Rows {
  const texts = new Map(repairs.map(({ row, text }) => [row, { ...row, data: text }]))
  const all = (rows: readonly Row[]): readonly Row[] => rows.map((row) => texts.get(row) ?? row)
  return { message: all(message), part: all(part) }
}

const readRows = (session: TreeSession, { message, part }: Rows): Pick<ReadResult, 'session' | 'changes'> =>
  readSession({ tables: { session: [session.row], message, part } }, { format: 'opencode' })

/** Rows of parts name their message. */
function pathOf(tree: Tree, { id, session_id, message_id }: Row): readonly string[] {
  const folder =
    message_id === undefined
      ? messagesPath(tree, String(session_id))
      : partsPath(tree, String(session_id), String(message_id))
  return [...folder, `${String(id)}.json`]
}

/** By its bytes, since a text may not hold them all. */
async function repairedFile(tree: Tree, row: Row, maxBytes: number, now: Date, files: RepairFiles): Promise<Repaired> {
  const path = pathOf(tree, row)
  try {
    const taken = await snapshotOf(join(tree.root, ...path), maxBytes, files)
    const repaired = repairedText(decoded(taken.bytes), now)
    if (repaired === undefined) throw changed()
    const { text, closed, edits } = repaired
    return { path, row, taken, text, bytes: Buffer.from(text), closed, edits }
  } catch (error) {
    throw RepairError.is(error) ? about(path, error) : error
  }
}
