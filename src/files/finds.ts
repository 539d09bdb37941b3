import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ReadError } from '../model/error.ts'
import { type Tree, treeIn, treeSessions } from './opencode-tree.ts'
import { isDatabase } from './session-file.ts'

/** What a folder holds that may be sessions. */
export type Find =
  | { readonly path: string; readonly modified: number; readonly tree: Tree }
  | { readonly path: string; readonly modified: number; readonly database: boolean }

/** Deeper and more than what any tool makes. */
const MOST_LEVELS = 16
const MOST_ENTRIES = 200_000

/** Sessions in other files are not known, and a folder holds many others. */
const ENDINGS = ['.json', '.jsonl', '.ndjson', '.db', '.sqlite', '.sqlite3', '.gz', '.zst']

/** Notes of tools and package managers, by the names that they always have. */
const NO_SESSIONS: ReadonlySet<string> = new Set([
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'settings.json',
])

/** What a screen showed of a conversation that lies beside it. */
const SCREEN = 'ui_messages.json'
const HISTORIES: ReadonlySet<string> = new Set(['api_conversation_history.json', 'claude_messages.json'])

/** What stands beside transcripts of sub-agents, to say who started them. */
const NOTES = '.meta.json'

const NO_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '.git'])

export interface FindOptions {
  /** How many folders deep; 1 is the folder itself. */
  readonly levels?: number
  /** What becomes of a folder that holds more files than any tool makes; default `refuse`. */
  readonly over?: 'refuse' | 'stop'
}

/**
 * What may be sessions below a folder, the last changed first. Links are not followed.
 * @throws {ReadError} when it holds more files than any tool makes, unless it stops there.
 */
export async function findsIn(
  root: string,
  { levels = MOST_LEVELS, over }: FindOptions = {},
): Promise<readonly Find[]> {
  const finds: Find[] = []
  let left = MOST_ENTRIES
  let level = [root]
  for (let depth = 0; depth < levels && level.length > 0; depth++) {
    const next: string[] = []
    for (const folder of level) {
      const entries = await look(folder, finds)
      left -= entries.length
      if (left < 0 && over === 'stop') return newestFirst(finds)
      if (left < 0) throw new ReadError(`there are over ${MOST_ENTRIES} files in this directory; name one of it`)
      for (const entry of entries) if (isFolder(entry)) next.push(join(folder, entry.name))
    }
    level = next
  }
  return newestFirst(finds)
}

const newestFirst = (finds: Find[]): Find[] => finds.sort((a, b) => b.modified - a.modified)

/** Adds what a folder holds; the entries that may hold more. A storage tree is one find as a whole. */
async function look(folder: string, finds: Find[]): Promise<readonly Dirent[]> {
  const tree = await treeFind(folder)
  if (tree !== undefined) {
    finds.push(tree)
    return []
  }
  const entries = await entriesOf(folder)
  if (isRepository(entries)) return []
  const shown = entries.some(({ name }) => HISTORIES.has(name)) ? SCREEN : undefined
  for (const entry of entries) {
    if (mayBeSession(entry) && entry.name !== shown) finds.push(await fileFind(join(folder, entry.name)))
  }
  return entries
}

const isFolder = (entry: Dirent): boolean => entry.isDirectory() && !NO_FOLDERS.has(entry.name)

/** A bare repository of git, as opencode keeps beside its sessions: thousands of files, none of which is a session. */
const isRepository = (entries: readonly Dirent[]): boolean =>
  ['HEAD', 'objects', 'refs'].every((name) => entries.some((entry) => entry.name === name))

/** A folder that may not be read is as an empty one. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function mayBeSession(entry: Dirent): boolean {
  if (!entry.isFile() || NO_SESSIONS.has(entry.name) || entry.name.endsWith(NOTES)) return false
  return ENDINGS.some((ending) => entry.name.endsWith(ending))
}

export async function fileFind(path: string): Promise<Find> {
  const modified = await lstat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
  // A file that may not be read says so when it is read.
  return { path, modified, database: await isDatabase(path).catch(() => false) }
}

/** A tree changes when its newest session does. */
async function treeFind(path: string): Promise<Find | undefined> {
  const tree = await treeIn(path)
  if (tree === undefined) return undefined
  return { path, modified: (await treeSessions(tree)).at(-1)?.updated ?? 0, tree }
}
