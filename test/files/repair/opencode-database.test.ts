import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sqlite from 'node-sqlite3-wasm'
import { describe, expect, it } from 'vitest'
import { NODE_FILES, type RepairFiles } from '../../../src/files/repair/system.ts'
import { hasOwnSqlite } from '../../../src/files/sqlite-engine.ts'
import { testFolder } from '../../folders.ts'
import { conversation, makeDatabase, makeUnfinished, messageRow, OPENCODE, partRow, together } from '../database.ts'
import { age, at, copied, NOW, repair, sharedFiles, textAt } from './kit.ts'

const call = (id: string, state: object): object => ({ type: 'tool', tool: 'bash', callID: id, state })

/** Two sessions, one of them killed while a call ran; the other, newer one is whole. */
const killed = together(conversation('ses_new', 20), conversation('ses_old', 10), {
  session: [],
  message: [messageRow('msg_k', 'ses_old', 5, 'assistant', { modelID: 'm', providerID: 'p' })],
  part: [
    partRow(
      'prt_k1',
      'msg_k',
      'ses_old',
      call('call_run', { status: 'running', input: { a: 1 }, time: { start: 5 }, metadata: { output: 'half' } }),
    ),
    partRow('prt_k2', 'msg_k', 'ses_old', call('call_wait', { status: 'pending', input: {}, raw: '' })),
  ],
})

function database(): string {
  const path = join(testFolder(), 'opencode.db')
  makeDatabase(path, OPENCODE, killed)
  age(path)
  return path
}

/** Changes a database as another program would. */
function change(path: string, sql: string): void {
  const opened = new sqlite.Database(path)
  opened.exec(sql)
  opened.close()
  age(path)
}

/** As opencode reads its tables. */
function partStates(path: string): Map<string, unknown> {
  const opened = new sqlite.Database(path)
  try {
    // The package shares no memory with others, without which the log of a database is read by one alone.
    opened.exec('PRAGMA locking_mode = EXCLUSIVE')
    const rows = opened.all('SELECT id, data FROM part ORDER BY id') as unknown as { id: string; data: string }[]
    const tools = rows.map(({ id, data }) => [id, JSON.parse(data) as unknown] as const)
    return new Map(tools.filter(([, part]) => at(part, 'type') === 'tool').map(([id, part]) => [id, at(part, 'state')]))
  } finally {
    opened.close()
  }
}

const statusesOf = (path: string): string[] => [...partStates(path).values()].map((state) => textAt(state, 'status'))

