import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closedJson, trailingFields } from '../../src/files/cut-json.ts'
import { listSessions, readSessionFile } from '../../src/files/index.ts'
import { defaultPlaces, placeTold } from '../../src/files/places.ts'
import { ReadError } from '../../src/index.ts'
import { testFolder } from '../folders.ts'
import { said, user } from '../read/claude-code-lines.ts'
import { makeDatabase, OPENCODE, sessionRow } from './database.ts'

let folder = ''
beforeEach(() => {
  folder = testFolder()
})

/** Each file a minute older than the one before. */
let clock = Date.parse('2026-05-01T12:00:00.000Z')
const write = (path: string, content: string | Uint8Array): string => {
  const whole = join(folder, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, content)
  clock -= 60_000
  utimesSync(whole, new Date(clock), new Date(clock))
  return whole
}

const jsonLines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

const transcript = (id: string, prompt: string, more: readonly object[] = []): string =>
  jsonLines([
    user('a', null, prompt, { sessionId: id }),
    said('b', 'a', 'msg_1', { type: 'text', text: 'ok' }, { sessionId: id }),
    ...more,
  ])

const rollout = (id: string, length = 10): string =>
  jsonLines([
    {
      timestamp: '2026-01-01T00:00:00.000Z',
      type: 'session_meta',
      payload: { id, cwd: '/w', instructions: 'x'.repeat(length) },
    },
    {
      timestamp: '2026-01-01T00:00:01.000Z',
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix it' }] },
    },
  ])

/** Its own fields stand behind the messages. */
const dirge = (id: string, messages: readonly object[]): object => ({
  ...{ schema_version: 2, id, name: '', messages, compactions: [], total_estimated_tokens: 3, total_cost: 0 },
  ...{ working_dir: '/w', model: 'm', provider: 'p', context_window: 1000 },
})

