import { realpath, stat } from 'node:fs/promises'
import type { ReadError } from '../model/error.ts'
import { checkOptions, FLAG, LIMIT, type OptionRules, TEXT } from '../model/options.ts'
import type { ReadResult } from '../read/reader.ts'
import type { FileOptions } from './file-options.ts'
import { type FolderResult, readFolder, readFolderSession } from './folder.ts'
import { type Listed, list } from './list.ts'
import { type RepairOptions, type RepairResult, repairFile } from './repair/index.ts'
import { readFileSession, readFileSessions } from './session-file.ts'

export { ReadError } from '../model/error.ts'
export type { Branch, ReadOptions, ReadResult } from '../read/reader.ts'
export type { FileOptions } from './file-options.ts'
export type { FolderResult } from './folder.ts'
export type { Listed } from './list.ts'
export { RepairError, type RepairRefusal } from './repair/error.ts'
export type { RepairOptions, RepairResult } from './repair/index.ts'
export type { OpenCall, Replaced } from './repair/plan.ts'
export type { SentRequest } from './repair/request.ts'

/**
 * Reads a stored session from a regular file, plain or compressed by gzip, from an SQLite database, or from a folder.
 * `maxBytes` (default 2 GiB) holds before and after unpacking. Of many sessions `id` picks one, else it is the newest.
 *
 * A database is read from a private copy with the changes that SQLite keeps beside it; nothing is changed or left beside
 * the original. It needs Node 22.13, or the optional package `node-sqlite3-wasm`.
 * @throws {ReadError} when nothing can be read: with the format, line and path where they are known.
 */
export async function readSessionFile(path: string, options: FileOptions = {}): Promise<ReadResult> {
  checkOptions(options, FILE_OPTIONS)
  return (await isFolder(path)) ? readFolderSession(await realpath(path), options) : readFileSession(path, options)
}

/**
 * Reads every session of a folder and of the folders in it: files, databases, and storage trees. Links in it are not
 * followed. What cannot be read is named among the changes and costs nothing else.
 * @throws {ReadError} when the folder itself cannot be read, or holds more files than any tool makes.
 */
export async function readSessionDir(path: string, options: Omit<FileOptions, 'id'> = {}): Promise<FolderResult> {
  checkOptions(options, FILE_OPTIONS)
  if (await isFolder(path)) return readFolder(await realpath(path), options)
  const broken: ReadError[] = []
  const sessions = await readFileSessions(path, options, (_id, error) => broken.push(error))
  if (sessions.length === 0 && broken[0] !== undefined) throw broken[0]
  return { sessions, changes: [] }
}

/**
 * Lists stored sessions, the last changed first: those below a folder or of a file, or without one those in the places
 * where the known tools keep them, as the environment says ($CLAUDE_CONFIG_DIR, $CODEX_HOME ...). Of a file only its
 * beginning and end are read, of a database only its list of sessions. Links are not followed, and what is not known to
 * be a session is left out.
 * @throws {ReadError} when the named place is not there.
 */
export function listSessions(root?: string): Promise<readonly Listed[]> {
  return list(root)
}

/**
 * Closes what a killed tool left open in its own session file, so that the tool can go on with it: a call without a result
 * gets one, in the tool's own record shapes, which says that its outcome is unknown. By default nothing is written, and the
 * result says what would be. JSON lines are only appended to; other files are replaced at once, with a private backup beside
 * them. The path may be the folder of a storage tree of opencode, or the file of a session in it: its parts are replaced all or
 * none, with a backup in that folder. A second repair does nothing. Never repair a file whose tool still runs.
 * @throws {ReadError} when the file is in no known format, or not in the one that is named.
 * @throws {RepairError} when it must not or cannot be repaired; the file is then as it was.
 */
export async function repairSessionFile(path: string, options: RepairOptions = {}): Promise<RepairResult> {
  checkOptions(options, REPAIR_OPTIONS)
  return repairFile(path, options)
}

/** Those of reading are looked at by the reader. */
const FILE_OPTIONS: OptionRules = { id: TEXT, maxRatio: LIMIT }
const REPAIR_OPTIONS: OptionRules = { write: FLAG, force: FLAG, format: TEXT, id: TEXT, maxBytes: LIMIT }

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
