import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileStore, JournalError, memoryStore, openJournal } from '../../src/journal/index.ts'
import type { AssistantPart, ToolCallState } from '../../src/model/session.ts'
import { fileFolder } from '../folders.ts'
import { faultyFiles } from './faulty-files.ts'
import { recordsIn, rejection, using } from './folder.ts'
import { readJournal } from './read.ts'
import { call, text } from './records.ts'

const root = fileFolder()
let count = 0
const newPath = (): string => join(root, `r${count++}`, 'deep', 'session.jsonl')
const done = (result: string): ToolCallState => ({ status: 'completed', result })

describe('a new journal', () => {
  it('is a file of one line for each record, for its owner alone', async () => {
    const path = newPath()
    await using(path, async (journal) => {
      expect(existsSync(path)).toBe(false)
      await journal.user('hi')
      await journal.instruction('be brief', 'developer')
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(statSync(`${path}.lock`).mode & 0o777).toBe(0o600)
    })
    for (const made of [dirname(path), dirname(dirname(path))]) expect(statSync(made).mode & 0o777).toBe(0o700)
    expect(existsSync(`${path}.lock`)).toBe(false)
    expect(recordsIn(path).map(({ journal, seq, type }) => [journal, seq, type])).toEqual([
      [1, 0, 'session'],
      [1, 1, 'message'],
      [1, 2, 'message'],
    ])
  })

  it('begins with what `start` holds, which is not looked at again', async () => {
    const path = newPath()
    const start = {
      id: 'mine',
      title: 'Fees',
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'before' }] }],
    } as const
    await using(path, (journal) => journal.user('after'), { start })
    await using(path, (journal) => expect(journal.session().messages).toHaveLength(2), { start: { id: 'other' } })
    expect(readJournal(readFileSync(path))).toMatchObject({ session: { id: 'mine', title: 'Fees' }, changes: [] })
  })

  it('is the same session when it is opened again and when it is read', async () => {
    const path = newPath()
    const before = await using(path, async (journal) => {
      await journal.describe({
        cwd: '/w',
        extra: { dirge: { permission_allowlist: [{ tool: 'bash', pattern: 'ls *' }] } },
      })
      await journal.user([{ type: 'text', text: 'go' }], { kind: 'injected' })
      await journal.assistant({ by: { model: 'm' }, stop: 'tool-calls', parts: [text('so'), call('a'), call('b')] })
      await journal.dispatch({ id: 'a', name: 'bash', args: {} })
      await journal.settle('b', { status: 'failed', error: 'no', denied: true })
      await journal.settle('a', done('A'))
      await journal.assistant({ parts: [text('done')] })
      return journal.session()
    })
    const after = await using(path, (journal) => journal.session())
    expect(after).toEqual(before)
    expect(readJournal(readFileSync(path)).session).toEqual({ ...before, source: { format: 'journal', version: '1' } })
  })
})

