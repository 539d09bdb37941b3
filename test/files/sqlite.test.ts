import {
  chmodSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { readSessionDir, readSessionFile } from '../../src/files/index.ts'
import { withPrivateCopy } from '../../src/files/private-copy.ts'
import { ReadError } from '../../src/index.ts'
import { parseSession } from '../../src/model/schema.ts'
import type { ReadResult } from '../../src/read/reader.ts'
import { testFolder } from '../folders.ts'
import { FULL } from '../laws/runs.ts'
import { callsOf } from '../read/claude-code-lines.ts'
import { random } from '../read/hostile.ts'
import {
  conversation,
  makeDatabase,
  makeUnfinished,
  messageRow,
  OPENCODE,
  partRow,
  sessionRow,
  together,
} from './database.ts'

let folder = ''
beforeEach(() => {
  folder = testFolder()
})

const CRUSH = `
CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL, message_count INTEGER, updated_at INTEGER, created_at INTEGER, summary_message_id TEXT);
CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL, parts TEXT NOT NULL DEFAULT '[]', model TEXT, created_at INTEGER, updated_at INTEGER, finished_at INTEGER, provider TEXT, is_summary_message INTEGER DEFAULT 0 NOT NULL);`

const GOOSE = `
CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', session_type TEXT, working_dir TEXT NOT NULL, created_at TIMESTAMP, updated_at TIMESTAMP, provider_name TEXT, model_config_json TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL, metadata_json TEXT);`

const three = () => together(conversation('ses_a', 10), conversation('ses_b', 30), conversation('ses_c', 20))

const firstText = ({ session }: ReadResult): string => {
  const part = session.messages[0]?.parts[0]
  return part !== undefined && 'text' in part ? (part.text as string) : ''
}

/** What stands in a folder: names, sizes, times and content. */
const snapshot = (path: string): unknown =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file, statSync(file).mtimeMs, readFileSync(file).toString('base64')])

async function refusal(path: string, options = {}): Promise<string> {
  try {
    await readSessionFile(path, options)
  } catch (error) {
    expect(ReadError.is(error)).toBe(true)
    return (error as Error).message
  }
  throw new Error('it was read')
}

describe('a database', () => {
  it('gives its newest session, and says that there are others', async () => {
    const path = join(folder, 'opencode.db')
    makeDatabase(path, OPENCODE, three())
    const result = await readSessionFile(path)
    expect(result.format).toBe('opencode')
    expect(result.session).toMatchObject({ id: 'ses_b', title: 'Title of ses_b', cwd: '/work' })
    expect(firstText(result)).toBe('question of ses_b')
    expect(result.changes).toMatchObject([{ code: 'session-left-out', before: '2 other sessions' }])
  })

  it('gives any session by its id', async () => {
    const path = join(folder, 'opencode.db')
    makeDatabase(path, OPENCODE, three())
    const result = await readSessionFile(path, { id: 'ses_a' })
    expect(result.session.id).toBe('ses_a')
    expect(result.changes).toEqual([])
    expect(await refusal(path, { id: '../ses_a' })).toMatch(
      /no session has the id "..\/ses_a"; there are ses_a, ses_b, ses_c/,
    )
    expect(await refusal(path, { id: "' OR 1=1 --" })).toMatch(/no session/)
  })

  it('gives all of its sessions', async () => {
    const path = join(folder, 'opencode.db')
    makeDatabase(path, OPENCODE, three())
    const { sessions, changes } = await readSessionDir(path)
    expect(sessions.map(firstText)).toEqual(['question of ses_a', 'question of ses_b', 'question of ses_c'])
    expect(changes).toEqual([])
  })

  it('prefers what the user began, and knows which call began the others', async () => {
    const path = join(folder, 'opencode.db')
    makeDatabase(path, OPENCODE, together(conversation('ses_a', 10), conversation('ses_a_child', 20, 'ses_a')))
    expect((await readSessionFile(path)).session.id).toBe('ses_a')
    const parent = { id: 'ses_a', callId: 'call_ses_a' }
    expect((await readSessionFile(path, { id: 'ses_a_child' })).session.parent).toEqual(parent)
    expect((await readSessionDir(path)).sessions.map(({ session }) => session.parent)).toEqual([undefined, parent])
  })

  it('of Crush and of goose is known by its tables, whatever its name', async () => {
    const crush = join(folder, 'a.sqlite')
    const parts = JSON.stringify([{ type: 'text', data: { text: 'hi' } }])
    makeDatabase(crush, CRUSH, {
      sessions: [['s', null, 'T', 1, 9, 5, null]],
      messages: [['m', 's', 'user', parts, null, 5, 5, null, null, 0]],
    })
    expect(await readSessionFile(crush)).toMatchObject({
      format: 'crush',
      session: { id: 's', messages: [{ parts: [{ text: 'hi' }] }] },
    })
    const goose = join(folder, 'b.data')
    makeDatabase(goose, GOOSE, {
      sessions: [
        [
          '20260101_1',
          'N',
          'user',
          '/w',
          '2026-01-01 00:00:00',
          '2026-01-01 00:00:00',
          'anthropic',
          '{"model_name":"m"}',
        ],
      ],
      messages: [[7, '20260101_1', 'user', JSON.stringify([{ type: 'text', text: 'hi' }]), 5, null]],
    })
    expect(await readSessionFile(goose)).toMatchObject({
      format: 'goose',
      session: { title: 'N', cwd: '/w', messages: [{ parts: [{ text: 'hi' }] }] },
    })
  })

  it('is read with what stands in its write-ahead log', async () => {
    const path = join(folder, 'opencode.db')
    makeUnfinished(path, OPENCODE, conversation('ses_a', 10), conversation('ses_b', 30))
    const before = snapshot(folder)
    expect((await readSessionFile(path)).session.id).toBe('ses_b')
    expect((await readSessionDir(path)).sessions).toHaveLength(2)
    expect(snapshot(folder)).toEqual(before)
    rmSync(`${path}-wal`)
    expect((await readSessionDir(path)).sessions.map(({ session }) => session.id)).toEqual(['ses_a'])
  })

  it('is read through a link that the caller names, with the log beside the file itself', async () => {
    const path = join(folder, 'opencode.db')
    makeUnfinished(path, OPENCODE, conversation('ses_a', 10), conversation('ses_b', 30))
    symlinkSync(path, join(folder, 'link.db'))
    expect((await readSessionFile(join(folder, 'link.db'))).session.id).toBe('ses_b')
  })

  it('has no log that is a link to another file', async () => {
    const [path, other] = [join(folder, 'opencode.db'), join(folder, 'other.db')]
    makeUnfinished(path, OPENCODE, conversation('ses_a', 10), {})
    makeUnfinished(other, OPENCODE, conversation('ses_a', 10), conversation('ses_b', 30))
    rmSync(`${path}-wal`, { force: true })
    symlinkSync(`${other}-wal`, `${path}-wal`)
    expect((await readSessionDir(path)).sessions.map(({ session }) => session.id)).toEqual(['ses_a'])
  })

  it('is read when it is compressed, and where nothing may be written', async () => {
    const path = join(folder, 'opencode.db')
    makeDatabase(path, OPENCODE, three())
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path)))
    expect((await readSessionFile(`${path}.gz`)).session.id).toBe('ses_b')
    chmodSync(path, 0o400)
    chmodSync(folder, 0o500)
    expect((await readSessionFile(path)).session.id).toBe('ses_b')
    chmodSync(folder, 0o700)
  })
})

