import { dirname } from 'node:path'
import { storeError } from './error.ts'
import type { FileSystem } from './file-system.ts'
import { syncFolder } from './sync-folder.ts'

/** Makes what is missing of a folder, durable before anything stands in it. */
export async function makeFolder(folder: string, files: FileSystem): Promise<void> {
  try {
    const first = await files.mkdir(folder, { recursive: true, mode: 0o700 })
    if (first === undefined) return
    for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made), files)
  } catch (error) {
    throw storeError(error, 'the folder of the journal cannot be made')
  }
}
