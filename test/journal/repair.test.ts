import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileStore, type Journal, memoryStore, openJournal } from '../../src/journal/index.ts'
import type { ToolCallEntry, ToolCallState } from '../../src/model/session.ts'
import { fileFolder } from '../folders.ts'
import { bytesStore } from './bytes-store.ts'
import { unsyncedFiles } from './faulty-files.ts'
import { recordsIn, rejection, using } from './folder.ts'
import { readJournal } from './read.ts'
import { assistant, call, dispatch, head, lines, settle, text, user } from './records.ts'

const root = fileFolder()
let count = 0
function stored(content: string): string {
  const path = join(root, `j${count++}.jsonl`)
  writeFileSync(path, content, { mode: 0o600 })
  return path
}
const bytes = (path: string): string => readFileSync(path, 'utf8')
const states = (journal: Journal): ToolCallState[] =>
  journal
    .session()
    .messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [part.state] : [])))

/** Opens twice: what the first time wrote, and that the second wrote nothing. */
async function repaired(path: string): Promise<{ added: string; journal: Journal }> {
  const before = bytes(path)
  const first = await openJournal(fileStore(path, unsyncedFiles))
  await first.close()
  const after = bytes(path)
  expect(after.startsWith(before)).toBe(true)
  const { mtimeMs } = statSync(path)
  const journal = await openJournal(fileStore(path, unsyncedFiles))
  await journal.close()
  expect(bytes(path)).toBe(after)
  expect(statSync(path).mtimeMs).toBe(mtimeMs)
  expect(journal.opened).toEqual({ closedCalls: [], interruptedTurns: [], resolvedCalls: [] })
  return { added: after.slice(before.length), journal: first }
}

