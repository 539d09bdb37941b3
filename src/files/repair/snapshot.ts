import { constants } from 'node:fs'
import { ioError, RepairError } from './error.ts'
import type { FileStats, RepairFile, RepairFiles } from './system.ts'

/** Node reads and writes no more at once. */
const AT_ONCE = 2 ** 30

/** Never through a link, and without waiting for the writer of a pipe. */
export const CAREFULLY: number = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** A file as it was when it was read. */
export interface Snapshot {
  readonly bytes: Uint8Array
  readonly stats: FileStats
}

/**
 * Reads a regular file.
 * @throws {RepairError} when it is a link, no regular file, over `maxBytes`, or is being written to.
 */
export async function snapshotOf(path: string, maxBytes: number, files: RepairFiles): Promise<Snapshot> {
  try {
    const stats = await regular(path, files)
    if (stats.size > maxBytes)
      throw new RepairError('unsupported', `the file is over ${maxBytes} bytes; maxBytes raises the limit`)
    const file = await files.open(path, constants.O_RDONLY | CAREFULLY)
    try {
      const bytes = await readRange(file, 0, stats.size)
      if (!isSame(stats, await file.stat()) || bytes.length !== stats.size) throw changed()
      return { bytes, stats }
    } finally {
      await file.close()
    }
  } catch (error) {
    throw ioError(error, 'the file cannot be read')
  }
}

/** @throws {RepairError} for links and for what is no regular file. */
export async function regular(path: string, files: RepairFiles): Promise<FileStats> {
  const stats = await files.lstat(path)
  refuseIrregular(stats)
  return stats
}

/** @throws {RepairError} for links and for what is no regular file. */
export function refuseIrregular(stats: FileStats): void {
  if (stats.isSymbolicLink()) throw isLink()
  if (stats.isDirectory()) throw new RepairError('irregular', 'this is a directory; name a file of it')
  if (!stats.isFile()) throw new RepairError('irregular', 'this is not a regular file')
}

export const isLink = (): RepairError =>
  new RepairError('link', 'this is a symbolic link, which is not followed: name the file itself')

export const changed = (): RepairError =>
  new RepairError('changed', 'the file was changed while it was being repaired: its tool may still run')

/** Whether a file is the same, and unchanged. */
export const isSame = (a: FileStats, b: FileStats): boolean =>
  a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs

export async function readRange(file: RepairFile, start: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - start)
  let done = 0
  while (done < bytes.length) {
    const { bytesRead } = await file.read(bytes, done, Math.min(bytes.length - done, AT_ONCE), start + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes.subarray(0, done)
}

export async function writeAll(file: RepairFile, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, Math.min(bytes.length - done, AT_ONCE), null)
    done += bytesWritten
  }
}
