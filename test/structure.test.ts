import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Data flows down this list: a room imports only itself and rooms above it. */
const ROOMS = [
  'model',
  'rules',
  'read',
  'answer',
  'repair',
  'write',
  'check',
  'mock',
  'journal',
  'files',
  'view',
  'cli',
]

/** `check` is a second opinion: it shares nothing with the writers but the model. */
const ONLY: { readonly [room: string]: readonly string[] } = {
  check: ['model'],
  // A journal knows sessions and what becomes of them; it neither checks nor mocks.
  journal: ['model', 'read', 'answer', 'repair', 'write'],
}

/** The rooms that touch no file; the public face imports of them only. */
const PURE = ['model', 'rules', 'read', 'answer', 'repair', 'write']

/** Know the files of one API, know all. */
const APIS = ['anthropic', 'openai-chat', 'openai-responses']

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'))
  .sort()

interface Import {
  readonly specifier: string
  /** Erased when built. */
  readonly typeOnly: boolean
}

const STATEMENT = /^(?:(?:import|export)(?<type> type)?\b[^'"]*?\bfrom|import)\s*'(?<specifier>[^']+)'/gm
const DYNAMIC = /\bimport\(\s*'(?<specifier>[^']+)'/g

function importsOf(file: string): Import[] {
  const text = readFileSync(join('src', file), 'utf8')
  return [...text.matchAll(STATEMENT), ...text.matchAll(DYNAMIC)].map(({ groups }) => ({
    specifier: groups!.specifier!,
    typeOnly: groups!.type !== undefined,
  }))
}

const imports = new Map(files.map((file) => [file, importsOf(file)] as const))

/** The files of this source tree that a file imports. */
const inside = (file: string, withTypes = true): string[] =>
  imports
    .get(file)!
    .filter(({ specifier, typeOnly }) => specifier.startsWith('.') && (withTypes || !typeOnly))
    .map(({ specifier }) => relative('src', join('src', dirname(file), specifier)).replaceAll('\\', '/'))

const roomOf = (file: string): string => file.split('/')[0]!

describe('the rooms', () => {
  it('are those of the list', () => {
    const found = new Set(files.filter((file) => file.includes('/')).map(roomOf))
    expect([...found].filter((room) => !ROOMS.includes(room))).toEqual([])
    expect(files.filter((file) => !file.includes('/'))).toEqual(['index.ts'])
  })

  it('import only rooms above them', () => {
    const wrong = files.flatMap((file) => {
      const room = roomOf(file)
      const allowed = file === 'index.ts' ? PURE : [room, ...(ONLY[room] ?? ROOMS.slice(0, ROOMS.indexOf(room)))]
      return inside(file)
        .filter((target) => !allowed.includes(roomOf(target)))
        .map((target) => `${file} imports ${target}`)
    })
    expect(wrong).toEqual([])
  })

  it('import files that are there', () => {
    const known = new Set(files)
    const missing = files.flatMap((file) => inside(file).filter((target) => !known.has(target)))
    expect(missing).toEqual([])
  })

  it('have no cycles, but of types, which are erased', () => {
    expect(firstCycle()).toBeUndefined()
  })

  it('touch the system only where the list ends', () => {
    const node = ['journal', 'files', 'cli']
    const wrong = files.filter(
      (file) =>
        !node.includes(roomOf(file)) && imports.get(file)!.some(({ specifier }) => specifier.startsWith('node:')),
    )
    expect(wrong).toEqual([])
  })

  it('import few packages, each in its own place', () => {
    const packages = files.flatMap((file) =>
      imports
        .get(file)!
        .filter(({ specifier }) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
        .map(({ specifier }) => `${roomOf(file)} ${specifier}`),
    )
    const allowed = ['model zod/mini', 'mock msw', 'journal pg', 'files node-sqlite3-wasm', 'files fzstd']
    expect([...new Set(packages)].filter((one) => !allowed.includes(one))).toEqual([])
  })
})

describe('the mirror', () => {
  it.each(APIS)('of %s is whole', (api) => {
    const wanted = [
      `rules/${api}.ts`,
      `answer/${api}.ts`,
      `mock/${api}.ts`,
      `read/${api}/index.ts`,
      `write/${api}/index.ts`,
      `check/${api}/index.ts`,
    ]
    expect(wanted.filter((file) => !files.includes(file))).toEqual([])
  })
})

/** Depth first over the imports; the files of the first circle that is found. */
function firstCycle(): string[] | undefined {
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const target of inside(file, false)) {
      const cycle = imports.has(target) ? visit(target, [...path, file]) : undefined
      if (cycle !== undefined) return cycle
    }
    done.add(file)
    return undefined
  }
  for (const file of files) {
    const cycle = visit(file, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}