describe('opening what a crash left', () => {
  it('O4: closes open calls, and says which were dispatched and which never started', async () => {
    const path = stored(lines(head, user('go'), assistant(call('ran'), call('not')), dispatch('ran')))
    const { added, journal } = await repaired(path)
    expect(journal.opened.closedCalls).toEqual([
      { id: 'ran', dispatched: true },
      { id: 'not', dispatched: false },
    ])
    expect(states(journal)).toEqual([
      { status: 'interrupted', dispatched: true },
      { status: 'interrupted', dispatched: false },
    ])
    expect(added.split('\n')).toHaveLength(2)
  })

  it('O5: records one repair that lists what was closed, whether the end was torn, and when', async () => {
    const whole = lines(head, { type: 'turn', id: 't', stage: 'started' }, assistant(call('a')))
    const rest = '{"journal":1,"seq":3,"at":"2026'
    const path = stored(whole + rest)
    const torn = { offset: Buffer.byteLength(whole), length: rest.length }
    const { added, journal } = await repaired(path)
    expect(journal.opened).toEqual({
      tornTail: torn,
      closedCalls: [{ id: 'a', dispatched: false }],
      interruptedTurns: ['t'],
      resolvedCalls: [],
    })
    expect(added).toMatch(/^\u0018\n\{.*\}\n$/)
    expect(recordsIn(path).at(-1)).toMatchObject({
      seq: 3,
      type: 'repair',
      torn,
      closed: [{ id: 'a', call: 0, dispatched: false }],
      turns: ['t'],
    })
    expect(Date.parse(recordsIn(path).at(-1)?.at ?? '')).toBeGreaterThan(0)
  })

  it('O3: ends a torn line before it goes on, and every reader skips it', async () => {
    const path = stored(`${lines(head, user('one'))}{"journal":1,"seq":2,"at":"","type":"mess`)
    await repaired(path)
    await using(path, (journal) => journal.user('two'))
    await repaired(path)
    const { session, changes } = readJournal(readFileSync(path))
    expect(session.messages.map(({ parts }) => parts)).toEqual([[text('one')], [text('two')]])
    expect(changes.map(({ code }) => code)).toEqual(['line-unreadable'])
  })

  it('O3: takes a last line without a newline for whole, and starts the next one on a line of its own', async () => {
    const path = stored(lines(head, user('one')).slice(0, -1))
    const { added, journal } = await repaired(path)
    expect(added).toBe('')
    expect(journal.session().messages).toHaveLength(1)
    await using(path, (reopened) => reopened.user('two'))
    expect(recordsIn(path).map(({ seq }) => seq)).toEqual([0, 1, 2])
  })

  it('tears that are no text, or nothing but NUL bytes, are torn lines too', async () => {
    for (const tear of [Buffer.from([0xff, 0xfe, 0x00]), Buffer.alloc(5000), Buffer.from('{"a":"é').subarray(0, -1)]) {
      const path = stored(lines(head, user('one')))
      appendFileSync(path, tear)
      const journal = await openJournal(path)
      await journal.user('two')
      await journal.close()
      expect(journal.opened.tornTail).toEqual({
        offset: Buffer.byteLength(lines(head, user('one'))),
        length: tear.length,
      })
      await using(path, (reopened) => expect(reopened.session().messages).toHaveLength(2))
    }
  })

  it('holes in what was not synced are left by a crash of the machine, and so is what stands between them', async () => {
    const [one, two, three, four] = lines(head, user('a'), user('b'), user('c')).split('\n') as [
      string,
      string,
      string,
      string,
    ]
    for (const [tail, kept] of [
      [`\0\0${two} \n${three} \n${four}\n`, 0],
      [`${two} \n${three.slice(0, 30)}\0\0\0${three.slice(40)} \n${four}`, 1],
      [`${two}\n${three.slice(0, 30)}\0\0\0\0\0\0\0${four.slice(30)}\n`, 1],
      [`${two} \n${three} \n\0\0\0\0`, 2],
      [`${two}\0\n${three}\n`, 0],
    ] as const) {
      const path = stored(`${one}\n${tail}`)
      await using(path, (journal) => expect(journal.session().messages).toHaveLength(kept))
      await using(path, (journal) => {
        expect(journal.opened.tornTail).toBeUndefined()
        return journal.user('later')
      })
      await using(path, (journal) => expect(journal.session().messages).toHaveLength(kept + 1))
      const { session, changes } = readJournal(readFileSync(path))
      expect(session.messages).toHaveLength(kept + 1)
      expect(changes.map(({ code }) => code)).toContain('line-unreadable')
    }
  })

  it('survives a crash at any byte of the repair itself', async () => {
    const torn = `${lines(head, assistant(call('a')))}{"journal":1,"seq":2,"at":"","ty`
    const path = stored(torn)
    const { added } = await repaired(path)
    for (let length = 0; length <= added.length; length++) {
      const store = bytesStore(Buffer.from(torn + added.slice(0, length)))
      const again = await openJournal(store)
      const after = store.bytes
      expect(states(again)).toEqual([{ status: 'interrupted', dispatched: false }])
      expect(again.opened.closedCalls).toHaveLength(length >= added.length - 1 ? 0 : 1)
      expect(states(await openJournal(store))).toEqual(states(again))
      expect(store.bytes.equals(after)).toBe(true)
    }
  })

  it('Z6: interrupts the turn that ran and those that waited, in their order, and runs nothing', async () => {
    const path = stored(
      lines(
        { type: 'turn', id: 'done', stage: 'started' },
        { type: 'turn', id: 'done', stage: 'completed' },
        { type: 'turn', id: 'waits', stage: 'accepted' },
        { type: 'turn', id: 'runs', stage: 'started' },
      ),
    )
    const { journal } = await repaired(path)
    expect(journal.opened.interruptedTurns).toEqual(['waits', 'runs'])
    expect(journal.turns().map(({ id, stage }) => [id, stage])).toEqual([
      ['done', 'completed'],
      ['waits', 'interrupted'],
      ['runs', 'interrupted'],
    ])
    expect(journal.session().messages).toEqual([])
  })

  it('leaves pending what waits for approval and was never dispatched, however often it is opened', async () => {
    const approval = { status: 'pending', reason: 'approval' } as const
    const path = stored(
      lines(
        head,
        assistant(call('asks', approval), call('said yes', { ...approval, approved: true }), call('ran', approval)),
        { type: 'settle', callId: 'asks', state: approval },
        dispatch('ran'),
      ),
    )
    const { journal } = await repaired(path)
    expect(states(journal)).toEqual([
      approval,
      { ...approval, approved: true },
      { status: 'interrupted', dispatched: true },
    ])
    await using(path, async (reopened) => {
      await reopened.dispatch({ id: 'asks', name: 'bash', args: {} })
      expect(states(reopened)[0]).toEqual({ status: 'pending', reason: 'running' })
    })
    await using(path, (reopened) => expect(states(reopened)[0]).toEqual({ status: 'interrupted', dispatched: true }))
  })

  it('leaves to the API the calls that it runs itself', async () => {
    const path = stored(lines(head, assistant({ ...call('theirs'), executor: 'provider' })))
    expect((await repaired(path)).added).toBe('')
  })

  it('Z7: a late real result takes the place of its closer, without a byte of the file being changed', async () => {
    const path = stored(lines(head, assistant(call('a'), call('b')), dispatch('a'), dispatch('b')))
    await repaired(path)
    const closed = bytes(path)
    await using(path, async (journal) => {
      await journal.settle('b', { status: 'completed', result: 'late' })
      expect(states(journal)).toEqual([
        { status: 'interrupted', dispatched: true },
        { status: 'completed', result: 'late' },
      ])
      expect(await rejection(journal.settle('b', { status: 'failed', error: 'later' }))).toMatchObject({
        code: 'conflict',
      })
      expect(await rejection(journal.settle('a', { status: 'interrupted' }))).toMatchObject({ code: 'conflict' })
    })
    expect(bytes(path).startsWith(closed)).toBe(true)
    await repaired(path)
  })

  it('never says again that a call did not start, once somebody has dispatched it after all', async () => {
    const path = stored(lines(head, assistant(call('a'))))
    await repaired(path)
    await using(path, (journal) => journal.dispatch({ id: 'a', name: 'bash', args: {} }))
    const { added, journal } = await repaired(path)
    expect(added).toBe('')
    expect(states(journal)).toEqual([{ status: 'interrupted', dispatched: true }])
  })

  it('does not know that a call never started when its tool runs without being dispatched', async () => {
    const path = stored(lines(head, assistant(call('a'), call('b')), settle('a', 'done')))
    const { journal } = await repaired(path)
    expect(journal.opened.closedCalls).toEqual([{ id: 'b', dispatched: true }])
    expect(states(journal)[1]).toEqual({ status: 'interrupted' })
  })

  it('closes each of several open calls of one id', async () => {
    const path = stored(
      lines(head, assistant(call('x'), call('x')), user('again'), assistant(call('x')), dispatch('x')),
    )
    const { journal } = await repaired(path)
    expect(states(journal)).toEqual([
      { status: 'interrupted', dispatched: false },
      { status: 'interrupted', dispatched: false },
      { status: 'interrupted', dispatched: true },
    ])
  })

  it('closes thousands of calls at once', async () => {
    const path = stored(lines(head, assistant(...Array.from({ length: 2500 }, (_, index) => call(`c${index}`)))))
    const { journal } = await repaired(path)
    expect(journal.opened.closedCalls).toHaveLength(2500)
    expect(recordsIn(path)).toHaveLength(5)
  })
})

