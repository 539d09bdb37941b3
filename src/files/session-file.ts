import { ReadError } from '../model/error.ts'
import type { ReadResult } from '../read/reader.ts'
import { readDatabase, readDatabaseSessions } from './databases.ts'
import { fileBytes, opened } from './file-bytes.ts'
import { type FileOptions, MAX_BYTES } from './file-options.ts'
import { readInPieces } from './file-pieces.ts'
import { beginsWith, SQLITE } from './kind.ts'
import { withPrivateCopy } from './private-copy.ts'
import { readSessionBytes } from './session-bytes.ts'
import { withStarter } from './starter.ts'

/** The session of a file, or one of a database. */
export async function readFileSession(path: string, options: FileOptions): Promise<ReadResult> {
  const maxBytes = options.maxBytes ?? MAX_BYTES
  if (await isDatabase(path)) return withPrivateCopy(path, maxBytes, (copy) => readDatabase(copy, options, maxBytes))
  const result = await readPlainFile(path, options, maxBytes)
  const { id } = options
  if (id === undefined || result.session.id === undefined || result.session.id === id) return result
  throw new ReadError(
    `the session of this file has the id ${JSON.stringify(result.session.id)}, not ${JSON.stringify(id)}`,
  )
}

/** All sessions of a file: of a database there are many. */
export async function readFileSessions(
  path: string,
  options: FileOptions,
  failed: (id: string, error: ReadError) => void,
): Promise<readonly ReadResult[]> {
  const maxBytes = options.maxBytes ?? MAX_BYTES
  if (!(await isDatabase(path))) return [await readPlainFile(path, options, maxBytes)]
  return withPrivateCopy(path, maxBytes, (copy) => readDatabaseSessions(copy, options, maxBytes, failed))
}

async function readPlainFile(path: string, options: FileOptions, maxBytes: number): Promise<ReadResult> {
  const pieces = await readInPieces(path, options)
  return withStarter(path, pieces ?? (await readSessionBytes(await fileBytes(path, maxBytes), options)))
}

/** Whether a file begins as databases of SQLite do. */
export async function isDatabase(path: string): Promise<boolean> {
  const file = await opened(path)
  try {
    const head = new Uint8Array(SQLITE.length)
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    return bytesRead === head.length && beginsWith(head, SQLITE)
  } finally {
    await file.close()
  }
}