describe('listSessions', () => {
  it('lists what is below a folder, the last changed first', async () => {
    const claude = write('projects/-w/11111111.jsonl', transcript('11111111', 'Fix the parser\nplease'))
    const codex = write('sessions/2026/rollout.jsonl', rollout('22222222'))
    const packed = write('old.jsonl.gz', gzipSync(rollout('33333333')))
    write('notes.json', '{"a":1}')
    write('readme.md', 'hello')
    write('broken.jsonl', '{"a')
    expect(await listSessions(folder)).toEqual([
      {
        format: 'claude-code',
        path: claude,
        id: '11111111',
        title: 'Fix the parser please',
        modifiedAt: expect.stringMatching(/^2026-05-01T11:59/),
        bytes: transcript('11111111', 'Fix the parser\nplease').length,
      },
      expect.objectContaining({ format: 'codex', path: codex, id: '22222222', title: 'Fix it' }),
      expect.objectContaining({ format: 'codex', path: packed, id: '33333333' }),
    ])
  })

  it('knows long files by their beginning and their end', async () => {
    const long = Array.from({ length: 2000 }, (_, n) =>
      said(
        `m${n}`,
        n === 0 ? 'b' : `m${n - 1}`,
        `msg_x${n}`,
        { type: 'text', text: 'long '.repeat(50) },
        { sessionId: 'S1' },
      ),
    )
    const titled = { type: 'ai-title', aiTitle: 'A parser', sessionId: 'S1' }
    write('untitled.jsonl', transcript('S1', 'Fix the parser', long))
    write('titled.jsonl', transcript('S1', 'Fix the parser', [...long, titled]))
    write('wide.jsonl', rollout('S2', 200_000))
    const messages = Array.from({ length: 3000 }, (_, n) => ({
      role: n % 2 === 0 ? 'user' : 'assistant',
      content: `Message ${n} "quoted" [in] {braces} \\ and more`,
      id: `m-${n}`,
      timestamp: 1_780_000_000,
      tool_calls: [],
    }))
    write('pretty.json', JSON.stringify(dirge('S3', messages), null, 2))
    expect((await listSessions(folder)).map(({ format, id, title }) => [format, id, title])).toEqual([
      ['claude-code', 'S1', 'Fix the parser'],
      ['claude-code', 'S1', 'A parser'],
      ['codex', 'S2', 'Fix it'],
      ['dirge', 'S3', 'Message 0 "quoted" [in] {braces} \\ and more'],
    ])
  })

  it('knows records that were each printed over several lines', async () => {
    const records = rollout('S4', 40_000)
      .trim()
      .split('\n')
      .map((line) => JSON.stringify(JSON.parse(line), null, 2))
    write('printed.jsonl', `${[records[0], ...Array.from({ length: 400 }, () => records[1])].join('\n')}\n`)
    expect(await listSessions(folder)).toMatchObject([{ format: 'codex', id: 'S4' }])
  })

  it('lists the sessions of databases and storage trees, so that each can be read by its id', async () => {
    const path = join(folder, 'opencode.db')
    makeDatabase(path, OPENCODE, {
      session: [sessionRow('ses_a', 1_780_000_000_000), sessionRow('ses_b', 1_790_000_000_000, 'ses_a')],
    })
    write(
      'storage/session/global/ses_c.json',
      JSON.stringify({ title: 'Tree', time: { created: 1, updated: 1_770_000_000_000 } }),
    )
    write('storage/message/ses_c/msg_1.json', JSON.stringify({ id: 'msg_1', role: 'user', time: { created: 1 } }))
    const listed = await listSessions(folder)
    expect(
      listed.map(({ format, id, title, modifiedAt, parent }) => [format, id, title, modifiedAt, parent?.id]),
    ).toEqual([
      ['opencode', 'ses_b', 'Title of ses_b', '2026-09-21T14:13:20.000Z', 'ses_a'],
      ['opencode', 'ses_a', 'Title of ses_a', '2026-05-28T20:26:40.000Z', undefined],
      ['opencode', 'ses_c', 'Tree', '2026-02-02T02:40:00.000Z', undefined],
    ])
    for (const { path, id } of listed) expect((await readSessionFile(path, { id })).session.id).toBe(id)
    expect(await listSessions(path)).toHaveLength(2)
  })

  it('lists a known database as a whole when it cannot be read, and no unknown one', async () => {
    const broken = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(100)])
    write('crush.db', broken)
    write('other.db', broken)
    expect(await listSessions(folder)).toMatchObject([{ format: 'crush', bytes: 116 }])
  })

  it('takes a task of Cline once', async () => {
    const history = [
      { role: 'user', content: [{ type: 'text', text: '<task>\nFix it\n</task>' }], ts: 1 },
      { role: 'assistant', content: [{ type: 'text', text: 'ok' }], ts: 2 },
    ]
    const screen = [
      { ts: 1, type: 'say', say: 'task', text: 'Fix it' },
      { ts: 2, type: 'say', say: 'text', text: 'ok' },
    ]
    const path = write('tasks/1/api_conversation_history.json', JSON.stringify(history))
    write('tasks/1/ui_messages.json', JSON.stringify(screen))
    const alone = write('tasks/2/ui_messages.json', JSON.stringify(screen))
    expect((await listSessions(folder)).map((one) => one.path)).toEqual([path, alone])
  })

  it('follows no link', async () => {
    const outside = join(testFolder(), 'outside')
    mkdirSync(outside, { recursive: true })
    writeFileSync(join(outside, 'a.jsonl'), rollout('X'))
    symlinkSync(outside, join(folder, 'link'))
    symlinkSync(join(outside, 'a.jsonl'), join(folder, 'b.jsonl'))
    expect(await listSessions(folder)).toEqual([])
  })

  it('says when the place is not there', async () => {
    const error = await listSessions(join(folder, 'none')).catch((reason: unknown) => reason)
    expect(ReadError.is(error)).toBe(true)
  })
})

