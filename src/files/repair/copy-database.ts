import { constants } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from '../../journal/sync-folder.ts'
import { ioError } from './error.ts'
import { DATABASE_FILES } from './holders.ts'
import { placed, stampOf } from './replace.ts'
import { CAREFULLY, readRange, writeAll } from './snapshot.ts'
import type { RepairFile, RepairFiles } from './system.ts'

const PIECE = 4 * 1024 * 1024

export interface DatabaseCopy {
  readonly backup: string
  remove(): Promise<void>
}

/**
 * Keeps a database beside itself, for its owner's eyes only: the file, and what belongs to it beside it, under names by which SQLite
 * finds them together.
 */
export async function copyDatabase(path: string, now: Date, files: RepairFiles): Promise<DatabaseCopy> {
  const made: string[] = []
  const remove = async (): Promise<void> => {
    for (const name of made) await files.unlink(name).catch(() => {})
  }
  try {
    const fill = (suffix: string) => (file: RepairFile) => copyInto(path + suffix, file, files)
    const backup = await placed(`${path}.${stampOf(now)}`, '.backup', files, made, fill(''))
    // What is shared between processes is made anew.
    for (const suffix of DATABASE_FILES.filter((one) => one !== '' && one !== '-shm')) {
      if (await isThere(path + suffix, files)) await placed(backup, suffix, files, made, fill(suffix))
    }
    await syncFolder(dirname(path), files)
    return { backup, remove }
  } catch (error) {
    await remove()
    throw ioError(error, 'the database could not be backed up')
  }
}

async function isThere(path: string, files: RepairFiles): Promise<boolean> {
  return files.lstat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

async function copyInto(path: string, target: RepairFile, files: RepairFiles): Promise<void> {
  const source = await files.open(path, constants.O_RDONLY | CAREFULLY)
  try {
    const { size } = await source.stat()
    for (let start = 0; start < size; start += PIECE) {
      await writeAll(target, await readRange(source, start, Math.min(size, start + PIECE)))
    }
    await target.sync()
  } finally {
    await source.close()
  }
}
