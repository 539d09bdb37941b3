import { constants } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from '../../journal/sync-folder.ts'
import { ioError, RepairError } from './error.ts'
import { changed, isSame, regular, type Snapshot, writeAll } from './snapshot.ts'
import type { RepairFile, RepairFiles } from './system.ts'

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/** For its owner's eyes only: sessions hold what users and tools said. */
const PRIVATE = 0o600

/**
 * Puts other bytes in the place of the file that was read, all at once, with its mode and owner; the old bytes are kept
 * in a private file beside it, which is durable before. Gives the path of that backup.
 * @throws {RepairError} when the file is another one by now, its owner cannot be kept, or the system fails.
 */
export async function replaceWith(
  path: string,
  taken: Snapshot,
  bytes: Uint8Array,
  now: Date,
  files: RepairFiles,
): Promise<string> {
  refuseFurtherNames(taken)
  const made: string[] = []
  try {
    const backup = await placed(`${path}.${stampOf(now)}`, '.backup', files, made, async (file) => {
      await writeAll(file, taken.bytes)
      await file.sync()
    })
    const temporary = await placed(temporaryStart(path, now), '.tmp', files, made, (file) =>
      dressed(file, taken, bytes),
    )
    await syncFolder(dirname(path), files)
    if (!isSame(taken.stats, await regular(path, files))) throw changed()
    await files.rename(temporary, path)
    made.length = 0
    await madeDurable(path, backup, files)
    return backup
  } catch (error) {
    for (const name of made) await files.unlink(name).catch(() => {})
    throw ioError(error, 'the file could not be replaced')
  }
}

/** @throws {RepairError} */
export function refuseFurtherNames({ stats }: Snapshot): void {
  if (stats.nlink > 1)
    throw new RepairError('irregular', 'the file has several names (hard links), of which a replacement would keep one')
}

async function madeDurable(path: string, backup: string, files: RepairFiles): Promise<void> {
  try {
    await syncFolder(dirname(path), files)
  } catch (error) {
    throw ioError(
      error,
      `the file was replaced, but a crash of the machine may undo that; as it was it stands in ${backup}`,
    )
  }
}

/** So many repairs within one second are a mistake. */
const MOST_NAMES = 100

/** Fills a private file of a name that no other has. `made` is told what was created. */
export async function placed(
  start: string,
  end: string,
  files: RepairFiles,
  made: string[],
  fill: (file: RepairFile) => Promise<void>,
): Promise<string> {
  for (let number = 1; number < MOST_NAMES; number++) {
    const name = number === 1 ? start + end : `${start}-${number}${end}`
    const file = await files.open(name, CREATE, PRIVATE).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return undefined
      throw error
    })
    if (file === undefined) continue
    made.push(name)
    try {
      await fill(file)
    } finally {
      await file.close()
    }
    return name
  }
  throw new RepairError('io', 'there are too many files of earlier repairs beside it')
}

/** Fills a file that will take the place of another, with its mode and owner. */
export async function dressed(file: RepairFile, { stats }: Snapshot, bytes: Uint8Array): Promise<void> {
  await writeAll(file, bytes)
  const own = await file.stat()
  if (own.uid !== stats.uid || own.gid !== stats.gid) await file.chown(stats.uid, stats.gid)
  await file.chmod(stats.mode & 0o7777)
  await file.sync()
}

/** Hidden, and beside the file, where a rename is all or nothing. */
export const temporaryStart = (path: string, now: Date): string =>
  join(dirname(path), `.${basename(path)}.${stampOf(now)}`)

/** Such as `20261130T154500Z`. */
export const stampOf = (now: Date): string => now.toISOString().replace(/[-:]|\.\d+/g, '')