describe('the hook that may know the result', () => {
  const open = (): string =>
    stored(
      lines(
        head,
        assistant(
          call('knows'),
          call('x'),
          call('x'),
          call('runs'),
          call('asks', { status: 'pending', reason: 'approval' }),
        ),
      ),
    )

  it('is asked for each open call before it is closed', async () => {
    const path = open()
    const asked: ToolCallEntry[] = []
    const resolve = async (entry: ToolCallEntry): Promise<ToolCallState | undefined> => {
      asked.push(entry)
      if (entry.id === 'runs') return { status: 'pending', reason: 'running' }
      if (entry.id === 'knows' || asked.length === 3) return { status: 'completed', result: `found ${asked.length}` }
      return undefined
    }
    await using(
      path,
      (journal) => {
        expect(journal.opened.resolvedCalls).toEqual(['knows', 'x', 'runs'])
        expect(journal.opened.closedCalls).toEqual([{ id: 'x', dispatched: false }])
        expect(states(journal)).toEqual([
          { status: 'completed', result: 'found 1' },
          { status: 'interrupted', dispatched: false },
          { status: 'completed', result: 'found 3' },
          { status: 'pending', reason: 'running' },
          { status: 'pending', reason: 'approval' },
        ])
      },
      { resolve },
    )
    expect(asked.map(({ id }) => id)).toEqual(['knows', 'x', 'x', 'runs'])
  })

  it('keeps the journal from being opened when it fails, with nothing written and the lease given back', async () => {
    const path = open()
    const before = bytes(path)
    const resolve = (): Promise<never> => Promise.reject(new Error('the store of results is away'))
    expect(await rejection(openJournal(path, { resolve }))).toMatchObject({ message: 'the store of results is away' })
    const invalid = async (): Promise<never> => ({ status: 'completed' }) as never
    expect(await rejection(openJournal(path, { resolve: invalid }))).toMatchObject({ code: 'invalid' })
    expect(bytes(path)).toBe(before)
    await repaired(path)
  })
})

