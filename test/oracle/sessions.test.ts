import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { readSessionDir, readSessionFile } from '../../src/files/index.ts'
import { parseSession } from '../../src/model/schema.ts'
import type { Session, ToolCallEntry } from '../../src/model/session.ts'
import type { ReadOptions, ReadResult } from '../../src/read/reader.ts'
import { APIS, type Api, write } from '../laws/apis.ts'
import { pairsOf } from '../laws/wire.ts'
import { fillGaps } from './gaps.ts'
import { schemaFaults } from './schemas.ts'
import { STORED_RESULTS } from './stored-results.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'shared', 'sessions')
const present = existsSync(ROOT)
if (!present) console.log('skipped: ../shared/sessions is absent')

/** Every file; a storage tree as a whole, by its folder. */
function sources(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return [path]
    return existsSync(join(path, 'session')) ? [path] : sources(path)
  })
}

/** What pi made of a session when it was stored, for a comparison elsewhere: none of its stored forms. */
const isProjection = (path: string): boolean => path.endsWith('.context.json')

const holdsMany = (path: string): boolean => path.endsWith('.db') || !/\.\w+$/.test(path)

async function resultsOf(path: string, options: ReadOptions): Promise<readonly ReadResult[]> {
  if (!holdsMany(path)) return [await readSessionFile(path, options)]
  const { sessions, changes } = await readSessionDir(path, options)
  expect(changes).toEqual([])
  return sessions
}

const callsOf = ({ messages }: Session): readonly ToolCallEntry[] =>
  messages.flatMap((message) =>
    message.role === 'assistant' ? message.parts.filter((part) => part.type === 'tool-call') : [],
  )

const idsOf = ({ changes }: ReadResult, ...codes: readonly string[]): readonly string[] =>
  changes.filter(({ code }) => codes.includes(code)).map(({ at }) => at.callId ?? '')

/** Ids of the calls that have an outcome, and of the results that were told to have no call. */
function told(result: ReadResult): { readonly ids: ReadonlySet<string>; readonly count: number } {
  const open = new Set(idsOf(result, 'call-unfinished'))
  const answered = callsOf(result.session).filter(({ id }) => !open.has(id))
  const left = idsOf(result, 'orphan-result', 'duplicate-result', 'synthetic-result-replaced')
  return { ids: new Set([...answered.map(({ id }) => id), ...left]), count: answered.length + left.length }
}

interface Found {
  /** How many results stand in the file. */
  readonly stored: number
  /** Those that stand neither in any of its conversations nor among what was told to be left out. */
  readonly lost: readonly string[]
  /** Those without a call, in whichever branch. */
  readonly orphans: number
}

async function found(path: string, active: ReadResult, full: ReadResult): Promise<Found> {
  const stored = STORED_RESULTS[active.format]!(readFileSync(path, 'utf8'))
  const leaves = new Set([...active.branches, ...full.branches].map(({ leaf }) => leaf))
  const branches = await Promise.all([...leaves].map((leaf) => readSessionFile(path, { leaf, history: 'full' })))
  const read = [active, full, ...branches]
  const ids = new Set(read.flatMap((one) => [...told(one).ids]))
  const nameless = stored.filter((id) => id === '').length
  if (nameless > 0) expect(told(full).count).toBeGreaterThanOrEqual(nameless)
  return {
    stored: stored.length,
    lost: stored.filter((id) => id !== '' && !ids.has(id)),
    orphans: new Set(read.flatMap((one) => idsOf(one, 'orphan-result'))).size,
  }
}

/** Of a known model, and of none. */
const MODELS: { readonly [api in Api['id']]: string } = {
  anthropic: 'claude-sonnet-4-5',
  'openai-chat': 'gpt-4.1',
  'openai-responses': 'gpt-5.5',
}

function faultsOf(api: Api, session: Session): readonly unknown[] {
  return [MODELS[api.id], undefined].flatMap((model) => {
    const { request } = write(api, session, { next: 'Go on.', model })
    const { calls, results } = pairsOf(api.id, request)
    expect(results.map(({ id }) => id).sort()).toEqual(calls.map(({ id }) => id).sort())
    const body = { model: model ?? 'some-model', ...(api.id === 'anthropic' ? { max_tokens: 1024 } : {}), ...request }
    return [...api.check(body, { level: 'strict' }), ...schemaFaults(api.id, fillGaps(api.id, body))]
  })
}

const STATES = ['completed', 'failed', 'interrupted', 'pending']
const HEAD = ['file', 'format', 'messages', 'calls', ...STATES, 'results in the file', 'orphans left out']
const table: (readonly string[])[] = [HEAD]

function row(name: string, result: ReadResult, file: Found | undefined): readonly string[] {
  const calls = callsOf(result.session)
  const states = STATES.map((status) => calls.filter(({ state }) => state.status === status).length)
  const orphans = file?.orphans ?? idsOf(result, 'orphan-result').length
  const counts = [result.session.messages.length, calls.length, ...states, file?.stored ?? '', orphans]
  return [name, result.format, ...counts.map(String)]
}

/** Columns of one width. */
function printed(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  return rows.map(line).join('\n')
}

afterAll(() => {
  if (present) console.log(printed(table))
})

const paths = present ? sources(ROOT).map((path) => relative(ROOT, path)) : []

/** Of databases and storage trees the results are counted in the tests of opencode. */
describe.skipIf(!present)('every stored session', () => {
  test.each(paths.filter((path) => !isProjection(path)))('%s', async (name) => {
    const path = join(ROOT, name)
    const [active, full, portable] = await Promise.all(
      (['active', 'full', 'portable'] as const).map((history) => resultsOf(path, { history })),
    )
    for (const [index, result] of active!.entries()) {
      const file = holdsMany(path) ? undefined : await found(path, result, full![index]!)
      table.push(row(file === undefined ? `${name} ${result.session.id}` : name, result, file))
      expect(result.format).toBe(name.split('/')[0])
      expect(file?.lost ?? []).toEqual([])
    }
    for (const { session } of [...active!, ...full!, ...portable!]) {
      expect(parseSession(session)).toBe(session)
      for (const api of APIS)
        expect({ api: api.id, faults: faultsOf(api, session) }).toEqual({ api: api.id, faults: [] })
    }
  })
})
