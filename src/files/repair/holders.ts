import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises'
import { hasOwnSqlite } from '../sqlite-engine.ts'
import { RepairError } from './error.ts'

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
  const found = await Promise.all([...names].map((name) => stat(name).catch(() => undefined)))
  const inodes = new Set(found.flatMap((stats) => (stats === undefined ? [] : [String(stats.ino)])))
  return (await isLocked(inodes)) || (await isOpen(names))
}

/**
 * A lock of any process that is visible here; one of this process does not count.
 * @see https://man7.org/linux/man-pages/man5/proc_locks.5.html
 */
async function isLocked(inodes: ReadonlySet<string>): Promise<boolean> {
  const locks = await readFile('/proc/locks', 'utf8').catch(() => '')
  return locks.split('\n').some((line) => {
    const words = line.split(/ +/)
    const file = words.findIndex((word) => word.split(':').length === 3)
    const inode = words[file]?.split(':')[2]
    return inode !== undefined && inodes.has(inode) && words[file - 1] !== String(process.pid)
  })
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
