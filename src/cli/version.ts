import { readFileSync } from 'node:fs'

/** The version of this package; its manifest stands at the same distance from the source and from the built file. */
export function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  return manifest.version
}