describe('listSessions without a place', () => {
  const VARIABLES = [
    'HOME',
    'CLAUDE_CONFIG_DIR',
    'CODEX_HOME',
    'PI_CODING_AGENT_DIR',
    'DIRGE_DATA_DIR',
    'XDG_DATA_HOME',
    'XDG_CONFIG_HOME',
  ]
  const before = VARIABLES.map((name) => [name, process.env[name]] as const)
  beforeEach(() => {
    for (const name of VARIABLES) delete process.env[name]
    process.env.HOME = folder
  })
  afterEach(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })

  it('looks where the tools keep their sessions', async () => {
    write('.claude/projects/-w/a.jsonl', transcript('C1', 'Hello'))
    write('.codex/sessions/2026/01/01/rollout.jsonl', rollout('C2'))
    write('.codex/archived_sessions/rollout.jsonl', rollout('C3'))
    write(
      '.local/share/goose/sessions/g.jsonl',
      jsonLines([
        { working_dir: '/w', description: 'Goose' },
        { role: 'user', created: 1, content: [{ type: 'text', text: 'Hello' }] },
      ]),
    )
    // Not where its tool keeps it, and not of the tool whose place it is.
    write('elsewhere/a.jsonl', rollout('C4'))
    write('.claude/projects/-w/b.jsonl', rollout('C5'))
    expect((await listSessions()).map(({ format, id }) => [format, id])).toEqual([
      ['claude-code', 'C1'],
      ['codex', 'C2'],
      ['codex', 'C3'],
      ['goose', undefined],
    ])
  })

  it('looks where the environment says', async () => {
    process.env.CODEX_HOME = join(folder, 'codex')
    process.env.DIRGE_DATA_DIR = join(folder, 'dirge')
    write('codex/sessions/rollout.jsonl', rollout('C2'))
    write('.codex/sessions/rollout.jsonl', rollout('C3'))
    write('dirge/sessions/D1.json', JSON.stringify(dirge('D1', [])))
    expect((await listSessions()).map(({ format, id }) => [format, id])).toEqual([
      ['codex', 'C2'],
      ['dirge', 'D1'],
    ])
  })
})

describe('the places', () => {
  const folders = (platform: string, environment: { [name: string]: string } = {}) =>
    defaultPlaces({ environment, home: '/home/me', platform }).map((place) => place.folder)

  it('differ between systems', () => {
    expect(folders('linux')).toEqual(
      expect.arrayContaining([
        '/home/me/.claude/projects',
        '/home/me/.pi/agent/sessions',
        '/home/me/.local/share/opencode/storage',
        '/home/me/.local/share/dirge/sessions',
        '/home/me/.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks',
        '.crush',
      ]),
    )
    expect(folders('darwin')).toEqual(
      expect.arrayContaining([
        '/home/me/Library/Application Support/dirge/sessions',
        '/home/me/Library/Application Support/Cursor/User/globalStorage/kilocode.kilo-code/tasks',
        '/home/me/.local/share/opencode',
      ]),
    )
  })

  it('follow the environment, but for empty variables', () => {
    const moved = folders('linux', { XDG_DATA_HOME: '/data', CLAUDE_CONFIG_DIR: '/claude', CODEX_HOME: '' })
    expect(moved).toEqual(
      expect.arrayContaining([
        '/data/opencode/storage',
        '/data/dirge/sessions',
        '/claude/projects',
        '/home/me/.codex/sessions',
      ]),
    )
    expect(folders('linux', { DIRGE_DATA_DIR: '/d', XDG_DATA_HOME: '/data' })).toContain('/d/sessions')
  })

  it('are told as people write them', () => {
    expect(placeTold('codex')).toBe('~/.codex/sessions, or by $CODEX_HOME')
    expect(placeTold('gemini-cli')).toBe('~/.gemini/tmp')
    expect(placeTold('dirge', 'linux')).toBe('~/.local/share/dirge/sessions, or by $DIRGE_DATA_DIR')
    expect(placeTold('anthropic')).toBeUndefined()
  })
})

describe('closedJson', () => {
  it('is JSON wherever a value is cut', () => {
    const value = { a: [1, { b: 'x"]}\\' }, -2.5e3, true, null], 'k"}': { deep: [[['z']]] }, c: 'é' }
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2), JSON.stringify([value, value])]) {
      for (let end = 1; end <= text.length; end++)
        expect(() => JSON.parse(closedJson(text.slice(0, end))!)).not.toThrow()
      expect(JSON.parse(closedJson(text)!)).toEqual(JSON.parse(text))
    }
    expect(JSON.parse(closedJson('{"a":1,"messages":[{"x":1},{"y":')!)).toEqual({ a: 1, messages: [{ x: 1 }, {}] })
    expect(closedJson('"text')).toBeUndefined()
  })

  it('goes with the fields at the end of an object', () => {
    const value = { a: [{ b: 1, c: 'x' }], d: { e: [1, 2] }, f: 'g' }
    for (const text of [JSON.stringify(value), `${JSON.stringify(value, null, 2)}\n`]) {
      expect(trailingFields(text.slice(5))).toEqual({ d: { e: [1, 2] }, f: 'g' })
      expect(trailingFields(text.slice(-3))).toEqual({})
    }
    expect(trailingFields('1,"a","b"]')).toEqual({})
  })
})