describe('a write', () => {
  it('Z2: is synced before the caller and any observer hear of it, and before it is in the session', async () => {
    const { files, log } = faultyFiles()
    const heard: string[] = []
    await using(fileStore(newPath(), files), async (journal) => {
      await journal.user('first')
      log.length = 0
      journal.subscribe((record) => heard.push(`heard ${record.seq} after ${log.join(' ')}`))
      const writing = journal.user('second')
      expect(journal.session().messages).toHaveLength(1)
      await writing
      heard.push('resolved')
      expect(journal.session().messages).toHaveLength(2)
    })
    expect(heard).toEqual(['heard 2 after statSync write datasync', 'resolved'])
  })

  it('shares its sync with all that come at the same time', async () => {
    const { files, log } = faultyFiles()
    await using(fileStore(newPath(), files), async (journal) => {
      await journal.user('first')
      log.length = 0
      await Promise.all(Array.from({ length: 64 }, (_, index) => journal.user(`user ${index}`)))
      expect(log.filter((operation) => operation === 'datasync')).toHaveLength(1)
      expect(journal.session().messages).toHaveLength(65)
    })
  })

  it('is heard of by each listener in order, whatever another listener does', async () => {
    const warned: string[] = []
    const onWarning = (warning: Error): unknown => warned.push(warning.message)
    process.on('warning', onWarning)
    const heard: number[] = []
    await using(memoryStore(), async (journal) => {
      const end = journal.subscribe(() => {
        throw new Error('a listener that fails')
      })
      journal.subscribe((record) => heard.push(record.seq))
      await Promise.all([journal.user('a'), journal.user('b')])
      end()
      await journal.user('c')
    })
    expect(heard).toEqual([0, 1, 2, 3])
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', onWarning)
    expect(warned).toContain('a listener that fails')
  })

  it('is copied: what the caller does with it afterwards changes nothing', async () => {
    await using(memoryStore(), async (journal) => {
      const parts: AssistantPart[] = [text('one')]
      const writing = journal.assistant({ parts })
      parts.push(text('two'))
      await writing
      expect(journal.session().messages[0]?.parts).toEqual([text('one')])
    })
  })

  it('is refused with a reason when it is no record, and the journal goes on', async () => {
    await using(memoryStore(), async (journal) => {
      const circular: { [key: string]: unknown } = {}
      circular.self = circular
      const odd = [
        journal.user(7 as never),
        journal.user([{ type: 'tool-call' } as never]),
        journal.settle('a', { status: 'completed' } as never),
        journal.usage({ inputTokens: 'many' as never }),
        journal.dispatch({ id: 'a', name: 'b', args: circular as never }),
        journal.dispatch({ id: 'a', name: 'b', args: 1n as never }),
        journal.describe({ tools: 'all' as never }),
      ]
      for (const refused of odd)
        expect(await rejection(refused)).toMatchObject({ name: 'JournalError', code: 'invalid' })
      await journal.user('goes on')
      expect(journal.session().messages).toHaveLength(1)
    })
  })

  it('Z2: is refused when it is over the size limit, and leaves nothing behind', async () => {
    const path = newPath()
    await using(
      path,
      async (journal) => {
        await journal.user('é'.repeat(200))
        expect(await rejection(journal.user('é'.repeat(600)))).toMatchObject({ code: 'too-large' })
        await journal.user('small')
      },
      { maxRecordBytes: 1000 },
    )
    expect(recordsIn(path).map(({ seq }) => seq)).toEqual([0, 1, 2])
  })

  it('is refused behind the end of the journal, which may be closed twice', async () => {
    const journal = await openJournal(memoryStore())
    const last = journal.user('last')
    await Promise.all([journal.close(), journal.close()])
    await last
    expect(await rejection(journal.user('late'))).toMatchObject({ code: 'closed' })
    expect(JournalError.is(await rejection(journal.beginTurn()))).toBe(true)
  })
})

describe('sync by turn', () => {
  it('makes a turn durable with its end, and a dispatch at once unless it only reads', async () => {
    const { files, log } = faultyFiles()
    const heard: string[] = []
    const syncs = (): number => log.filter((operation) => operation === 'datasync').length
    await using(
      fileStore(newPath(), files),
      async (journal) => {
        await journal.user('before the turn')
        log.length = 0
        journal.subscribe((record) => heard.push(record.type))
        const turn = await journal.beginTurn()
        await journal.assistant({ parts: [call('read'), call('write')] })
        await journal.dispatch({ id: 'read', name: 'bash', args: {}, readOnly: true })
        expect([syncs(), heard.length]).toEqual([0, 0])
        expect(journal.session().messages).toHaveLength(2)
        await journal.dispatch({ id: 'write', name: 'bash', args: {} })
        expect([syncs(), heard.length]).toEqual([1, 4])
        await journal.settle('write', done('W'))
        expect([syncs(), heard.length]).toEqual([1, 4])
        await journal.endTurn(turn, 'completed')
        expect([syncs(), heard.length]).toEqual([2, 6])
        await journal.user('between turns')
        expect(syncs()).toBe(3)
        await journal.beginTurn()
        expect(syncs()).toBe(3)
      },
      { sync: 'turn' },
    )
    expect(syncs()).toBe(4)
    expect(heard).toHaveLength(8)
  })
})

describe('Z5: what cannot be is refused with a reason', () => {
  const cases: readonly [string, (journal: Awaited<ReturnType<typeof openJournal>>) => Promise<unknown>, RegExp][] = [
    ['an orphan result', (journal) => journal.settle('nobody', done('x')), /without a call of the id "nobody"/],
    ['a duplicate result', (journal) => journal.settle('a', done('again')), /call "a", which has its result/],
    ['a dispatch without a call', (journal) => journal.dispatch({ id: 'x', name: 'y', args: 0 }), /without a call/],
    ['a duplicate call', (journal) => journal.dispatch({ id: 'b', name: 'bash', args: 0 }), /dispatched already/],
    ['a call of another tool', (journal) => journal.dispatch({ id: 'b', name: 'rm', args: 0 }), /of the tool "bash"/],
    ['a duplicate acceptance', (journal) => journal.acceptTurn('old'), /cannot be accepted: it is completed/],
    ['a turn begun twice', (journal) => journal.beginTurn('now'), /cannot be started: it is started/],
    ['a second turn beside one', (journal) => journal.beginTurn('other'), /"now" is not over/],
    ['an end of a turn that waits', (journal) => journal.endTurn('queued', 'completed'), /it is accepted/],
    ['an end of no turn', (journal) => journal.endTurn('none', 'failed'), /it is not begun/],
    ['usage below zero', (journal) => journal.usage({ inputTokens: -1 }), /below zero/],
    ['a context of no size', (journal) => journal.usage({}, { used: 1, max: 0 }), /no size/],
    ['a summary of more than there is', (journal) => journal.compact('all', 9), /cannot be kept/],
    ['a rewind to what never was', (journal) => journal.rewind(9), /cannot be kept/],
  ]
  it.each(cases)('%s', async (_what, write, reason) => {
    await using(memoryStore(), async (journal) => {
      await journal.beginTurn('old')
      await journal.endTurn('old', 'completed')
      await journal.acceptTurn('queued')
      await journal.beginTurn('now')
      await journal.assistant({ parts: [call('a'), call('b')] })
      await journal.settle('a', done('A'))
      await journal.dispatch({ id: 'b', name: 'bash', args: 0 })
      const before = journal.session()
      const error = await rejection(write(journal))
      expect(error).toMatchObject({ name: 'JournalError', code: 'conflict' })
      expect((error as Error).message).toMatch(reason)
      await journal.settle('b', done('B'))
      expect(journal.session().messages).toHaveLength(before.messages.length)
    })
  })
})

