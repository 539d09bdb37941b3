import { constants } from 'node:fs'
import { ioError } from './error.ts'
import { CAREFULLY, changed, isSame, readRange, type Snapshot, writeAll } from './snapshot.ts'
import type { RepairFile, RepairFiles } from './system.ts'

/**
 * Appends to the file that was read, and syncs. What stood in it is never written to. When anything fails, what was
 * appended so far is taken away again, as far as the system lets it; what stays then is a torn line, which the next repair ends.
 * Gives whether another process wrote at the same time: then both have their lines, since each append is whole.
 * @throws {RepairError} when the file is another one by now, or the system fails.
 */
export async function appendTo(path: string, taken: Snapshot, bytes: Uint8Array, files: RepairFiles): Promise<boolean> {
  try {
    const file = await files.open(path, constants.O_RDWR | constants.O_APPEND | CAREFULLY)
    try {
      if (!isSame(taken.stats, await file.stat())) throw changed()
      return await written(file, taken.stats.size, bytes)
    } finally {
      // What was appended is durable by now, or was taken back.
      await file.close().catch(() => {})
    }
  } catch (error) {
    throw ioError(error, 'nothing could be appended')
  }
}

async function written(file: RepairFile, size: number, bytes: Uint8Array): Promise<boolean> {
  try {
    await writeAll(file, bytes)
    await file.sync()
  } catch (error) {
    await takenBack(file, size, bytes).catch(() => {})
    throw error
  }
  const now = await file.stat().catch(() => undefined)
  return now !== undefined && now.size !== size + bytes.length
}

/** Only while nothing but what was appended here stands behind the old end. */
async function takenBack(file: RepairFile, size: number, bytes: Uint8Array): Promise<void> {
  const { size: now } = await file.stat()
  if (now <= size || now > size + bytes.length) return
  const added = await readRange(file, size, now)
  if (Buffer.compare(added, bytes.subarray(0, now - size)) !== 0) return
  await file.truncate(size)
  await file.sync()
}
