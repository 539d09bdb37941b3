import { lstat } from 'node:fs/promises'
import { preview } from '../../model/json.ts'
import { readDatabase } from '../databases.ts'
import { withPrivateCopy } from '../private-copy.ts'
import { withDatabase } from '../sqlite.ts'
import { type Engine, openEngine } from '../sqlite-engine.ts'
import { copyDatabase } from './copy-database.ts'
import { ioError, RepairError } from './error.ts'
import { DATABASE_FILES, heldBySqlite, refuseHeld } from './holders.ts'
import { repairedText } from './opencode.ts'
import type { OpenCall } from './plan.ts'
import { changed, isLink } from './snapshot.ts'
import { leftOpen, type StorePlan } from './store.ts'
import type { RepairFiles } from './system.ts'

/** A row of a part, and what it becomes. */
interface Update {
  readonly id: string
  readonly before: string
  readonly after: string
  readonly closed: readonly OpenCall[]
}

/** What would be done to one session of a database. Only a private copy of it is opened, and repaired. */
export async function databasePlan(
  path: string,
  id: string | undefined,
  maxBytes: number,
  now: Date,
  files: RepairFiles,
): Promise<StorePlan> {
  const { fingerprint, changedAt } = await stateOf(path)
  return withPrivateCopy(path, maxBytes, async (copy) => {
    const stored = await readDatabase(copy, id === undefined ? {} : { id }, maxBytes)
    const { session, format } = stored
    if (format !== 'opencode')
      throw new RepairError('unsupported', `databases of ${format} are not repaired; of opencode they are`)
    const updates = await updatesOf(copy, session.id, maxBytes, now)
    if (updates.length > 0) await inTransaction(copy, updates, now)
    const after = await readDatabase(copy, session.id === undefined ? {} : { id: session.id }, maxBytes)
    const closed = updates.flatMap((one) => one.closed)
    return {
      format,
      session,
      closed,
      // The messages of opencode 2 follow from a log of events; it closes its calls itself when it runs the session again.
      leftToTool: leftOpen(stored, closed),
      replaced: updates.map(({ id: part, before, after: text }) => ({
        place: `part ${part}`,
        before: preview(before),
        after: preview(text),
      })),
      after: after.session,
      changedAt,
      write: () => repairDatabase(path, updates, fingerprint, now, files),
    }
  })
}

/**
 * Repairs the database itself, in one transaction, after a private backup of it and of what stands beside it. Gives the path
 * of the backup.
 * @throws {RepairError} when another process holds it, or it was changed meanwhile.
 */
async function repairDatabase(
  path: string,
  updates: readonly Update[],
  fingerprint: string,
  now: Date,
  files: RepairFiles,
): Promise<string> {
  await refuseHeld(path)
  const { backup, remove } = await copyDatabase(path, now, files)
  try {
    await refuseHeld(path)
    if ((await stateOf(path)).fingerprint !== fingerprint) throw changed()
    await inTransaction(path, updates, now)
    return backup
  } catch (error) {
    await remove()
    throw ioError(error, FAILED)
  }
}

/** Equal before and after, nothing was written in between. @throws {RepairError} for links. */
async function stateOf(path: string): Promise<{ readonly fingerprint: string; readonly changedAt: number }> {
  const written = DATABASE_FILES.filter((suffix) => suffix !== '-shm')
  await refuseLink(path)
  const all = await Promise.all(written.map((suffix) => lstat(path + suffix).catch(() => undefined)))
  const found = all.map((one) => (one === undefined ? '-' : `${one.dev} ${one.ino} ${one.size} ${one.mtimeMs}`))
  return { fingerprint: found.join(', '), changedAt: Math.max(0, ...all.map((one) => one?.mtimeMs ?? 0)) }
}

/** Also one that took the place of the database since it was looked at: SQLite itself would follow it. */
async function refuseLink(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined)
  if (stats?.isSymbolicLink()) throw isLink()
}

async function updatesOf(
  copy: string,
  session: string | undefined,
  maxBytes: number,
  now: Date,
): Promise<readonly Update[]> {
  if (session === undefined) return []
  return withDatabase(copy, maxBytes, (database) => {
    const columns = database.tables.get('part')
    if (!['id', 'session_id', 'data'].every((column) => columns?.has(column))) return []
    const rows = database.rows({
      table: 'part',
      columns: ['id', 'data'],
      where: { column: 'session_id', value: session },
    })
    return rows.flatMap(({ id, data }) =>
      typeof id === 'string' && typeof data === 'string' ? update(id, data, now) : [],
    )
  })
}