describe('a conversation that changes course', () => {
  it('goes on behind a summary, with all that was said still in the store', async () => {
    const store = memoryStore()
    await using(store, async (journal) => {
      for (const name of ['one', 'two', 'three']) await journal.user(name)
      await journal.compact('A summary.', 1)
      expect(journal.session().messages).toMatchObject([{ kind: 'summary' }, { parts: [text('three')] }])
    })
    const { session } = readJournal(store.text(), { history: 'full' })
    expect(session.messages.map(({ parts }) => parts)).toEqual([[text('one')], [text('two')], [text('three')]])
  })

  it('goes on from an earlier message, with the rest kept as a branch', async () => {
    const store = memoryStore()
    await using(store, async (journal) => {
      for (const name of ['one', 'wrong', 'worse']) await journal.user(name)
      await journal.rewind(1)
      await journal.user('right')
      expect(journal.session().messages).toMatchObject([{ parts: [text('one')] }, { parts: [text('right')] }])
    })
    expect(readJournal(store.text()).branches).toMatchObject([{ messages: 2, preview: 'wrong' }])
  })

  it('takes a result of a call that a summary has replaced', async () => {
    await using(memoryStore(), async (journal) => {
      await journal.assistant({ parts: [call('a')] })
      await journal.compact('So far.')
      await journal.settle('a', done('late'))
      expect(journal.session().messages).toHaveLength(1)
    })
  })
})

describe('turns and usage', () => {
  it('gives turns ids that no other turn has', async () => {
    await using(memoryStore(), async (journal) => {
      const [first, second] = [await journal.acceptTurn(), await journal.acceptTurn()]
      expect(first).not.toBe(second)
      expect(await journal.beginTurn(second)).toBe(second)
      await journal.endTurn(second, 'failed')
      expect(journal.turns().map(({ id, stage }) => [id, stage])).toEqual([
        [first, 'accepted'],
        [second, 'failed'],
      ])
    })
  })
})

describe('where the file is', () => {
  it('Z10: an id names a file only when it can be no path', () => {
    for (const id of ['', '.', '..', '.hidden', 'a/b', 'a\\b', 'a\0b', '../x', 'x'.repeat(129), 'é'])
      expect(() => fileStore({ folder: root, id })).toThrow(JournalError)
    expect(() => fileStore({ folder: root, id: '1b0c-4.a_B' })).not.toThrow()
  })

  it('follows no link, and takes no folder and no pipe', async () => {
    const path = join(root, 'link.jsonl')
    writeFileSync(join(root, 'target.jsonl'), '')
    symlinkSync(join(root, 'target.jsonl'), path)
    expect(await rejection(openJournal(path))).toMatchObject({ name: 'JournalError', code: 'io' })
    expect(await rejection(openJournal(root))).toMatchObject({ name: 'JournalError', code: 'io' })
    expect(existsSync(`${path}.lock`)).toBe(false)
  })

  it('is not written when somebody without a lease has changed it', async () => {
    const path = newPath()
    await using(path, (journal) => journal.user('one'))
    const journal = await openJournal(path)
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 30))
    expect(await rejection(journal.user('two'))).toMatchObject({ code: 'io' })
    await journal.close()
    expect(statSync(path).size).toBe(30)
  })
})

describe('reasoning', () => {
  it('Z1: is kept from the store when the caller wants it so', async () => {
    const store = memoryStore()
    const parts: AssistantPart[] = [{ type: 'reasoning', text: 'hidden' }, text('said')]
    await using(store, (journal) => journal.assistant({ parts }), {
      reasoning: 'drop',
      start: { messages: [{ role: 'assistant', parts }] },
    })
    expect(store.text()).not.toContain('hidden')
    expect(store.text()).toContain('said')
  })
})
