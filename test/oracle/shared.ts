import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Recordings and stored sessions beside the project; not part of it, so that everything must pass without them. */
const SHARED = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'shared')

export interface StoredFile {
  readonly name: string
  readonly text: string
}

/** The files of a folder there; empty, and said so, when it is absent. */
export function sharedFiles(folder: string): readonly StoredFile[] {
  const path = join(SHARED, folder)
  if (!existsSync(path)) {
    console.log(`skipped: ../shared/${folder} is absent`)
    return []
  }
  return readdirSync(path)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(path, name), 'utf8') }))
}
