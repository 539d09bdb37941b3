import { lstat, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { change } from '../model/change.ts'
import { ReadError } from '../model/error.ts'
import type { Change } from '../model/session.ts'
import { readSession } from '../read/index.ts'
import type { ReadResult } from '../read/reader.ts'
import type { Row } from '../read/tables.ts'
import { fileBytes } from './file-bytes.ts'
import { type FileOptions, MAX_BYTES } from './file-options.ts'
import { parentCalls } from './parent-calls.ts'

/** Where a storage tree keeps what: one file for each session, message and part, named by its id. */
interface Layout {
  /** Folders that hold the files of sessions. */
  sessions(root: string): Promise<readonly string[]>
  readonly message: readonly string[]
  readonly part: readonly string[]
}

/** Since September 2025 one tree for all projects, which has a folder of sessions for each; before, one tree for each project. */
const GLOBAL: Layout = {
  sessions: async (root) => (await folders(join(root, 'session'))).map((project) => join('session', project)),
  message: ['message'],
  part: ['part'],
}
const PROJECT: Layout = {
  sessions: async () => [join('session', 'info')],
  message: ['session', 'message'],
  part: ['session', 'part'],
}

/** What may be the name of a file: ids, never a path. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/

/** More files are not a session. */
const MOST_FILES = 200_000

/** Files that are read at once. */
const AT_ONCE = 32

export interface Tree {
  /** As the system names it, without links. */
  readonly root: string
  readonly layout: Layout
}

export interface TreeSession {
  readonly id: string
  /** The names that lead from the root to its file. */
  readonly path: readonly string[]
  readonly row: Row
  readonly parent: string | undefined
  readonly title: string | undefined
  readonly updated: number
}

/** The storage tree of opencode in a folder; undefined when it is none. */
export async function treeIn(folder: string): Promise<Tree | undefined> {
  const root = await realpath(folder).catch(() => folder)
  if (await isFolder(join(root, 'session', 'info'))) return { root, layout: PROJECT }
  const isGlobal = (await isFolder(join(root, 'session'))) && (await isFolder(join(root, 'message')))
  return isGlobal ? { root, layout: GLOBAL } : undefined
}

/** Every session of a tree, the one that was changed last behind the others. */
export async function treeSessions(tree: Tree): Promise<readonly TreeSession[]> {
  const sessions: TreeSession[] = []
  for (const folder of await tree.layout.sessions(tree.root)) {
    const reading = new Reading(tree.root, MAX_BYTES)
    const names = folder.split(/[\\/]/)
    for (const { id, text } of await reading.files(names)) {
      const info = parsed(text)
      sessions.push({
        id,
        path: [...names, `${id}.json`],
        row: { id, data: text },
        parent: typeof info.parentID === 'string' ? info.parentID : undefined,
        title: typeof info.title === 'string' ? info.title : undefined,
        updated: updatedOf(info),
      })
    }
  }
  return sessions.sort((a, b) => a.updated - b.updated)
}

/** The newest of sessions that are sorted so. Those that another session started come with it. */
export const newest = (sessions: readonly TreeSession[]): TreeSession | undefined =>
  sessions.findLast(({ parent }) => parent === undefined) ?? sessions.at(-1)

/** Reads one session of a tree. */
export async function readTreeSession(tree: Tree, session: TreeSession, options: FileOptions): Promise<ReadResult> {
  const reading = new Reading(tree.root, options.maxBytes ?? MAX_BYTES)
  const { message, part } = await rowsOf(tree.layout, session.id, reading)
  const calls = session.parent === undefined ? [] : await callsOf(tree, session.parent, session.id, reading)
  const tables = { session: [session.row], message, part: [...part, ...calls] }
  const result = readSession({ tables }, { ...options, format: 'opencode' })
  return { ...result, changes: [...reading.changes, ...result.changes] }
}

/** The messages and parts of one session, each the text of a file, in the order of their names. */
export async function treeRows(tree: Tree, { id }: TreeSession, maxBytes: number): Promise<TreeRows> {
  const reading = new Reading(tree.root, maxBytes)
  return { ...(await rowsOf(tree.layout, id, reading)), changes: reading.changes }
}

export interface TreeRows {
  readonly message: readonly Row[]
  readonly part: readonly Row[]
  /** The files that could not be read. */
  readonly changes: readonly Change[]
}

/** The names that lead from the root to the folder of a session's messages, and of a message's parts. */
export const messagesPath = ({ layout }: Tree, session: string): readonly string[] => [...layout.message, session]
export const partsPath = ({ layout }: Tree, session: string, message: string): readonly string[] => [
  ...layout.part,
  ...partFolder(layout, session, message),
]

/** Whether a name may be that of a session, a message or a part. */
export const isId = (name: string): boolean => ID.test(name)

async function rowsOf(layout: Layout, session: string, reading: Reading): Promise<{ message: Row[]; part: Row[] }> {
  const message: Row[] = []
  const part: Row[] = []
  for (const { id, text } of await reading.files([...layout.message, session])) {
    message.push({ id, session_id: session, data: text })
    for (const file of await reading.files([...layout.part, ...partFolder(layout, session, id)])) {
      part.push({ id: file.id, message_id: id, session_id: session, data: file.text })
    }
  }
  return { message, part }
}

const partFolder = (layout: Layout, session: string, message: string): readonly string[] =>
  layout === PROJECT ? [session, message] : [message]

async function callsOf(tree: Tree, parent: string, child: string, reading: Reading): Promise<readonly Row[]> {
  if (!ID.test(parent)) return []
  const { part } = await rowsOf(tree.layout, parent, reading)
  return parentCalls(part, child)
}

interface NamedFile {
  readonly id: string
  readonly text: string
}

/** Reads files of a tree by ids, never outside of it and never through a link. */
class Reading {
  readonly changes: Change[] = []
  readonly #root: string
  #bytesLeft: number
  #filesLeft = MOST_FILES

  constructor(root: string, maxBytes: number) {
    this.#root = root
    this.#bytesLeft = maxBytes
  }

  /** The JSON files of a folder, in the order of their names; none when there is no such folder. */
  async files(path: readonly string[]): Promise<readonly NamedFile[]> {
    if (!path.every((name) => ID.test(name)) || !(await this.#isInside(path))) return []
    const names = (await readdir(join(this.#root, ...path)))
      .filter((name) => name.endsWith('.json') && ID.test(name.slice(0, -'.json'.length)))
      .sort()
    this.#filesLeft -= names.length
    if (this.#filesLeft < 0) throw new ReadError(`there are over ${MOST_FILES} files in this storage tree`)
    const files: NamedFile[] = []
    for (let start = 0; start < names.length; start += AT_ONCE) {
      const texts = await Promise.all(names.slice(start, start + AT_ONCE).map((name) => this.#text([...path, name])))
      for (const [index, text] of texts.entries()) {
        if (text !== undefined) files.push({ id: names[start + index]!.slice(0, -'.json'.length), text })
      }
    }
    return files
  }

  /** A path without any link is its own real path. */
  async #isInside(path: readonly string[]): Promise<boolean> {
    const whole = join(this.#root, ...path)
    return (await realpath(whole).catch(() => undefined)) === whole
  }

  async #text(path: readonly string[]): Promise<string | undefined> {
    const whole = join(this.#root, ...path)
    try {
      if (!(await this.#isInside(path))) throw new ReadError('it is a link')
      const bytes = await fileBytes(whole, this.#bytesLeft)
      this.#bytesLeft -= bytes.length
      return new TextDecoder().decode(bytes)
    } catch (error) {
      if (!ReadError.is(error)) throw error
      this.changes.push(change('file-left-out', {}, { message: `${path.join('/')} was left out: ${error.message}.` }))
      return undefined
    }
  }
}

function parsed(text: string): Row {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Row) : {}
  } catch {
    return {}
  }
}

function updatedOf({ time }: Row): number {
  const updated: unknown = typeof time === 'object' && time !== null ? (time as Row).updated : undefined
  return typeof updated === 'number' ? updated : 0
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

async function folders(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory() && ID.test(entry.name))
    .map((entry) => entry.name)
    .sort()
}
