import { dirname, join } from 'node:path'
import { syncFolder } from '../../journal/sync-folder.ts'
import { type Backup, backUpAll } from './backup-folder.ts'
import { about, ioError, RepairError } from './error.ts'
import { inTurns } from './in-turns.ts'
import { dressed, placed, refuseFurtherNames, temporaryStart } from './replace.ts'
import { changed, isSame, regular, type Snapshot } from './snapshot.ts'
import type { FileStats, RepairFiles } from './system.ts'

/** A file that gets other bytes. */
export interface Replacement {
  /** The names that lead to it from the root. */
  readonly path: readonly string[]
  readonly taken: Snapshot
  readonly bytes: Uint8Array
}

export interface FileSet {
  /** The folder that they are all in, where the backup is put. */
  readonly root: string
  /** How the name of the backup begins. */
  readonly name: string
  readonly replacements: readonly Replacement[]
  /** Rejects when anything that was read is another by now. */
  unchanged(): Promise<void>
}

/**
 * Puts other bytes in the place of several files, each at once and with its mode and owner. All that can fail is done before
 * the first of them is touched; when one still cannot be replaced, those before it are put back. The old bytes
 * are kept in a private folder, which is durable before. Gives the path of that backup.
 * @throws {RepairError} `changed` when one of the files is another by now, and all are as they were; `io` when the system fails,
 * also where a file could not be put back: the message names it, and the backup.
 */
export async function replaceAll(set: FileSet, now: Date, files: RepairFiles): Promise<string> {
  const { root, name, replacements } = set
  for (const { path, taken } of replacements) named(path, () => refuseFurtherNames(taken))
  const backup = await backUpAll(root, name, replacements, now, files)
  const swap = new Swap(root, backup, now, files)
  try {
    await swap.prepare(replacements)
    await set.unchanged()
    await swap.run()
  } catch (error) {
    await swap.cleanUp()
    throw ioError(error, 'the files could not be replaced')
  }
  await swap.makeDurable()
  return backup.path
}

function named(path: readonly string[], work: () => void): void {
  try {
    work()
  } catch (error) {
    throw about(path, ioError(error, 'it could not be replaced'))
  }
}

/** A file whose successor stands ready beside it. */
interface Ready extends Replacement {
  readonly whole: string
  readonly temporary: string
  /** Of the successor. */
  readonly stats: FileStats
}

class Swap {
  readonly #root: string
  readonly #backup: Backup
  readonly #now: Date
  readonly #files: RepairFiles
  readonly #ready: Ready[] = []
  /** Temporaries, as far as they are not renamed. */
  readonly #made: string[] = []
  /** Whether what stands there is not all as it was. */
  #isHalfDone = false

  constructor(root: string, backup: Backup, now: Date, files: RepairFiles) {
    this.#root = root
    this.#backup = backup
    this.#now = now
    this.#files = files
  }

  async prepare(replacements: readonly Replacement[]): Promise<void> {
    await inTurns([...replacements.entries()], async ([place, one]) => {
      const whole = join(this.#root, ...one.path)
      this.#ready[place] = { ...one, whole, ...(await this.#beside(whole, one.taken, one.bytes)) }
    })
    await inTurns(this.#folders(), (folder) => syncFolder(folder, this.#files))
  }

  /** One after the other, so that it is known which were replaced when one is not. */
  async run(): Promise<void> {
    for (const [place, { whole, path, taken, temporary }] of this.#ready.entries()) {
      try {
        if (!isSame(taken.stats, await regular(whole, this.#files))) throw changed()
        await this.#files.rename(temporary, whole)
      } catch (error) {
        const failure = about(path, ioError(error, 'it could not be replaced'))
        throw await this.#putBack(this.#ready.slice(0, place + 1), failure)
      }
    }
    this.#made.length = 0
  }

  async makeDurable(): Promise<void> {
    try {
      await inTurns(this.#folders(), (folder) => syncFolder(folder, this.#files))
    } catch (error) {
      throw ioError(
        error,
        `the files were replaced, but a crash of the machine may undo that; as they were they stand in ${this.#backup.path}`,
      )
    }
  }

  async cleanUp(): Promise<void> {
    for (const name of this.#made) await this.#files.unlink(name).catch(() => {})
    if (!this.#isHalfDone) await this.#backup.remove()
  }

  /** The failure, with what became of the files before. */
  async #putBack(tried: readonly Ready[], { reason, message, cause }: RepairError): Promise<RepairError> {
    const kept: string[] = []
    let back = 0
    for (const one of tried.toReversed()) {
      try {
        if (await this.#isRestored(one)) back++
      } catch {
        kept.push(one.path.join('/'))
      }
    }
    await inTurns(this.#folders(), (folder) => syncFolder(folder, this.#files)).catch(() => {})
    this.#isHalfDone = kept.length > 0
    const were = back === 0 ? '' : `; ${back} that had been replaced before it were put back as they were`
    const are =
      kept.length === 0
        ? ''
        : `; ${kept.join(', ')} could not be put back and may be repaired already: as it was it stands in ${this.#backup.path}`
    // What is `changed` may be tried once more: then the backup of that would be named, which holds what is half done by now.
    return new RepairError(this.#isHalfDone ? 'io' : reason, message + were + are, { cause })
  }

  /** Puts a file back, unless it was not replaced, or its tool has written to it since. */
  async #isRestored({ whole, taken, stats }: Ready): Promise<boolean> {
    if (!isSame(stats, await this.#files.lstat(whole))) return false
    const { temporary } = await this.#beside(whole, taken, taken.bytes)
    await this.#files.rename(temporary, whole)
    return true
  }

  async #beside(whole: string, taken: Snapshot, bytes: Uint8Array): Promise<Pick<Ready, 'temporary' | 'stats'>> {
    let stats: FileStats = taken.stats
    const temporary = await placed(temporaryStart(whole, this.#now), '.tmp', this.#files, this.#made, async (file) => {
      await dressed(file, taken, bytes)
      stats = await file.stat()
    })
    return { temporary, stats }
  }

  #folders(): readonly string[] {
    return [...new Set(this.#ready.map(({ whole }) => dirname(whole)))]
  }
}