function update(id: string, stored: string, now: Date): readonly Update[] {
  // Not every build of SQLite gives what stands behind a zero byte. Such a row is not the one that is looked for then.
  const before = stored.split('\0', 1)[0] ?? ''
  const repaired = repairedText(before, now)
  return repaired === undefined ? [] : [{ id, before, after: repaired.text, closed: repaired.closed }]
}

/** All or nothing, and durable behind it; in the shape of the database as it is. */
const SETTINGS = [
  // Before the first look into it: with it, a database in WAL mode is refused while anybody else has it open.
  'PRAGMA locking_mode = EXCLUSIVE',
  'PRAGMA trusted_schema = OFF',
  'PRAGMA synchronous = FULL',
]

async function inTransaction(path: string, updates: readonly Update[], now: Date): Promise<void> {
  const engine = await openEngine(path)
  try {
    for (const setting of SETTINGS) engine.run(setting)
    engine.run('BEGIN EXCLUSIVE')
    try {
      await refuseLink(path)
      const time = timeColumn(engine) ? now.getTime() : undefined
      refusePrograms(engine, time)
      for (const one of updates) applied(engine, one, time)
      engine.run('COMMIT')
    } catch (error) {
      quietly(() => engine.run('ROLLBACK'))
      throw error
    }
  } catch (error) {
    throw /locked|busy/i.test(String((error as Error).message)) ? await heldBySqlite(path) : ioError(error, FAILED)
  } finally {
    quietly(() => engine.close())
  }
}

/** What comes behind the outcome must not hide it: on a full disk SQLite rolls back by itself, and a commit stays one. */
function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // The outcome is known.
  }
}

const FAILED = 'the database could not be changed'

/**
 * A database may bring programs of its own, which an update would start: triggers, and what foreign keys change elsewhere.
 * The plan of the very statement tells, whatever the schema says of itself.
 * @see https://www.sqlite.org/opcode.html#Program
 */
function refusePrograms(engine: Engine, time: number | undefined): void {
  for (const { opcode } of engine.rows(`EXPLAIN ${updateText(time)}`))
    if (opcode === 'Program')
      throw new RepairError('unsupported', 'the table of parts has triggers, which an update would start')
}

/** A row of bytes, as other programs store it, becomes one of text, as opencode stores and loads it. */
const updateText = (time: number | undefined): string =>
  `UPDATE part SET data = ?${time === undefined ? '' : ', time_updated = ?'}
  WHERE id = ? AND (data = ? OR data = CAST(? AS BLOB)) RETURNING id`

const timeColumn = (engine: Engine): boolean =>
  [...engine.rows('PRAGMA table_info(part)')].some(({ name }) => name === 'time_updated')

/** Only the row that was read: where it is another one by now, nothing of the transaction stays. */
function applied(engine: Engine, { id, before, after }: Update, time: number | undefined): void {
  const values = [after, ...(time === undefined ? [] : [time]), id, before, before]
  if ([...engine.rows(updateText(time), values)].length !== 1) throw whyNot(engine, id)
}

const ROW = `SELECT typeof(id) AS id_type, typeof(data) AS data_type, instr(CAST(data AS BLOB), x'00') AS zero
  FROM part WHERE CAST(id AS TEXT) = ?`

/** Why the row of a part could not be changed: another process changed it, or it cannot be told apart or given back. */
function whyNot(engine: Engine, id: string): RepairError {
  const [row, second] = [...engine.rows(ROW, [id])]
  const because = (why: string): RepairError =>
    new RepairError('unsupported', `the row of the part ${JSON.stringify(id)} ${why}`)
  if (row === undefined) return changed()
  if (second !== undefined) return because('stands more than once in the database')
  if (row.id_type !== 'text') return because('has an id that is no text')
  if (row.data_type !== 'text')
    return because('is stored as bytes that are no UTF-8: writing it anew would change more')
  if (Number(row.zero) > 0)
    return because(
      'holds a zero byte, for which opencode cannot load it: writing it anew would lose what stands behind that',
    )
  return changed()
}
