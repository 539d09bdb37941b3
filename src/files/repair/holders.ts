import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises'
import { hasOwnSqlite } from '../sqlite-engine.ts'
import { RepairError } from './error.ts'
import { isLocked, type LockedFile } from './locks.ts'

/** A database with what SQLite keeps beside it. */
export const DATABASE_FILES = ['', '-wal', '-journal', '-shm'] as const

/**
 * Refuses a database that another process has open. Where the SQLite of Node is at hand, its locks tell too; the optional package
 * knows no locks of other programs, so that without the process table of Linux nothing would tell.
 * @throws {RepairError}
 */
export async function refuseHeld(path: string): Promise<void> {
  const isHeld = process.platform === 'linux' ? await isHeldOnLinux(path) : false
  if (isHeld) throw held()
  if (process.platform === 'linux' || hasOwnSqlite()) return
  throw new RepairError(
    'busy',
    'whether another process holds this database cannot be told here: repair it with Node 22.13 or later',
  )
}

const held = (): RepairError => new RepairError('busy', 'another process holds this database: end its tool first')

/** Why SQLite itself found a database held. The optional package locks by a folder, which stays when its process is killed. */
export async function heldBySqlite(path: string): Promise<RepairError> {
  const folder = `${path}.lock`
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isThere) return held()
  return new RepairError(
    'busy',
    `another process holds this database; when none does, a killed one left ${folder}: remove it`,
  )
}

async function isHeldOnLinux(path: string): Promise<boolean> {
  const original = await realpath(path)
  const names = new Set(DATABASE_FILES.map((suffix) => original + suffix))
  const files = await Promise.all([...names].map(lockedFile))
  const [locks, mounts] = await Promise.all(['/proc/locks', '/proc/self/mountinfo'].map(textOf))
  return isLocked(files.flat(), locks ?? '', mounts ?? '', process.pid) || (await isOpen(names))
}

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

/** None when there is no such file. */
async function lockedFile(path: string): Promise<readonly LockedFile[]> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined)
  return stats === undefined ? [] : [{ path, dev: stats.dev, ino: stats.ino }]
}

/** Processes of other users keep their open files to themselves. */
async function isOpen(names: ReadonlySet<string>): Promise<boolean> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
  for (const id of processes) {
    const folder = `/proc/${id}/fd`
    for (const descriptor of await readdir(folder).catch(() => [])) {
      const target = await readlink(`${folder}/${descriptor}`).catch(() => '')
      if (names.has(target)) return true
    }
  }
  return false
}
