import { join } from 'node:path'
import { syncFolder } from '../../journal/sync-folder.ts'
import { ioError, RepairError } from './error.ts'
import { inTurns } from './in-turns.ts'
import { placed, stampOf } from './replace.ts'
import { type Snapshot, writeAll } from './snapshot.ts'
import type { RepairFiles } from './system.ts'

export interface Backup {
  readonly path: string
  remove(): Promise<void>
}

interface Kept {
  /** The names that lead to it from the root. */
  readonly path: readonly string[]
  readonly taken: Snapshot
}

/** For its owner alone to look into. */
const PRIVATE = 0o700

/** So many repairs within one second are a mistake. */
const MOST_NAMES = 100

/**
 * Keeps several files as they were read, under their own names in a private folder of the root: copied over the root they are
 * back. Not beside the files, since opencode loads whatever stands in its folders of messages and parts.
 */
export async function backUpAll(
  root: string,
  name: string,
  kept: readonly Kept[],
  now: Date,
  files: RepairFiles,
): Promise<Backup> {
  const made: string[] = []
  const folders: string[] = []
  const remove = async (): Promise<void> => {
    for (const one of made) await files.unlink(one).catch(() => {})
    for (const one of folders.toReversed()) await files.rmdir(one).catch(() => {})
  }
  try {
    const path = await freshFolder(join(root, `${name}.${stampOf(now)}`), folders, files)
    for (const folder of foldersOf(kept)) {
      await files.mkdir(join(path, folder), PRIVATE)
      folders.push(join(path, folder))
    }
    await inTurns(kept, async (one) => {
      await placed(join(path, ...one.path), '', files, made, async (file) => {
        await writeAll(file, one.taken.bytes)
        await file.sync()
      })
    })
    await inTurns([...folders, root], (folder) => syncFolder(folder, files))
    return { path, remove }
  } catch (error) {
    await remove()
    throw ioError(error, 'the files could not be backed up')
  }
}

async function freshFolder(start: string, folders: string[], files: RepairFiles): Promise<string> {
  for (let number = 1; number < MOST_NAMES; number++) {
    const path = `${start}${number === 1 ? '' : `-${number}`}.backup`
    const isMade = await files.mkdir(path, PRIVATE).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false
        throw error
      },
    )
    if (!isMade) continue
    folders.push(path)
    return path
  }
  throw new RepairError('io', 'there are too many backups of earlier repairs')
}

/** The folders that the files are in, each behind the one that it is in. */
function foldersOf(kept: readonly Kept[]): readonly string[] {
  const found = new Set<string>()
  for (const { path } of kept) {
    for (let length = 1; length < path.length; length++) found.add(join(...path.slice(0, length)))
  }
  return [...found]
}
