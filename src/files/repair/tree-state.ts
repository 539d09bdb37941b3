import { join } from 'node:path'
import { isId, messagesPath, partsPath, type Tree, type TreeSession } from '../opencode-tree.ts'
import { about, ioError, RepairError } from './error.ts'
import { inTurns } from './in-turns.ts'
import { isLink, regular } from './snapshot.ts'
import type { FileStats, RepairFiles } from './system.ts'

/** The files of one session in a storage tree, as they were at one moment. */
export interface TreeState {
  /** Equal before and after, nothing was written in between, and no file came or went. */
  readonly fingerprint: string
  /** When the last changed of them was changed. */
  readonly changedAt: number
  readonly bytes: number
}

/** As the reader: more files are not a session. */
const MOST_FILES = 200_000

/**
 * Looks at every file of a session: its own, its messages and their parts.
 * @throws {RepairError} for links and what is no regular file among them, and for names that opencode does not give.
 */
export async function treeState(tree: Tree, session: TreeSession, files: RepairFiles): Promise<TreeState> {
  const look = new Look(tree.root, files)
  await look.at([session.path])
  const messages = await look.inFolder(messagesPath(tree, session.id))
  const parts: (readonly string[])[] = []
  await inTurns(messages, async (name) => {
    for (const part of await look.inFolder(partsPath(tree, session.id, name))) {
      parts.push([...partsPath(tree, session.id, name), `${part}.json`])
    }
  })
  await look.at(messages.map((name) => [...messagesPath(tree, session.id), `${name}.json`]))
  await look.at(parts)
  return look.state()
}

class Look {
  readonly #root: string
  readonly #files: RepairFiles
  readonly #found: string[] = []
  #changedAt = 0
  #bytes = 0
  #left = MOST_FILES

  constructor(root: string, files: RepairFiles) {
    this.#root = root
    this.#files = files
  }

  state(): TreeState {
    return { fingerprint: this.#found.sort().join('\n'), changedAt: this.#changedAt, bytes: this.#bytes }
  }

  async at(paths: readonly (readonly string[])[]): Promise<void> {
    await inTurns(paths, async (path) => {
      const { dev, ino, size, mtimeMs } = await this.#regular(path)
      this.#found.push(`${path.join('/')} ${dev} ${ino} ${size} ${mtimeMs}`)
      this.#changedAt = Math.max(this.#changedAt, mtimeMs)
      this.#bytes += size
    })
  }

  /** The ids of the JSON files in a folder; none where it is not there. Hidden files opencode does not see. */
  async inFolder(path: readonly string[]): Promise<readonly string[]> {
    const whole = join(this.#root, ...path)
    const real = await this.#files.realpath(whole).catch(absent)
    if (real === undefined) return []
    if (real !== whole) throw about(path, isLink())
    const names = (await this.#files.readdir(whole).catch(absent)) ?? []
    const shown = names.filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    this.#left -= shown.length
    if (this.#left < 0) throw new RepairError('unsupported', `this session has over ${MOST_FILES} files`)
    const ids = shown.map((name) => name.slice(0, -'.json'.length))
    const odd = ids.find((id) => !isId(id))
    if (odd === undefined) return ids
    throw about(
      [...path, `${odd}.json`],
      new RepairError('unsupported', 'this is no name that opencode gives, but it would load the file'),
    )
  }

  async #regular(path: readonly string[]): Promise<FileStats> {
    return regular(join(this.#root, ...path), this.#files).catch((error: unknown) => {
      throw about(path, ioError(error, 'the file cannot be read'))
    })
  }
}

/** A message without parts has no folder. */
function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw ioError(error, 'the storage tree cannot be read')
}