describe('the private copy', () => {
  it('stands in a folder that only the user can open, and is gone afterwards', async () => {
    const path = join(folder, 'opencode.db')
    makeDatabase(path, OPENCODE, three())
    let copied = ''
    await withPrivateCopy(path, 1e9, async (copy) => {
      copied = copy
      expect(statSync(join(copy, '..')).mode & 0o777).toBe(0o700)
      expect(statSync(copy).mode & 0o777).toBe(0o600)
    })
    expect(() => statSync(join(copied, '..'))).toThrow()
    await expect(
      withPrivateCopy(path, 1e9, async (copy) => {
        copied = copy
        throw new ReadError('no')
      }),
    ).rejects.toThrow('no')
    expect(() => statSync(join(copied, '..'))).toThrow()
  })

  it('is not made of more than the limit', async () => {
    const path = join(folder, 'opencode.db')
    makeDatabase(path, OPENCODE, three())
    expect(await refusal(path, { maxBytes: 4096 })).toMatch(/maxBytes/)
  })
})

describe('what is refused', () => {
  it('is no database of a known tool', async () => {
    const path = join(folder, 'x.db')
    makeDatabase(path, 'CREATE TABLE agent_messages (id integer, message_data text); CREATE TABLE notes (a)', {})
    expect(await refusal(path)).toMatch(/SQLite database of a tool that is not known \(tables agent_messages, notes\)/)
    makeDatabase(join(folder, 'empty.db'), OPENCODE, {})
    expect(await refusal(join(folder, 'empty.db'))).toMatch(/no session in this SQLite database/)
  })

  it('is a view or a computed column in the place of a table', async () => {
    const path = join(folder, 'x.db')
    const views = OPENCODE.replace('CREATE TABLE part (', 'CREATE TABLE part_ (').replaceAll('ON part (', 'ON part_ (')
    makeDatabase(
      path,
      `${views}; CREATE VIEW part AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i AS message_id, i AS data FROM n`,
      {},
    )
    expect(await refusal(path)).toMatch(/not known/)
    const computed = join(folder, 'y.db')
    makeDatabase(
      computed,
      OPENCODE.replace(
        /data text NOT NULL\);\nCREATE INDEX/,
        'data text AS (hex(zeroblob(400000000))));\nCREATE INDEX',
      ),
      {},
    )
    expect(await refusal(computed)).toMatch(/not known/)
  })

  it('names the package that is missing', async () => {
    vi.resetModules()
    vi.doMock('node-sqlite3-wasm', () => {
      throw new Error('not found')
    })
    vi.stubGlobal(
      'process',
      new Proxy(process, { get: (target, key) => (key === 'getBuiltinModule' ? undefined : Reflect.get(target, key)) }),
    )
    const { readSessionFile: read } = await import('../../src/files/index.ts')
    const path = join(folder, 'opencode.db')
    makeDatabase(path, OPENCODE, three())
    await expect(read(path)).rejects.toThrow(/Node 22\.13 or later, or install the package node-sqlite3-wasm/)
    vi.doUnmock('node-sqlite3-wasm')
    vi.unstubAllGlobals()
    vi.resetModules()
  })
})

