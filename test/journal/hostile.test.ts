import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type AgentEvent,
  capture,
  type Journal,
  JournalError,
  type JournalOptions,
  LockedError,
  memoryStore,
  openJournal,
} from '../../src/journal/index.ts'
import type { Session } from '../../src/model/session.ts'
import { recordsIn, rejection, using } from './folder.ts'
import { ended, lock } from './locks.ts'
import { bytes, done, places, statesOf } from './places.ts'
import { readJournal } from './read.ts'
import { call, text } from './records.ts'

const { root, newPath } = places()

describe('a journal is held once', () => {
  it('by one process too, and by whatever way its folder is reached', async () => {
    const folder = join(root, 'real')
    mkdirSync(folder)
    symlinkSync(folder, join(root, 'linked'))
    const ways = [join(folder, 'j.jsonl'), join(root, 'linked', 'j.jsonl'), `${folder}/../linked/./j.jsonl`]
    for (const held of ways) {
      await using(held, async (journal) => {
        await journal.user('mine')
        for (const way of ways) expect(LockedError.is(await rejection(openJournal(way)))).toBe(true)
        await journal.user('still mine')
      })
    }
    await using(ways[1]!, (journal) => expect(journal.session().messages).toHaveLength(6))
  })

  it('and not by many that ask at the same time', async () => {
    const path = newPath()
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => openJournal(path)))
    const won = asked.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(won).toHaveLength(1)
    for (const result of asked) if (result.status === 'rejected') expect(LockedError.is(result.reason)).toBe(true)
    await won[0]?.close()
    await using(path, () => {})
  })
})

describe('a lock', () => {
  const odd: readonly [string, (path: string) => void][] = [
    ['a folder', (path) => mkdirSync(path)],
    ['a link to nothing', (path) => symlinkSync('/nowhere/at/all', path)],
    ['a link to what never ends', (path) => symlinkSync('/dev/zero', path)],
    ['JSON of another kind', (path) => writeFileSync(path, '[[[[]]]]')],
    ['a number deep in brackets', (path) => writeFileSync(path, '['.repeat(60_000))],
    ['keys of Object.prototype', (path) => writeFileSync(path, '{"__proto__":{"pid":1},"constructor":1}')],
    ['no text', (path) => writeFileSync(path, Buffer.alloc(5000, 0xff))],
  ]
  it.each(odd)('that is %s is nobody known, and stays', async (_what, make) => {
    const path = join(root, `${odd.findIndex(([what]) => what === _what)}.jsonl`)
    make(`${path}.lock`)
    expect(await rejection(openJournal(path))).toMatchObject({ name: 'LockedError', owner: { host: '', pid: 0 } })
  })

  it('of three gigabytes is not read, nor while the journal is held', async () => {
    const path = join(root, 'huge.jsonl')
    writeFileSync(`${path}.lock`, 'x')
    truncateSync(`${path}.lock`, 3 * 1024 ** 3)
    const before = process.memoryUsage().rss
    expect(LockedError.is(await rejection(openJournal(path)))).toBe(true)
    const held = join(root, 'held.jsonl')
    const journal = await openJournal(held)
    truncateSync(`${held}.lock`, 3 * 1024 ** 3)
    expect(await rejection(journal.user('one'))).toMatchObject({ code: 'lease-lost' })
    await journal.close().catch(() => {})
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 ** 2)
  })

  it('of an owner with the longest name can be read by the next one', async () => {
    const path = newPath()
    await using(
      path,
      async () => {
        const error = (await rejection(openJournal(path))) as LockedError
        expect(error.owner).toMatchObject({ host: hostname(), pid: process.pid })
        expect(error.owner.name).toMatch(/^n{100}/)
      },
      { owner: 'n'.repeat(1_000_000) },
    )
  })

  it('of a process that is gone, whose number this process has by now, is taken over', async () => {
    const path = newPath()
    mkdirSync(join(path, '..'))
    await lock(path, { ...(await ended()), pid: process.pid })
    await using(path, (journal) => journal.user('mine'))
  })
})

