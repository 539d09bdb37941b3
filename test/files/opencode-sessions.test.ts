import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import sqlite from 'node-sqlite3-wasm'
import { describe, expect, it } from 'vitest'
import { check } from '../../src/check/index.ts'
import { readSessionDir, readSessionFile } from '../../src/files/index.ts'
import { toAnthropic, toOpenAIChat, toOpenAIResponses } from '../../src/index.ts'
import { parseSession } from '../../src/model/schema.ts'
import type { Session } from '../../src/model/session.ts'
import type { ReadResult } from '../../src/read/reader.ts'
import { callsOf } from '../read/claude-code-lines.ts'
import type { Line } from '../read/hostile.ts'

const SHARED = join(import.meta.dirname, '../../../shared/sessions/opencode')
const present = existsSync(SHARED)
if (!present) console.info('opencode: no stored sessions here, skipped')

const names = present ? readdirSync(SHARED) : []
const exported = names.filter((name) => name.endsWith('.json'))
const databases = names.filter((name) => name.endsWith('.db'))
const trees = names.filter((name) => name.startsWith('storage-'))

/** Stored calls as `id outcome text`, by plain scans that share no code with the readers. */
type Oracle = ReadonlyMap<string, readonly string[]>

function outcome(part: Line): string {
  const state = part.state as { status: string; output?: string; error?: string; metadata?: Line }
  const partial =
    typeof state.metadata?.output === 'string' && state.metadata.output !== '' ? state.metadata.output : undefined
  if (state.status === 'completed') return `${String(part.callID)} completed ${state.output}`
  if (state.status === 'error' && state.metadata?.interrupted !== true)
    return `${String(part.callID)} failed ${state.error}`
  return `${String(part.callID)} interrupted ${partial}`
}

const tools = (parts: readonly Line[]): string[] => parts.filter(({ type }) => type === 'tool').map(outcome)

function ofExport(name: string): Oracle {
  const stored = JSON.parse(readFileSync(join(SHARED, name), 'utf8')) as { info: Line; messages: { parts: Line[] }[] }
  return new Map([[String(stored.info.id), tools(stored.messages.flatMap(({ parts }) => parts))]])
}

function ofDatabase(name: string): Oracle {
  // Of a copy, since opening leaves a lock beside the file for a moment.
  const copy = join(mkdtempSync(join(tmpdir(), 'provider-history-test-')), name)
  copyFileSync(join(SHARED, name), copy)
  const database = new sqlite.Database(copy)
  const rows = database.all(
    'SELECT part.session_id AS session, part.data AS data FROM part JOIN message ON message.id = part.message_id ORDER BY message.time_created, part.id',
  ) as { session: string; data: string }[]
  const ids = (database.all('SELECT id FROM session') as { id: string }[]).map(({ id }) => id)
  database.close()
  rmSync(dirname(copy), { recursive: true })
  return new Map(
    ids.map((id) => [
      id,
      tools(rows.filter(({ session }) => session === id).map(({ data }) => JSON.parse(data) as Line)),
    ]),
  )
}

function ofTree(name: string): Oracle {
  const found = new Map<string, string[]>()
  for (const session of readdirSync(join(SHARED, name, 'message'))) {
    const parts = readdirSync(join(SHARED, name, 'message', session)).flatMap((message) => {
      const folder = join(SHARED, name, 'part', message.replace('.json', ''))
      return readdirSync(folder).map((part) => JSON.parse(readFileSync(join(folder, part), 'utf8')) as Line)
    })
    found.set(session, tools(parts))
  }
  return found
}

function told({ session }: ReadResult): string[] {
  return callsOf(session.messages).map(({ id, state }) => {
    if (state.status === 'completed') return `${id} completed ${textOf(state.result)}`
    if (state.status === 'failed') return `${id} failed ${textOf(state.error)}`
    return `${id} ${state.status} ${state.status === 'interrupted' ? state.partial : ''}`
  })
}

/** The text beside media. */
const textOf = (output: unknown): string =>
  typeof output === 'string' ? output : String((output as { text: string }[])[0]?.text)

const NEXT = { next: 'Go on.' } as const

function refusals(session: Session): unknown[] {
  const own = session.messages.flatMap((one) =>
    one.role === 'assistant' && one.by !== undefined ? [one.by.model] : [],
  )
  const claude = ['claude-sonnet-4-5', 'claude-fable-5-2', ...own].flatMap((model) => [
    ...check(
      'anthropic',
      { model, max_tokens: 4096, ...toAnthropic(session, { model, ...NEXT }).request },
      { level: 'strict' },
    ),
  ])
  const gpt = ['gpt-4.1', 'gpt-5.5'].flatMap((model) => [
    ...check('openai-chat', { model, ...toOpenAIChat(session, { model, ...NEXT }).request }, { level: 'strict' }),
    ...check(
      'openai-responses',
      { model, ...toOpenAIResponses(session, { model, ...NEXT }).request },
      { level: 'strict' },
    ),
  ])
  return [...claude, ...gpt]
}

const table: Record<string, Record<string, number | string>> = {}

function note(name: string, { session, changes }: ReadResult): void {
  const count = (status: string): number =>
    callsOf(session.messages).filter(({ state }) => state.status === status).length
  table[`${name} ${session.id?.slice(-6)}`] = {
    messages: session.messages.length,
    completed: count('completed'),
    failed: count('failed'),
    interrupted: count('interrupted'),
    changes: [...new Set(changes.map(({ code }) => code))].join(' '),
  }
}

describe.skipIf(!present)('stored sessions of opencode', () => {
  it.each([
    ...exported.map((name) => [name, ofExport] as const),
    ...databases.map((name) => [name, ofDatabase] as const),
    ...trees.map((name) => [name, ofTree] as const),
  ])(
    '%s: every call has its own outcome',
    async (name, scan) => {
      const expected = scan(name)
      const path = join(SHARED, name)
      const { sessions } = await readSessionDir(path, { history: 'full' })
      expect(new Set(sessions.map(({ session }) => session.id))).toEqual(new Set(expected.keys()))
      for (const whole of sessions) {
        const id = whole.session.id ?? ''
        const active = await readSessionFile(path, { id })
        const wanted = expected.get(id) ?? []
        expect(told(whole).sort()).toEqual([...wanted].sort())
        expect(told(active).filter((call) => !wanted.includes(call))).toEqual([])
        for (const { session } of [whole, active]) {
          expect(parseSession(session)).toBe(session)
          expect(session.messages[0]?.role).toBe('user')
          expect(refusals(session)).toEqual([])
        }
        note(name, active)
      }
    },
    60_000,
  )

  it('are the same in an export and in the database', async () => {
    const [database] = databases
    const all = new Map((await readSessionDir(join(SHARED, database!))).sessions.map((one) => [one.session.id, one]))
    let compared = 0
    for (const name of exported) {
      const { session } = await readSessionFile(join(SHARED, name))
      const stored = all.get(session.id)
      if (stored === undefined) continue
      // An export that was made earlier holds the beginning.
      expect(stored.session.messages.slice(0, session.messages.length)).toEqual(session.messages)
      expect({ ...stored.session, messages: [] }).toEqual({ ...session, messages: [] })
      compared++
    }
    expect(compared).toBeGreaterThan(0)
  }, 30_000)

  it('are read from the folder of them', async () => {
    const { sessions, changes } = await readSessionDir(SHARED)
    expect(sessions.every(({ format }) => format === 'opencode')).toBe(true)
    expect(changes).toEqual([])
    console.table(table)
  }, 30_000)
})
