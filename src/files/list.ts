import { lstat, realpath, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { ReadError } from '../model/error.ts'
import type { FormatId, Session } from '../model/session.ts'
import { isoTime } from '../read/iso-time.ts'
import { databaseSessions } from './databases.ts'
import { MAX_BYTES } from './file-options.ts'
import { type Find, fileFind, findsIn } from './finds.ts'
import { glimpse } from './glimpse.ts'
import { type Tree, treeSessions } from './opencode-tree.ts'
import { defaultPlaces, type Place } from './places.ts'
import { withPrivateCopy } from './private-copy.ts'
import { parentOf, starterOf } from './starter.ts'

/** A stored session, as far as it is known without reading it. `readSessionFile(path, { id })` reads it. */
export interface Listed {
  readonly format: FormatId
  /** Of the file, the database, or the storage tree. */
  readonly path: string
  readonly id?: string | undefined
  /** The stored title, else the beginning of the first prompt. */
  readonly title?: string | undefined
  /** ISO 8601. */
  readonly modifiedAt: string
  /** Of the file as it is stored; of a database all of it, of a storage tree the file that names the session. */
  readonly bytes: number
  /** Another session started it. */
  readonly parent?: Session['parent']
}

/** Files that are looked into at once. */
const AT_ONCE = 16

/**
 * Lists the sessions below a folder, or those in the places where the tools keep them; the last changed first.
 * @throws {ReadError} when the named place is not there.
 */
export async function list(root: string | undefined): Promise<readonly Listed[]> {
  const found = root === undefined ? await inPlaces(defaultPlaces()) : await listedIn(await findsOf(root), undefined)
  return found.sort((a, b) => (a.modifiedAt < b.modifiedAt ? 1 : a.modifiedAt > b.modifiedAt ? -1 : 0))
}

async function findsOf(root: string): Promise<readonly Find[]> {
  const stats = await stat(root).catch(() => undefined)
  if (stats === undefined) throw new ReadError(`${root}: there is no such file or directory`)
  const path = await realpath(root)
  return stats.isDirectory() ? findsIn(path, { over: 'stop' }) : [await fileFind(path)]
}

/** A tool that is not there has no folder. */
async function inPlaces(places: readonly Place[]): Promise<Listed[]> {
  const found: Listed[] = []
  const seen = new Set<string>()
  for (const { formats, folder, flat } of places) {
    const path = await realpath(folder).catch(() => undefined)
    if (path === undefined) continue
    const finds = await findsIn(path, { over: 'stop', ...(flat ? { levels: 1 } : {}) })
    const fresh = finds.filter((find) => !seen.has(find.path))
    for (const find of fresh) seen.add(find.path)
    for (const one of await listedIn(fresh, formats)) found.push(one)
  }
  return found
}

async function listedIn(finds: readonly Find[], formats: readonly FormatId[] | undefined): Promise<Listed[]> {
  const listed: Listed[] = []
  for (let start = 0; start < finds.length; start += AT_ONCE) {
    const found = await Promise.all(finds.slice(start, start + AT_ONCE).map(listedOf))
    for (const one of found.flat()) if (formats === undefined || formats.includes(one.format)) listed.push(one)
  }
  return listed
}

/** None when it is no session that is known. */
async function listedOf(find: Find): Promise<readonly Listed[]> {
  if ('tree' in find) return listedTree(find.tree, find.path)
  const stats = await lstat(find.path).catch(() => undefined)
  if (stats === undefined) return []
  const file = { path: find.path, modifiedAt: stats.mtime.toISOString(), bytes: stats.size }
  if (find.database) return listedDatabase(file)
  const glimpsed = await glimpse(find.path)
  if (glimpsed === undefined) return []
  const { parent } = glimpsed
  const starter = parent === undefined ? undefined : await starterOf(find.path)
  const linked = parent === undefined || starter === undefined ? {} : { parent: parentOf(parent, starter) }
  return [{ ...glimpsed, ...linked, ...file }]
}

async function listedTree(tree: Tree, path: string): Promise<readonly Listed[]> {
  const sessions = await treeSessions(tree).catch(noneOf)
  return sessions.map(({ id, row, parent, updated, title }) => ({
    format: 'opencode' as const,
    path,
    id,
    title,
    modifiedAt: isoTime(updated) ?? new Date(0).toISOString(),
    bytes: Buffer.byteLength(String(row.data)),
    ...(parent === undefined ? {} : { parent: { id: parent } }),
  }))
}

/** Names of the databases that tools keep. */
const DATABASES: readonly { readonly name: RegExp; readonly format: FormatId }[] = [
  { name: /^opencode[^/\\]*\.db$/, format: 'opencode' },
  { name: /^crush\.db$/, format: 'crush' },
  { name: /^sessions\.db$/, format: 'goose' },
]

/** Where nothing can be read of it, such as without an SQLite to read it with, a known database is listed as a whole. */
async function listedDatabase(file: Pick<Listed, 'path' | 'modifiedAt' | 'bytes'>): Promise<readonly Listed[]> {
  const sessions = await withPrivateCopy(file.path, MAX_BYTES, (copy) => databaseSessions(copy, MAX_BYTES)).catch(
    noneOf,
  )
  if (sessions.length === 0) {
    const known = DATABASES.find(({ name }) => name.test(basename(file.path)))
    return known === undefined ? [] : [{ format: known.format, ...file }]
  }
  return sessions.map(({ updated, parent, ...session }) => ({
    ...session,
    ...file,
    ...(updated === undefined ? {} : { modifiedAt: updated }),
    ...(parent === undefined ? {} : { parent: { id: parent } }),
  }))
}

function noneOf(error: unknown): [] {
  if (ReadError.is(error)) return []
  throw error
}