describe('the start of a journal', () => {
  const user = { role: 'user', parts: [text('before')] } as const
  it.each([
    ['a title that is no text', { title: 5 }, 'invalid'],
    ['a title over the limit of a record', { title: 'x'.repeat(2000) }, 'too-large'],
    ['a title that is no text, and messages', { title: 5, messages: [user] }, 'invalid'],
    ['a last message that is none', { messages: [user, user, { role: 'x' }] }, 'invalid'],
    ['a message over the limit', { messages: [user, { role: 'user', parts: [text('x'.repeat(2000))] }] }, 'too-large'],
    ['a message that throws when it is looked at', { messages: [user, throwing] }, 'invalid'],
  ])('is refused with %s, before anything is written', async (_what, start, code) => {
    const path = newPath()
    const options = { start: start as unknown as Partial<Session>, maxRecordBytes: 1000 }
    expect(await rejection(openJournal(path, options))).toMatchObject({ name: 'JournalError', code })
    await using(path, (journal) => journal.user('anew'), { start: { title: 'right' } })
    expect(recordsIn(path)[0]).toMatchObject({ type: 'session', session: { title: 'right' } })
    await using(path, (journal) => expect(journal.session()).toMatchObject({ title: 'right', messages: [{}] }))
  })
})

const throwing = new Proxy(
  {},
  {
    get() {
      throw new Error('a trap')
    },
    ownKeys() {
      throw new Error('a trap')
    },
  },
)

describe('what is handed in', () => {
  const refused: readonly [string, (journal: Journal) => Promise<unknown>][] = [
    ['nothing', (journal) => journal.assistant(undefined as never)],
    ['a message without parts', (journal) => journal.assistant({} as never)],
    ['a part that is null', (journal) => journal.assistant({ parts: [null] } as never)],
    ['a trap as message', (journal) => journal.assistant(throwing as never)],
    ['a trap as list', (journal) => journal.user(throwing as never)],
    [
      'a number of any size',
      (journal) => journal.user([{ type: 'text', text: 'x', extra: { anthropic: 5n as never } }]),
    ],
    ['what holds itself', (journal) => journal.dispatch(circle() as never)],
    ['a symbol', (journal) => journal.compact(Symbol('x') as never)],
    ['an endless number', (journal) => journal.rewind(Number.POSITIVE_INFINITY)],
    ['a state that is none', (journal) => journal.settle('a', undefined as never)],
    ['values over 256 levels deep', (journal) => journal.assistant({ parts: [{ ...call('x'), args: deep(300) }] })],
    [
      'values deeper than the stack',
      (journal) => journal.assistant({ parts: [{ ...call('x'), args: deep(100_000) }] }),
    ],
  ]
  it.each(refused)('and is %s rejects, and the journal goes on', async (_what, write) => {
    for (const reasoning of ['keep', 'drop'] as const) {
      const store = memoryStore()
      await using(
        store,
        async (journal) => {
          await journal.user('before')
          let writing: Promise<unknown> | undefined
          expect(() => {
            writing = write(journal)
          }).not.toThrow()
          expect(await rejection(writing as Promise<unknown>)).toMatchObject({ name: 'JournalError', code: 'invalid' })
          await journal.user('behind')
        },
        { reasoning },
      )
      expect(readJournal(store.text()).session.messages).toHaveLength(2)
    }
  })

  it('may hold half characters, NUL, line ends of all kinds and the names of Object.prototype', async () => {
    const odd = [
      '\ud800',
      '\udc00x',
      '\0',
      '\n\r\u2028\u2029\u0018 ',
      '__proto__',
      'constructor',
      'toString',
      ' \n',
      '\0\n',
    ]
    const args = JSON.parse('{"__proto__":{"x":1},"constructor":"\\ud800\\u0000"}')
    const path = newPath()
    const write = async (journal: Journal): Promise<void> => {
      for (const id of odd) {
        await journal.beginTurn(id)
        await journal.user(id)
        await journal.assistant({ parts: [{ type: 'tool-call', id, name: id, args, state: { status: 'pending' } }] })
        await journal.dispatch({ id, name: id, args })
        await journal.settle(id, done(id))
        await journal.endTurn(id, 'completed')
      }
    }
    const before = await using(path, async (journal) => {
      await write(journal)
      return journal.session()
    })
    await using(path, (journal) => {
      expect(journal.opened.tornTail).toBeUndefined()
      expect(journal.session()).toEqual(before)
      expect(journal.turns().map(({ id }) => id)).toEqual(odd)
    })
    expect(statesOf(before)).toEqual(odd.map(done))
    expect(readJournal(Buffer.from(bytes(path))).session.messages).toEqual(before.messages)
    expect(JSON.stringify(before.messages[1]?.parts[0])).toContain('"__proto__":{"x":1}')
  })

  it('is told by the clock that there is; a clock without a time is no clock', async () => {
    const clocks: readonly (() => unknown)[] = [() => Number.NaN, () => 9e15, () => 'noon', () => circle(), throws]
    for (const clock of clocks) {
      const options = { now: clock } as unknown as JournalOptions
      expect(await rejection(openJournal(memoryStore(), options))).toMatchObject({ code: 'invalid' })
      let isBroken = false
      const now = (): number => (isBroken ? (clock() as number) : 1e12)
      await using(
        memoryStore(),
        async (journal) => {
          await journal.user('before')
          isBroken = true
          expect(await rejection(journal.user('lost'))).toMatchObject({ code: 'invalid' })
          isBroken = false
          await journal.user('behind')
          expect(journal.session().messages).toHaveLength(2)
        },
        { now },
      )
    }
  })

  it('may be thousands of turns whose ids nobody chose', async () => {
    const turns = await using(memoryStore(), async (journal) => {
      for (let count = 0; count < 30_000; count++) await journal.acceptTurn()
      return journal.turns()
    })
    expect(turns.at(-1)?.id).toBe('turn-30000')
  }, 20_000)
})

