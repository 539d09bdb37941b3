import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdtemp, open, realpath, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { ReadError } from '../model/error.ts'
import { opened } from './file-bytes.ts'

/** What SQLite keeps beside a database: the newest changes, or what a transaction that did not end has overwritten. */
const SIBLINGS = ['-wal', '-journal'] as const

/** A tool that writes meanwhile leaves room between two of its transactions. */
const TRIES = 4
const PAUSE = 50

const PIECE = 1024 * 1024

/**
 * Gives the work a copy of a database, with the files that SQLite keeps beside it, in a folder that only this user can
 * open and that is gone afterwards. Nothing is changed or left beside the original.
 * @throws {ReadError} when it is no regular file, is over `maxBytes`, or the system refuses it.
 */
export async function withPrivateCopy<T>(
  path: string,
  maxBytes: number,
  work: (copy: string) => Promise<T>,
): Promise<T> {
  return inPrivateFolder(async (copy) => {
    const original = await realPath(path)
    for (let left = TRIES; left > 0; left--) {
      const before = await fingerprint(original)
      await copyWhole(original, copy, maxBytes)
      if (before === (await fingerprint(original))) break
      await setTimeout(PAUSE)
    }
    return work(copy)
  })
}

/** As `withPrivateCopy`, for a database whose bytes come from elsewhere. */
export async function withPrivateBytes<T>(
  bytes: Uint8Array,
  maxBytes: number,
  work: (copy: string) => Promise<T>,
): Promise<T> {
  return inPrivateFolder(async (copy) => {
    await writeFile(copy, bytes, { mode: 0o600 })
    await mended(copy, maxBytes)
    return work(copy)
  })
}

async function inPrivateFolder<T>(work: (copy: string) => Promise<T>): Promise<T> {
  // Made with mode 0700.
  const folder = await mkdtemp(join(tmpdir(), 'provider-history-'))
  try {
    return await work(join(folder, 'copy.db'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** SQLite puts its files beside the file itself, not beside a link to it. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    return path
  }
}

/** Size and time of a database and its siblings: equal before and after, the copies belong together. */
async function fingerprint(path: string): Promise<string> {
  const all = await Promise.all(['', ...SIBLINGS].map((suffix) => stat(path + suffix).catch(() => undefined)))
  return all.map((found) => (found === undefined ? '-' : `${found.ino} ${found.size} ${found.mtimeMs}`)).join(', ')
}

async function copyWhole(original: string, copy: string, maxBytes: number): Promise<void> {
  let size = await copyFile(original, copy, maxBytes)
  for (const suffix of SIBLINGS) {
    await rm(copy + suffix, { force: true })
    const isThere = await lstat(original + suffix).then(
      (found) => found.isFile(),
      () => false,
    )
    if (isThere) size += await copyFile(original + suffix, copy + suffix, maxBytes - size)
  }
  await mended(copy, maxBytes)
}

async function copyFile(from: string, to: string, maxBytes: number): Promise<number> {
  const source = await opened(from)
  try {
    const { size } = await source.stat()
    if (size > maxBytes) throw new ReadError('the database is over the size limit; maxBytes raises it')
    const target = await open(to, constants.O_CREAT | constants.O_TRUNC | constants.O_WRONLY, 0o600)
    try {
      return await copyBytes(source, target, size)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function copyBytes(source: FileHandle, target: FileHandle, size: number): Promise<number> {
  const piece = new Uint8Array(Math.min(PIECE, Math.max(size, 1)))
  let end = 0
  while (end < size) {
    const { bytesRead } = await source.read(piece, 0, Math.min(piece.length, size - end), end)
    if (bytesRead === 0) break
    await target.write(piece, 0, bytesRead, end)
    end += bytesRead
  }
  return end
}

/** Where the header of a database says the size of a page and the number of pages, and how it proves the number. */
const HEADER = { bytes: 100, pageSize: 16, changes: 24, pages: 28, validFor: 92 } as const

/**
 * A database that was cut off is filled up with empty pages to the size that it claims: SQLite refuses a shorter file as a
 * whole, and an empty page only where it is needed.
 * @see https://www.sqlite.org/fileformat2.html#the_database_header
 */
async function mended(copy: string, maxBytes: number): Promise<void> {
  const file = await open(copy, 'r')
  try {
    const header = new DataView(new ArrayBuffer(HEADER.bytes))
    await file.read(header, 0, HEADER.bytes, 0)
    const stored = header.getUint16(HEADER.pageSize)
    const claimed = (stored === 1 ? 65_536 : stored) * header.getUint32(HEADER.pages)
    const isValid = header.getUint32(HEADER.changes) === header.getUint32(HEADER.validFor)
    const { size } = await file.stat()
    if (isValid && size < claimed && claimed <= maxBytes) await truncate(copy, claimed)
  } finally {
    await file.close()
  }
}
