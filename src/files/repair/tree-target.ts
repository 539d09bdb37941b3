import { basename, dirname, join, resolve } from 'node:path'
import { ReadError } from '../../model/error.ts'
import { findsIn } from '../finds.ts'
import { newest, type Tree, type TreeSession, treeIn, treeSessions } from '../opencode-tree.ts'
import { RepairError } from './error.ts'
import { refuseOtherId } from './format-of.ts'
import { regular } from './snapshot.ts'
import type { FileStats, RepairFiles } from './system.ts'

/** One session of a storage tree. */
export interface TreeTarget {
  readonly tree: Tree
  readonly session: TreeSession
}

/**
 * The session that a path means: a folder that is or holds a storage tree, of which the session with the id is meant, else the
 * newest, as for readers; or the file of a session in a tree. Undefined for every other file.
 * @throws {RepairError} for a folder without a tree, or with a database beside it.
 */
export async function treeTarget(
  path: string,
  stats: FileStats,
  id: string | undefined,
  files: RepairFiles,
): Promise<TreeTarget | undefined> {
  return stats.isDirectory() ? inFolder(path, id, files) : ofFile(path, id)
}

async function inFolder(path: string, id: string | undefined, files: RepairFiles): Promise<TreeTarget> {
  const own = await treeIn(path)
  const trees = own === undefined ? await treesBelow(path) : [own]
  // Says that this is a directory.
  if (trees.length === 0) await regular(path, files)
  const found = await Promise.all(trees.map(async (tree) => ({ tree, session: picked(await treeSessions(tree), id) })))
  const target = found
    .filter((one): one is TreeTarget => one.session !== undefined)
    .reduce<TreeTarget | undefined>((best, one) => (isNewer(one, best) ? one : best), undefined)
  if (target !== undefined) return target
  throw new ReadError(
    id === undefined
      ? 'there is no session in this storage tree'
      : `no session in this directory has the id ${JSON.stringify(id)}`,
  )
}

const isNewer = ({ session }: TreeTarget, best: TreeTarget | undefined): boolean =>
  best === undefined || session.updated > best.session.updated

const picked = (sessions: readonly TreeSession[], id: string | undefined): TreeSession | undefined =>
  id === undefined ? newest(sessions) : sessions.find((session) => session.id === id)

/** Since opencode has a database, it no longer loads the tree that it took over. */
async function treesBelow(path: string): Promise<readonly Tree[]> {
  const finds = await findsIn(resolve(path))
  const trees = finds.flatMap((find) => ('tree' in find ? find.tree : []))
  if (trees.length > 0 && finds.some((find) => 'database' in find && find.database))
    throw new RepairError(
      'ambiguous',
      'this directory holds a database beside a storage tree, and opencode loads one of them: name it',
    )
  return trees
}

/** `<root>/session/<project>/<id>.json`, and `info` in place of the project where each project has its tree. */
async function ofFile(path: string, id: string | undefined): Promise<TreeTarget | undefined> {
  if (!path.endsWith('.json')) return undefined
  const folder = dirname(resolve(path))
  const tree = basename(dirname(folder)) === 'session' ? await treeIn(dirname(dirname(folder))) : undefined
  if (tree === undefined) return undefined
  const names = ['session', basename(folder), basename(path)]
  const session = (await treeSessions(tree)).find((one) => join(...one.path) === join(...names))
  if (session === undefined) return undefined
  refuseOtherId(id, session.id)
  return { tree, session }
}