describe('a database of opencode', () => {
  it('is only looked at in a dry run', async () => {
    const path = database()
    const before = readFileSync(path)
    const result = await repair(path, { id: 'ses_old' })
    expect(result).toMatchObject({
      format: 'opencode',
      written: false,
      closed: [
        { id: 'call_run', name: 'bash' },
        { id: 'call_wait', name: 'bash', dispatched: false },
      ],
      replaced: [{ place: 'part prt_k1' }, { place: 'part prt_k2' }],
    })
    expect(result.before?.violations.length).toBeGreaterThan(0)
    expect(result.after?.violations).toEqual([])
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(dirname(path))).toEqual(['opencode.db'])
  })

  it('is repaired in a transaction, with a private backup, and not a second time', async () => {
    const path = database()
    chmodSync(path, 0o640)
    const before = readFileSync(path)
    const { backup, written } = await repair(path, { id: 'ses_old', write: true })
    expect(written).toBe(true)
    expect(readFileSync(backup!).equals(before)).toBe(true)
    expect(statSync(backup!).mode & 0o777).toBe(0o600)
    expect(statSync(path).mode & 0o777).toBe(0o640)
    expect(statusesOf(path)).toEqual(['error', 'error', 'completed', 'completed'])
    const state = partStates(path).get('prt_k1')
    expect(state).toMatchObject({
      input: { a: 1 },
      metadata: { output: 'half' },
      time: { start: 5, end: NOW.getTime() },
    })
    expect(textAt(state, 'error')).toMatch(/outcome is unknown[\s\S]*\nhalf$/)
    expect(readdirSync(dirname(path)).length).toBe(2)
    const after = readFileSync(path)
    age(path)
    expect(await repair(path, { id: 'ses_old', write: true })).toMatchObject({ written: false, closed: [] })
    expect(readFileSync(path).equals(after)).toBe(true)
  })

  it('gives the newest session, where none is named', async () => {
    expect(await repair(database(), { write: true })).toMatchObject({ written: false, closed: [] })
  })

  it('has its newest rows in the log that a killed tool leaves, which is backed up with it', async () => {
    const path = join(testFolder(), 'opencode.db')
    const { part, ...rest } = killed
    makeUnfinished(path, OPENCODE, { ...rest, part: part.slice(0, 4) }, { part: part.slice(4) })
    for (const name of [path, `${path}-wal`]) age(name)
    const { backup, closed } = await repair(path, { id: 'ses_old', write: true })
    expect(closed.map(({ id }) => id)).toEqual(['call_run', 'call_wait'])
    expect(statusesOf(path)).toEqual(['error', 'error', 'completed', 'completed'])
    expect(statSync(`${backup}-wal`).mode & 0o777).toBe(0o600)
  })

  it('is refused while another process has it open', async () => {
    const path = database()
    const before = readFileSync(path)
    const other = spawn(process.execPath, [
      '-e',
      `require('fs').openSync(${JSON.stringify(path)}); console.log('open'); setInterval(() => {}, 1000)`,
    ])
    try {
      await new Promise((resolve) => other.stdout.once('data', resolve))
      await expect(repair(path, { id: 'ses_old', write: true, force: true })).rejects.toMatchObject({ reason: 'busy' })
      expect(await repair(path, { id: 'ses_old' })).toMatchObject({ written: false, closed: [{}, {}] })
    } finally {
      other.kill()
    }
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(dirname(path))).toEqual(['opencode.db'])
  })

  it.skipIf(hasOwnSqlite())(
    'is refused while it is locked by the package, and says so where that was killed',
    async () => {
      const path = database()
      mkdirSync(`${path}.lock`)
      const refused: unknown = await repair(path, { id: 'ses_old', write: true }).catch((error: unknown) => error)
      expect(refused).toMatchObject({ reason: 'busy', message: expect.stringContaining(`${path}.lock: remove it`) })
      rmdirSync(`${path}.lock`)
      expect(await repair(path, { id: 'ses_old', write: true })).toMatchObject({ written: true })
    },
  )

  it('is refused as a link, when it was changed just now, and when it is of another tool', async () => {
    const path = database()
    const link = join(dirname(path), 'link.db')
    symlinkSync(path, link)
    await expect(repair(link)).rejects.toMatchObject({ reason: 'link' })
    const fresh = join(testFolder(), 'opencode.db')
    makeDatabase(fresh, OPENCODE, killed)
    const now = (): Date => new Date()
    await expect(repair(fresh, { id: 'ses_old', write: true }, { now })).rejects.toMatchObject({ reason: 'recent' })
    expect(await repair(fresh, { id: 'ses_old', write: true, force: true }, { now })).toMatchObject({ written: true })
    const crush = join(testFolder(), 'crush.db')
    const tables =
      'CREATE TABLE sessions (id text, parent_session_id text); CREATE TABLE messages (id text, session_id text, role text, parts text);'
    makeDatabase(crush, tables, { sessions: [['s', null]], messages: [['m', 's', 'user', '[]']] })
    await expect(repair(crush)).rejects.toMatchObject({ reason: 'unsupported' })
  })

  it.each([
    ['a trigger', 'CREATE TRIGGER t AFTER UPDATE ON part BEGIN DELETE FROM message; END;'],
    ['a trigger under another spelling', 'CREATE TRIGGER t AFTER UPDATE ON PART BEGIN DELETE FROM message; END;'],
    [
      'a foreign key that changes another table',
      `CREATE UNIQUE INDEX parts ON part (data);
      CREATE TABLE copy (data text REFERENCES part (data) ON UPDATE CASCADE);`,
    ],
  ])('starts no program that the database brings along: %s', async (_name, trigger) => {
    const path = join(testFolder(), 'opencode.db')
    makeDatabase(path, OPENCODE + trigger, killed)
    age(path)
    const before = readFileSync(path)
    await expect(repair(path, { id: 'ses_old', write: true })).rejects.toMatchObject({ reason: 'unsupported' })
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('repairs a row that is stored as bytes, which becomes text, as opencode loads it', async () => {
    const path = database()
    change(path, "UPDATE part SET data = CAST(data AS BLOB) WHERE id = 'prt_k1'")
    const { closed } = await repair(path, { id: 'ses_old', write: true })
    expect(closed.map(({ id }) => id)).toEqual(['call_run', 'call_wait'])
    expect(statusesOf(path)).toEqual(['error', 'error', 'completed', 'completed'])
    expect(textAt(partStates(path).get('prt_k1'), 'error')).toMatch(/\nhalf$/)
  })

  it.each([
    [
      'bytes that are no UTF-8',
      "SET data = CAST(replace(data, 'half', CAST(x'e9' AS TEXT)) AS BLOB)",
      /bytes that are no UTF-8/,
    ],
    ['a zero byte', 'SET data = data || char(0)', /holds a zero byte/],
    ['an id of bytes', 'SET id = CAST(id AS BLOB)', /an id that is no text/],
    [
      'two rows of one id',
      "SET id = 'prt_k2', data = (SELECT data FROM part WHERE id = 'prt_k2')",
      /stands more than once/,
    ],
  ])('says of a row why it is not repaired: %s', async (_what, set, words) => {
    const path = join(testFolder(), 'opencode.db')
    makeDatabase(path, OPENCODE.replaceAll('text PRIMARY KEY', 'text'), killed)
    change(path, `UPDATE part ${set} WHERE id = 'prt_k1'`)
    const before = readFileSync(path)
    for (const write of [false, true]) {
      const refused: unknown = await repair(path, { id: 'ses_old', write, force: true }).catch(
        (error: unknown) => error,
      )
      expect(refused).toMatchObject({ reason: 'unsupported', message: expect.stringMatching(words) })
      expect((refused as Error).message).toContain('prt_k')
    }
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(dirname(path))).toEqual(['opencode.db'])
  })

  it('refuses what its own rules do not let pass, in words', async () => {
    const path = join(testFolder(), 'opencode.db')
    const rule = "CREATE UNIQUE INDEX i ON part (CASE WHEN data LIKE '%interrupted%' THEN 1 ELSE id END);"
    makeDatabase(path, OPENCODE + rule, killed)
    age(path)
    const before = readFileSync(path)
    await expect(repair(path, { id: 'ses_old', write: true })).rejects.toMatchObject({ reason: 'io' })
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(dirname(path))).toEqual(['opencode.db'])
  })

  it('is not followed to another place when a link takes its place meanwhile', async () => {
    const path = database()
    const moved = `${path}.moved`
    const before = readFileSync(path)
    const files: RepairFiles = {
      ...NODE_FILES,
      async open(...values) {
        if (values[0] === dirname(path)) {
          renameSync(path, moved)
          symlinkSync(moved, path)
        }
        return NODE_FILES.open(...values)
      },
    }
    await expect(repair(path, { id: 'ses_old', write: true }, { files })).rejects.toMatchObject({ reason: 'link' })
    expect(readFileSync(moved).equals(before)).toBe(true)
    expect(readdirSync(dirname(path))).toEqual(['opencode.db', 'opencode.db.moved'])
  })

  it('stays as it is when the backup fails, wherever it does', async () => {
    let failures = 0
    for (let number = 1; ; number++) {
      const path = database()
      const before = readFileSync(path)
      let asked = 0
      const fail = (): void => {
        if (++asked === number) throw Object.assign(new Error('made for a test'), { code: 'ENOSPC' })
      }
      const files = {
        ...NODE_FILES,
        async open(name: string, flags: number, mode?: number) {
          fail()
          const file = await NODE_FILES.open(name, flags, mode)
          const { write, sync } = file
          file.write = (...values: Parameters<typeof write>) => {
            fail()
            return write.apply(file, values)
          }
          file.sync = () => {
            fail()
            return sync.apply(file)
          }
          return file
        },
      }
      const result = await repair(path, { id: 'ses_old', write: true }, { files }).catch((error: unknown) => error)
      if (asked < number) break
      failures++
      expect(result).toMatchObject({ reason: 'io' })
      expect(readFileSync(path).equals(before)).toBe(true)
      expect(readdirSync(dirname(path))).toEqual(['opencode.db'])
    }
    expect(failures).toBeGreaterThan(4)
    console.info(`a database of opencode: ${failures} faults of the backup`)
  })

  it('of the real program is repaired session by session', async () => {
    const name = sharedFiles('opencode').find((one) => one.endsWith('.db'))
    if (name === undefined) {
      console.info('opencode: no real database here, skipped')
      return
    }
    const path = copied('opencode', name)
    const opened = new sqlite.Database(path)
    const sessions = (opened.all('SELECT id FROM session') as unknown as { id: string }[]).map(({ id }) => id)
    opened.close()
    for (const id of sessions) {
      age(path)
      const { closed, after, before } = await repair(path, { id, write: true })
      expect(after?.violations ?? []).toEqual([])
      console.info(`${name} ${id}: ${closed.length} closed, refused before by ${before?.violations[0]?.rule ?? '-'}`)
    }
    expect(statusesOf(path).filter((status) => status !== 'completed' && status !== 'error')).toEqual([])
  })
})