function throws(): never {
  throw new Error('a clock that stopped')
}

function circle(): object {
  const value: Record<string, unknown> = { id: 'x', name: 'x' }
  value.args = value
  return value
}

function deep(levels: number): never {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = [value]
  return value as never
}

describe('a stream of events that are none', () => {
  const odd: readonly [string, unknown][] = [
    ['null', null],
    ['a name of Object.prototype', { type: '__proto__' }],
    ['no type', {}],
    ['a trap as text', { type: 'text', text: throwing }],
    ['a text that is none', { type: 'text' }],
    ['a number as text', { type: 'text', text: 5 }],
    ['reasoning without text', { type: 'reasoning', extra: {} }],
    ['a call without a name', { type: 'tool-call', id: 'x', args: {} }],
    ['a call whose arguments hold themselves', { type: 'tool-call', name: 'x', args: circle() }],
    ['a call whose arguments are too deep', { type: 'tool-call', name: 'x', args: deep(300) }],
    ['a call with a number as id', { type: 'tool-call', id: 5, name: 'x', args: {} }],
    ['a result of a number of any size', { type: 'tool-result', id: 'a', result: 5n }],
    ['a result of parts that are none', { type: 'tool-result', id: 'a', result: [{ type: 'x' }] }],
    ['an interjection of nothing', { type: 'interjected' }],
    ['an end with a number as reason', { type: 'aborted', reason: 5 }],
  ]
  it.each(odd)(
    'such as %s ends the capture; what came before is kept, and its calls are closed',
    async (_what, event) => {
      const store = memoryStore()
      async function* events(): AsyncGenerator<AgentEvent> {
        yield { type: 'tool-call', id: 'a', name: 'bash', args: {} }
        yield { type: 'text', text: 'half an ans' }
        yield event as AgentEvent
      }
      await using(store, async (journal) => {
        expect(await rejection(capture(events(), journal))).toBeInstanceOf(TypeError)
        await journal.user('It goes on.')
      })
      const { messages } = readJournal(store.text()).session
      expect(messages).toHaveLength(2)
      expect(messages[0]).toMatchObject({
        stop: 'aborted',
        parts: [
          { id: 'a', state: { status: 'interrupted' } },
          { type: 'text', text: 'half an ans' },
        ],
      })
    },
  )

  it('such as one that fails with whatever it likes is recorded as aborted', async () => {
    for (const failure of [undefined, null, 5, throwing, Symbol('x'), { toString: throws }]) {
      await using(memoryStore(), async (journal) => {
        async function* events(): AsyncGenerator<AgentEvent> {
          yield { type: 'text', text: 'half' }
          throw failure
        }
        let isSame = false
        try {
          await capture(events(), journal)
        } catch (error) {
          isSame = Object.is(error, failure)
        }
        expect(isSame).toBe(true)
        expect(journal.session().messages).toMatchObject([{ stop: 'aborted' }])
      })
    }
  })
})

describe('a record over the limit', () => {
  it('is told by its bytes, not its characters, and leaves the next ones alone', async () => {
    const path = newPath()
    await using(
      path,
      async (journal) => {
        for (const letter of ['x', 'é', '→', '😀', '\0', '\ud800']) {
          const error = await rejection(journal.user(letter.repeat(5000)))
          expect(error).toMatchObject({ code: 'too-large' })
          expect(JournalError.is(error)).toBe(true)
          await journal.user(letter.repeat(100))
        }
        expect(journal.session().messages).toHaveLength(6)
      },
      { maxRecordBytes: 4000 },
    )
    for (const line of bytes(path).split('\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(4000)
    await using(path, (journal) => expect(journal.session().messages).toHaveLength(6))
  })
})