describe('O6: what is left alone', () => {
  it('a journal in memory', async () => {
    const store = memoryStore()
    await using(store, async (journal) => {
      await journal.beginTurn()
      await journal.assistant({ parts: [call('a')] })
    })
    const before = store.text()
    await using(store, (journal) => expect(states(journal)).toEqual([{ status: 'pending' }]))
    expect(store.text()).toBe(before)
  })

  it('a file that was never made, and an empty one', async () => {
    const path = join(root, 'never.jsonl')
    await using(path, (journal) => expect(journal.session().messages).toEqual([]))
    expect(existsSync(path)).toBe(false)
    expect((await repaired(stored(''))).added).toBe('')
  })
})

describe('Z5: what no crash explains refuses opening', () => {
  const [one, two, three] = lines(head, user('a'), user('b')).split('\n') as [string, string, string]
  const torn = '{"journal":1,"seq":2,"at'
  const repair = (offset: number, length: number): string =>
    JSON.stringify({ journal: 1, seq: 2, at: '', type: 'repair', torn: { offset, length }, closed: [], turns: [] })
  const at = Buffer.byteLength(`${one}\n${two}\n`)
  const cases: readonly [string, string, RegExp][] = [
    ['a corrupt line in the middle', `${one}\n${two.slice(0, 50)}\n${three}\n`, /line 2: this is no JSON/],
    ['a corrupt last line with its newline', `${one}\n${two.slice(0, 50)}\n`, /line 2: this is no JSON/],
    ['a torn line that no repair names', `${one}\n${two}\n${torn}\u0018\n${three}\n`, /line 3: this is no JSON/],
    [
      'a hole in a record that was synced before the next',
      `${one}\n${two.slice(0, 50)}\0\0\0${two.slice(53)}\n${three}\n`,
      /line 2: this is no/,
    ],
    ['a hole in front of what was synced later', `${one}\n\0\0${two} \n${three}\n${three}\n`, /line 2: this is no/],
    ['a hole in an end, and two records behind it', `${one}\n${two}\0\n${three}\n${three}\n`, /line 2: this is no/],
    ['garbage where a hole may be', `${one}\n\0\0${two} \n${three.slice(0, 50)}\n`, /line 2: this is no/],
    ['a repair that names other bytes', `${one}\n${two}\n${torn}\u0018\n${repair(at, 5)}\n`, /no torn line/],
    ['a repair that names a record', `${one}\n${two}\n${repair(0, one.length)}\n`, /no torn line/],
    ['a lost record', `${one}\n${three}\n`, /line 2: record 1 is expected, this is record 2/],
    ['a repeated record', `${one}\n${two}\n${two}\n`, /record 2 is expected, this is record 1/],
    ['a record that lacks what it needs', `${one}\n{"journal":1,"seq":1,"at":"","type":"message"}\n`, /no record/],
    ['a record of an unknown kind', `${one}\n{"journal":1,"seq":1,"at":"","type":"dream"}\n`, /no record/],
    ['a record of a newer version', `${one}\n{"journal":2,"seq":1,"at":"","type":"turn"}\n`, /version 2/],
    ['a line of another format', `${one}\n{"type":"message"}\n`, /no record/],
    ['a whole last line that is none', `${one}\n[1,2]`, /no record/],
    ['an orphan result', lines(head, settle('a', 'x')), /without a call/],
    ['a second result', lines(head, assistant(call('a')), settle('a', 'x'), settle('a', 'y')), /has its result/],
    ['an impossible turn', lines(head, { type: 'turn', id: 't', stage: 'completed' }), /cannot be completed/],
    ['invalid usage', lines(head, { type: 'usage', usage: { outputTokens: -5 } }), /below zero/],
    [
      'a repair of a call that is not open',
      lines({ type: 'repair', closed: [{ id: 'a', call: 0 }], turns: [] }),
      /without a call/,
    ],
  ]
  it.each(cases)('%s', async (_what, content, reason) => {
    const path = stored(content)
    const error = await rejection(openJournal(path))
    expect(error).toMatchObject({ name: 'JournalError', code: 'corrupt' })
    expect((error as Error).message).toMatch(reason)
    expect(bytes(path)).toBe(content)
    expect(existsSync(`${path}.lock`)).toBe(false)
  })
})

describe('clocks', () => {
  it('decide nothing: they may jump back and forth', async () => {
    const path = stored('')
    const times = [5e12, 0, 1e12, -1e12, 3e12]
    const now = (): number => times[count++ % times.length] ?? 0
    for (let round = 0; round < 5; round++) {
      await using(path, (journal) => journal.assistant({ parts: [call(`c${round}`)] }), { now })
    }
    const { journal } = await repaired(path)
    expect(states(journal)).toHaveLength(5)
  })
})
