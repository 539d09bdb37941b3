import { basename, join, relative } from 'node:path'
import { change } from '../model/change.ts'
import { ReadError } from '../model/error.ts'
import type { Change } from '../model/session.ts'
import type { ReadResult } from '../read/reader.ts'
import type { FileOptions } from './file-options.ts'
import { type Find, findsIn } from './finds.ts'
import { newest, readTreeSession, type Tree, treeSessions } from './opencode-tree.ts'
import { readFileSession, readFileSessions } from './session-file.ts'
import { isSubAgent } from './starter.ts'

/** One session of a folder: the one with the id, else that of what was changed last. */
export async function readFolderSession(root: string, options: FileOptions): Promise<ReadResult> {
  const finds = await findsIn(root)
  const asked = options.id
  const sorted = [...finds].sort((a, b) => rank(a, asked) - rank(b, asked))
  let failure: ReadError | undefined
  for (const find of sorted) {
    try {
      const result = await readFind(find, options)
      if (asked === undefined) return finds.length === 1 ? result : noted(result, `${finds.length - 1} other files`)
      if (result.session.id === asked || basename(find.path).includes(asked)) return result
    } catch (error) {
      if (!ReadError.is(error)) throw error
      failure ??= error
    }
  }
  if (asked !== undefined) throw new ReadError(`no session in this directory has the id ${JSON.stringify(asked)}`)
  throw failure ?? new ReadError('this is a directory that holds no session')
}

/** Most tools name the file of a session by its id. Sub-agents come with the session that started them. */
function rank({ path }: Find, id: string | undefined): number {
  return id === undefined ? Number(isSubAgent(path)) : Number(!basename(path).includes(id))
}

async function readFind(find: Find, options: FileOptions): Promise<ReadResult> {
  if (!('tree' in find)) return readFileSession(find.path, find.database ? options : { ...options, id: undefined })
  const sessions = await treeSessions(find.tree)
  const session = options.id === undefined ? newest(sessions) : sessions.find(({ id }) => id === options.id)
  if (session === undefined) throw new ReadError(`no session has the id ${JSON.stringify(options.id)}`)
  const result = await readTreeSession(find.tree, session, options)
  if (options.id !== undefined || sessions.length === 1) return result
  return noted(result, `${sessions.length - 1} other sessions`)
}

/** That there is more than what was read. */
function noted(result: ReadResult, others: string): ReadResult {
  return { ...result, changes: [change('session-left-out', {}, { before: others }), ...result.changes] }
}

export interface FolderResult {
  readonly sessions: readonly ReadResult[]
  readonly changes: readonly Change[]
}

/** Every session of a folder: those of databases first, and what was changed last before what was changed earlier. */
export async function readFolder(root: string, options: FileOptions): Promise<FolderResult> {
  const sessions: ReadResult[] = []
  const changes: Change[] = []
  const known = new Set<string>()
  const leaveOut = (path: string, reason: string): void => {
    const name = relative(root, path) || basename(path)
    changes.push(change('file-left-out', {}, { message: `${name} was left out: ${reason}.` }))
  }
  // Databases first: tools leave the files whose sessions they took over.
  const finds = [...(await findsIn(root))].sort((a, b) => Number(isStore(b)) - Number(isStore(a)))
  for (const find of finds) {
    for (const result of await sessionsOf(find, options, leaveOut)) {
      const key = `${result.format} ${result.session.id ?? basename(find.path).split('.')[0]}`
      if (known.has(key) && isLeftBehind(find, result)) leaveOut(find.path, `${key} stands in a database too`)
      else sessions.push(result)
      if (isStore(find)) known.add(key)
    }
  }
  return { sessions, changes }
}

/** A storage tree, or a file that is told by its name alone; an export was made on purpose. */
const isLeftBehind = (find: Find, { session }: ReadResult): boolean => 'tree' in find || session.id === undefined

const isStore = (find: Find): boolean => 'database' in find && find.database

type LeaveOut = (path: string, reason: string) => void

/** What cannot be read costs its neighbours nothing. */
async function sessionsOf(find: Find, options: FileOptions, leaveOut: LeaveOut): Promise<readonly ReadResult[]> {
  try {
    if ('tree' in find) return await treeResults(find.tree, options, find.path, leaveOut)
    return await readFileSessions(find.path, options, (id, error) => leaveOut(`${find.path}/${id}`, error.message))
  } catch (error) {
    if (!ReadError.is(error)) throw error
    leaveOut(find.path, error.message)
    return []
  }
}

async function treeResults(tree: Tree, options: FileOptions, path: string, leaveOut: LeaveOut): Promise<ReadResult[]> {
  const results: ReadResult[] = []
  for (const session of await treeSessions(tree)) {
    try {
      results.push(await readTreeSession(tree, session, options))
    } catch (error) {
      if (!ReadError.is(error)) throw error
      leaveOut(join(path, session.id), error.message)
    }
  }
  return results
}
