import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { readSessionDir, readSessionFile } from '../../src/files/index.ts'
import { ReadError } from '../../src/index.ts'
import type { Part, Session } from '../../src/model/session.ts'
import { testFolder } from '../folders.ts'
import { callsOf } from '../read/claude-code-lines.ts'
import { conversation, makeDatabase, OPENCODE } from './database.ts'

let folder = ''
beforeEach(() => {
  folder = testFolder()
})

const write = (path: string, value: unknown): string => {
  const whole = join(folder, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(
    whole,
    typeof value === 'string' || value instanceof Uint8Array ? value : JSON.stringify(value, null, 2),
  )
  return whole
}

const outline = ({ messages }: Session): string[] =>
  messages.map(
    ({ role, parts }) =>
      `${role}: ${(parts as readonly Part[]).map((part) => ('text' in part ? part.text : part.type === 'tool-call' ? part.id : part.type)).join(' | ')}`,
  )

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    expect(ReadError.is(error)).toBe(true)
    return (error as Error).message
  }
  throw new Error('it was read')
}

const bodyOf = (text: string) => [
  { role: 'user', content: text },
  { role: 'assistant', content: 'ok', toolCalls: [] },
]

/** A session of a storage tree: a question, an answer with a call, and what the call printed. */
function store(id: string, updated: number, at: string, more: object = {}): void {
  const [ask, answer] = [`msg_${id}_a`, `msg_${id}_b`]
  const info = {
    projectID: 'global',
    directory: '/work',
    title: `Title of ${id}`,
    version: '1.1.53',
    time: { created: 5, updated },
    ...more,
  }
  const paths =
    at === 'global'
      ? { session: 'session/global', message: 'message', part: 'part' }
      : { session: 'session/info', message: 'session/message', part: `session/part/${id}` }
  write(`${paths.session}/${id}.json`, { id: 'wrong', ...info })
  write(`${paths.message}/${id}/${ask}.json`, { id: ask, role: 'user', time: { created: 1 } })
  write(`${paths.message}/${id}/${answer}.json`, {
    role: 'assistant',
    time: { created: 2 },
    modelID: 'm',
    providerID: 'p',
    finish: 'stop',
  })
  write(`${paths.part}/${ask}/prt_1.json`, { type: 'text', text: `question of ${id}` })
  write(`${paths.part}/${answer}/prt_2.json`, { type: 'text', text: 'I look' })
  write(`${paths.part}/${answer}/prt_3.json`, {
    type: 'tool',
    tool: 'task',
    callID: `call_${id}`,
    state: { status: 'completed', input: {}, output: 'o', metadata: { sessionId: `${id}_child` } },
  })
}

const wanted = (id: string): string[] => [`user: question of ${id}`, `assistant: I look | call_${id}`]

describe.each(['global', 'project'])('a storage tree, %s', (layout) => {
  it('gives its newest session, any by its id, and all', async () => {
    store('ses_a', 30, layout)
    store('ses_b', 20, layout)
    const newest = await readSessionFile(folder)
    expect(outline(newest.session)).toEqual(wanted('ses_a'))
    expect(newest.session).toMatchObject({
      id: 'ses_a',
      title: 'Title of ses_a',
      cwd: '/work',
      source: { format: 'opencode', version: '1.1.53' },
    })
    expect(newest.changes).toMatchObject([{ code: 'session-left-out', before: '1 other sessions' }])
    expect(outline((await readSessionFile(folder, { id: 'ses_b' })).session)).toEqual(wanted('ses_b'))
    const all = await readSessionDir(folder)
    expect(all.sessions.map(({ session }) => session.id)).toEqual(['ses_b', 'ses_a'])
    expect(all.changes).toEqual([])
  })

  it('knows the call that started a session', async () => {
    store('ses_a', 30, layout)
    store('ses_a_child', 40, layout, { parentID: 'ses_a' })
    expect((await readSessionFile(folder)).session.id).toBe('ses_a')
    const { session } = await readSessionFile(folder, { id: 'ses_a_child' })
    expect(session.parent).toEqual({ id: 'ses_a', callId: 'call_ses_a' })
  })

  it('loses what is cut off, and no more', async () => {
    store('ses_a', 30, layout)
    const parts = layout === 'global' ? 'part' : 'session/part/ses_a'
    const messages = layout === 'global' ? 'message' : 'session/message'
    write(`${parts}/msg_ses_a_b/prt_2.json`, '{"type":"te')
    write(`${messages}/ses_a/msg_ses_a_b.json`, '{"role":"assist')
    const { session, changes } = await readSessionFile(folder)
    expect(outline(session).sort()).toEqual(['assistant: call_ses_a', 'user: question of ses_a'])
    expect(changes.map(({ code }) => code)).toEqual(['record-invalid', 'record-invalid'])
  })
})

