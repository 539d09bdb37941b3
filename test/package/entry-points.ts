import { existsSync, readdirSync, readFileSync } from 'node:fs'

export interface EntryPoint {
  /** As in `exports`, with patterns filled in: `./read/claude-code`. */
  readonly entry: string
  /** The file from which it is built: `src/read/claude-code/index.ts`. */
  readonly source: string
}

type Row = string | { readonly default: string }

/** What can be imported of the package, by its `exports`. */
export function entryPoints(): EntryPoint[] {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: { [entry: string]: Row } }
  return Object.entries(exports).flatMap(([entry, row]) => {
    if (typeof row === 'string') return []
    const source = row.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts')
    return entry.includes('*') ? filledIn(entry, source) : [{ entry, source }]
  })
}

/** One for each folder that has the file of the pattern. */
function filledIn(entry: string, source: string): EntryPoint[] {
  const [parent, file] = source.split('*') as [string, string]
  return readdirSync(parent)
    .filter((name) => existsSync(parent + name + file))
    .map((name) => ({ entry: entry.replace('*', name), source: parent + name + file }))
}