/** A session of many rows, so that its tables have pages of every kind. */
function long(path: string, count: number): void {
  const message = Array.from({ length: count }, (_, index) =>
    messageRow(`msg_${index}`, 'ses_a', index, 'assistant', { modelID: 'm', filler: 'x'.repeat(300) }),
  )
  const part = Array.from({ length: count }, (_, index) =>
    partRow(`prt_${index}`, `msg_${index}`, 'ses_a', {
      type: 'tool',
      tool: 'bash',
      callID: `call_${index}`,
      // Now and then one that takes pages of its own.
      state: { status: 'completed', input: {}, output: `output ${index} ${'y'.repeat(index % 10 === 0 ? 9000 : 200)}` },
    }),
  )
  makeDatabase(path, OPENCODE, { session: [sessionRow('ses_a', 9)], message, part })
}

async function readAnyway(path: string): Promise<ReadResult | undefined> {
  try {
    const result = await readSessionFile(path)
    parseSession(result.session)
    return result
  } catch (error) {
    if (ReadError.is(error)) return undefined
    throw error
  }
}

describe('a damaged database', () => {
  it('loses the pages that are gone, wherever it was cut off', async () => {
    const path = join(folder, 'whole.db')
    long(path, 120)
    const whole = readFileSync(path)
    const pageSize = whole.readUInt16BE(16)
    /** The page in which a row stands, of those that need one only. */
    const pages = new Map<string, number>()
    for (let index = 0; index < 120; index++) {
      // A page that was split may still hold it too.
      const place = whole.lastIndexOf(`output ${index} y`)
      if (index % 10 !== 0) pages.set(`call_${index}`, Math.ceil((place + 1) / pageSize))
    }
    const counts: number[] = []
    for (let share = 1; share <= 20; share++) {
      const size = Math.floor((whole.length * share) / 20) - ((20 - share) % 3) * 100
      writeFileSync(path, whole)
      truncateSync(path, size)
      const result = await readAnyway(path)
      const calls = callsOf(result?.session.messages ?? [])
      for (const { id, state } of calls) {
        expect(state).toMatchObject({ result: expect.stringMatching(`^output ${id.slice('call_'.length)} y`) })
      }
      const found = new Set(calls.map(({ id }) => id))
      const kept = [...pages].filter(([, page]) => page * pageSize <= size).map(([id]) => id)
      // Before the tables themselves there is nothing to find.
      if (size > 12 * pageSize) expect(kept.filter((id) => !found.has(id))).toEqual([])
      counts.push(calls.length)
      if (share < 20 && result !== undefined)
        expect(result.changes.map(({ code }) => code)).toContain('database-damaged')
    }
    expect(counts.at(-1)).toBe(120)
    console.info('calls read of a database cut off at each twentieth:', counts.join(' '))
  }, 60_000)

  it('loses a page and no other', async () => {
    const path = join(folder, 'whole.db')
    long(path, 120)
    const whole = readFileSync(path)
    const pageSize = whole.readUInt16BE(16)
    const lost: number[] = []
    const every = FULL ? 1 : 3
    for (let page = 1; page < whole.length / pageSize; page += every) {
      const bad = Buffer.from(whole)
      bad.fill(0xff, page * pageSize, (page + 1) * pageSize)
      writeFileSync(path, bad)
      lost.push(120 - callsOf((await readAnyway(path))?.session.messages ?? []).length)
    }
    // One page, the root of a table, leads to all others of it.
    const most = lost.toSorted((a, b) => b - a)
    expect(most[1]).toBeLessThan(30)
    console.info('calls lost with a single page:', lost.join(' '))
  }, 60_000)

  it('is read or refused, whatever bytes are wrong', async () => {
    const path = join(folder, 'whole.db')
    long(path, 40)
    const whole = readFileSync(path)
    const below = random(7)
    for (let run = 0; run < (FULL ? 300 : 40); run++) {
      const bad = Buffer.from(whole)
      // The first page holds the header and the schema.
      for (let count = 0; count < 12; count++) bad[below(count < 3 ? 4096 : bad.length)]! ^= 1 << below(8)
      writeFileSync(path, bad)
      await readAnyway(path)
    }
  }, 60_000)

  it('that is none is refused', async () => {
    const path = join(folder, 'x.db')
    for (const content of [
      Buffer.from('SQLite format 3\0'),
      Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(5000, 0xff)]),
    ]) {
      writeFileSync(path, content)
      expect(await refusal(path)).toMatch(/SQLite database/)
    }
  })
})