describe('a storage tree', () => {
  it('of the first generation holds the parts in the messages', async () => {
    write('session/info/ses_old.json', { title: 'Old', time: { created: 1, updated: 2 } })
    write('session/message/ses_old/msg_1.json', {
      id: 'msg_1',
      role: 'assistant',
      parts: [
        {
          type: 'tool-invocation',
          toolInvocation: { state: 'result', toolCallId: 'A', toolName: 'bash', args: {}, result: 'out' },
        },
      ],
      metadata: { time: { created: 1 }, sessionID: 'ses_old', tool: {} },
    })
    const { session } = await readSessionFile(folder)
    expect(callsOf(session.messages)).toMatchObject([{ id: 'A', state: { status: 'completed', result: 'out' } }])
  })

  it('is not left by any name that stands in it', async () => {
    store('ses_a', 30, 'global', { parentID: '../../secret' })
    const outside = join(testFolder(), 'outside')
    mkdirSync(outside, { recursive: true })
    writeFileSync(join(outside, 'prt_9.json'), JSON.stringify({ type: 'text', text: 'SECRET' }))
    writeFileSync(join(outside, 'msg_x.json'), JSON.stringify({ role: 'user', time: { created: 3 } }))
    // A link as a file, as a folder of parts, and a message whose id would lead out.
    symlinkSync(join(outside, 'prt_9.json'), join(folder, 'part/msg_ses_a_a/prt_9.json'))
    symlinkSync(outside, join(folder, 'part/msg_linked'))
    write('message/ses_a/msg_linked.json', { role: 'user', time: { created: 3 } })
    write('message/ses_a/...json', { role: 'user', time: { created: 4 } })
    symlinkSync(outside, join(folder, 'message/ses_linked'))
    write('session/global/ses_linked.json', { time: { created: 1, updated: 1 } })
    const { session, changes } = await readSessionFile(folder, { id: 'ses_a' })
    expect(JSON.stringify(session)).not.toContain('SECRET')
    expect(outline(session)).toEqual(wanted('ses_a'))
    expect(session.parent).toEqual({ id: '../../secret' })
    expect(changes.map(({ code }) => code)).toContain('file-left-out')
    expect((await readSessionFile(folder, { id: 'ses_linked' })).session.messages).toEqual([])
    for (const id of ['../ses_a', '..', '', 'session/global/ses_a', 'ses_a\0']) {
      expect(await refusal(readSessionFile(folder, { id }))).toMatch(/no session in this directory has the id/)
    }
  })

  it('is not read over the size limit', async () => {
    store('ses_a', 30, 'global')
    const { session, changes } = await readSessionFile(folder, { maxBytes: 100 })
    expect(session.messages.length).toBeLessThan(2)
    expect(changes.map(({ code }) => code)).toContain('file-left-out')
  })
})

describe('a folder', () => {
  it('gives every session in it and below, and names what it is not', async () => {
    write('a.json', bodyOf('one'))
    write(
      'deep/er/b.jsonl',
      bodyOf('two')
        .map((line) => JSON.stringify(line))
        .join('\n'),
    )
    write('c.json.gz', gzipSync(JSON.stringify(bodyOf('three'))))
    makeDatabase(join(folder, 'd.db'), OPENCODE, conversation('ses_d', 5))
    write('not.json', { a: 1 })
    write('torn.jsonl', '{"role":"us')
    write('notes.txt', 'text')
    write('package.json', { name: 'x' })
    write('node_modules/x/y.json', bodyOf('never'))
    for (const name of ['HEAD', 'refs/x', 'objects/y.json']) write(`snapshot/repository/${name}`, bodyOf('never'))
    const { sessions, changes } = await readSessionDir(folder)
    expect(sessions.map(({ session }) => outline(session)[0]).sort()).toEqual([
      'user: one',
      'user: question of ses_d',
      'user: three',
      'user: two',
    ])
    expect(changes.map(({ code }) => code)).toEqual(['file-left-out', 'file-left-out'])
    expect(changes.map(({ message }) => message).sort()).toEqual([
      expect.stringMatching(/^not\.json was left out: no known format/),
      expect.stringMatching(/^torn\.jsonl was left out: /),
    ])
  })

  it('gives the session that was changed last, or the one with an id', async () => {
    const [old, later] = [
      write('old.json', { version: 1, id: 'first', messages: [] }),
      write('later.json', { version: 1, id: 'second', messages: [] }),
    ]
    utimesSync(old, 1000, 1000)
    utimesSync(later, 2000, 2000)
    const newest = await readSessionFile(folder)
    expect(newest.session.id).toBe('second')
    expect(newest.changes).toMatchObject([{ code: 'session-left-out', before: '1 other files' }])
    expect((await readSessionFile(folder, { id: 'first' })).session.id).toBe('first')
    write('named-third.json', bodyOf('no id inside'))
    expect(outline((await readSessionFile(folder, { id: 'third' })).session)[0]).toBe('user: no id inside')
    expect(await refusal(readSessionFile(folder, { id: 'fourth' }))).toMatch(
      /no session in this directory has the id "fourth"/,
    )
    expect(await refusal(readSessionFile(later, { id: 'first' }))).toMatch(/has the id "second", not "first"/)
  })

  it('takes the sessions of a tree from the database that took them over', async () => {
    makeDatabase(join(folder, 'opencode.db'), OPENCODE, conversation('ses_a', 5))
    const inner = folder
    folder = join(folder, 'storage')
    store('ses_a', 30, 'global')
    store('ses_b', 30, 'global')
    const { sessions, changes } = await readSessionDir(inner)
    expect(sessions.map(({ session }) => [session.id, session.messages.length])).toEqual([
      ['ses_a', 2],
      ['ses_b', 2],
    ])
    expect(outline(sessions[0]!.session)[1]).toBe('assistant: call_ses_a')
    expect(changes).toMatchObject([{ code: 'file-left-out', message: expect.stringContaining('ses_a') }])
  })

  it('does not follow links, into files, folders, or itself', async () => {
    const outside = join(testFolder(), 'elsewhere')
    mkdirSync(outside, { recursive: true })
    writeFileSync(join(outside, 'secret.json'), JSON.stringify(bodyOf('SECRET')))
    write('a.json', bodyOf('one'))
    symlinkSync(outside, join(folder, 'linked'))
    symlinkSync(join(outside, 'secret.json'), join(folder, 'linked.json'))
    symlinkSync(folder, join(folder, 'loop'))
    const { sessions } = await readSessionDir(folder)
    expect(sessions.map(({ session }) => outline(session)[0])).toEqual(['user: one'])
    const named = join(testFolder(), 'named-link')
    symlinkSync(folder, named)
    expect((await readSessionDir(named)).sessions).toHaveLength(1)
  })

  it('is not walked without end', async () => {
    const deep = Array.from({ length: 40 }, () => 'd').join('/')
    write(`${deep}/a.json`, bodyOf('too deep'))
    write('a.json', bodyOf('one'))
    expect((await readSessionDir(folder)).sessions).toHaveLength(1)
  })

  it('that holds nothing is refused as a session, and is an empty list', async () => {
    expect(await refusal(readSessionFile(folder))).toBe('this is a directory that holds no session')
    expect(await readSessionDir(folder)).toEqual({ sessions: [], changes: [] })
    expect(await refusal(readSessionDir(join(folder, 'none')))).toMatch(/there is no such file/)
  })

  it('has files that may not be read', async () => {
    if (process.getuid?.() === 0) return
    chmodSync(write('a.json', bodyOf('one')), 0)
    expect((await readSessionDir(folder)).changes).toMatchObject([{ code: 'file-left-out' }])
  })
})
