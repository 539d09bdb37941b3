import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { detectFormat, readSession } from '../../src/read/index.ts'
import type { ClosedCall, JournalEntry } from '../../src/read/journal/record.ts'
import type { ReadResult } from '../../src/read/reader.ts'
import { growth, LINEAR } from '../hostile/growth.ts'
import { assistant, call, dispatch, head, lines, records, settle, text, user } from '../journal/records.ts'

const read = (source: string, options: object = {}): ReadResult =>
  readSession(source, { format: 'journal', ...options })
const codes = ({ changes }: ReadResult): string[] => changes.map(({ code }) => code)
const texts = ({ session }: ReadResult): string[] =>
  session.messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('+'))
const states = ({ session }: ReadResult): unknown[] =>
  session.messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [part.state] : [])))

describe('the reader of journals', () => {
  it('knows a journal by any of its lines', () => {
    for (const record of records(head, user('hi'), { type: 'rewind', keep: 0 }))
      expect(detectFormat(`${JSON.stringify(record)}\n`)).toBe('journal')
    expect(detectFormat('{"type":"message","message":{"role":"user","content":"hi"}}\n')).not.toBe('journal')
    expect(detectFormat('{"journal":"diary","type":"user","seq":0}\n')).not.toBe('journal')
  })

  it('reads the session with the outcomes of its calls', () => {
    const result = read(
      lines(
        head,
        user('go'),
        assistant(text('I run it.'), call('a')),
        dispatch('a'),
        settle('a', 'done'),
        user('thanks'),
      ),
    )
    expect(result.format).toBe('journal')
    expect(result.changes).toEqual([])
    expect(result.session).toMatchObject({ version: 1, id: 's1', title: 'A session', source: { format: 'journal' } })
    expect(texts(result)).toEqual(['go', 'I run it.+tool-call', 'thanks'])
    expect(states(result)).toEqual([{ status: 'completed', result: 'done' }])
  })

  it('tells where results came in another order than the calls', () => {
    const { session } = read(lines(assistant(call('a'), call('b')), settle('b', 'second'), settle('a', 'first')))
    expect(session.messages[0]?.parts).toMatchObject([
      { id: 'a', resultOrder: 1, state: { result: 'first' } },
      { id: 'b', resultOrder: 0, state: { result: 'second' } },
    ])
  })

  it('takes open calls for interrupted: dispatched, never started, or waiting for approval', () => {
    const result = read(
      lines(
        assistant(
          call('ran'),
          call('not'),
          call('ask', { status: 'pending', reason: 'approval' }),
          call('caught', { status: 'interrupted' }),
          { ...call('theirs'), executor: 'provider' },
        ),
        dispatch('ran'),
      ),
    )
    expect(states(result)).toEqual([
      { status: 'interrupted', dispatched: true },
      { status: 'interrupted', dispatched: false },
      { status: 'pending', reason: 'approval' },
      { status: 'interrupted' },
      { status: 'pending' },
    ])
    expect(codes(result)).toEqual(['call-unfinished', 'call-unfinished', 'call-unfinished'])
    expect(result.changes[0]?.at).toEqual({ message: 0, part: 0, callId: 'ran' })
  })

  it('does not say that a call never started of a tool that runs without being dispatched', () => {
    const result = read(
      lines(assistant(call('a')), settle('a', 'done'), assistant(call('b'), call('c', undefined, 'rm'))),
    )
    expect(states(result).slice(1)).toEqual([{ status: 'interrupted' }, { status: 'interrupted', dispatched: false }])
  })

  it('lets a late real result take the place of a closer, and nothing else', () => {
    const result = read(
      lines(
        assistant(call('a')),
        dispatch('a'),
        { type: 'repair', closed: [{ id: 'a', call: 0, dispatched: true }], turns: [] },
        settle('a', 'late'),
        settle('a', 'again'),
        settle('nobody', 'stray'),
      ),
    )
    expect(states(result)).toEqual([{ status: 'completed', result: 'late' }])
    expect(codes(result)).toEqual(['duplicate-result', 'orphan-result'])
    expect(result.changes[0]?.at.line).toBe(5)
  })

  it('skips what is damaged and reports it, wherever it stands', () => {
    const [first, second, third] = records(user('one'), user('two'), user('three')).map((record) =>
      JSON.stringify(record),
    )
    const result = read(
      `${first}\n${second?.slice(0, 40)}\u0018\n${third}\n{"journal":1,"seq":3,"type":"message"}\n{"journal":1,"seq`,
    )
    expect(texts(result)).toEqual(['one', 'three'])
    expect(codes(result)).toEqual(['line-unreadable', 'line-torn', 'history-truncated', 'record-invalid'])
  })

  it('skips records of unknown kinds and versions, and of other formats', () => {
    const result = read(
      `${lines(user('one'))}{"journal":1,"seq":1,"at":"","type":"dream"}\n{"journal":2,"seq":2,"at":"","type":"message"}\n{"type":"message"}\n`,
    )
    expect(texts(result)).toEqual(['one'])
    expect(codes(result)).toEqual(['record-unknown', 'record-unknown', 'record-unknown'])
  })

  it('joins what was recorded as the rest of a message', () => {
    const rest = { ...assistant(call('b')), joins: true }
    const result = read(lines(assistant(text('both'), call('a')), rest, settle('b', 'B'), settle('a', 'A'), rest))
    expect(texts(result)).toEqual(['both+tool-call+tool-call', 'tool-call'])
    expect(states(result)).toMatchObject([{ result: 'A' }, { result: 'B' }, { status: 'interrupted' }])
  })

  it('gives turns and usage in the slot of the journal', () => {
    const { session } = read(
      lines(
        {
          type: 'session',
          session: { extra: { dirge: { permission_allowlist: [{ tool: 'bash', pattern: 'ls *' }] } } },
        },
        { type: 'turn', id: 't1', stage: 'started' },
        { type: 'usage', usage: { inputTokens: 5, outputTokens: 1 }, context: { used: 6, max: 100 } },
        assistant(text('Done.')),
        { type: 'turn', id: 't1', stage: 'completed' },
        { type: 'usage', usage: { inputTokens: 7 } },
      ),
    )
    expect(session.extra).toEqual({
      dirge: { permission_allowlist: [{ tool: 'bash', pattern: 'ls *' }] },
      journal: {
        turns: [{ id: 't1', stage: 'completed', result: 'Done.', usage: { inputTokens: 5, outputTokens: 1 } }],
        usage: { inputTokens: 12, outputTokens: 1 },
        context: { used: 6, max: 100 },
      },
    })
  })

  it('throws when there is no record at all', () => {
    expect(() => read('{"journal":9,"seq":0,"type":"message"}\n')).toThrow(ReadError)
  })
})

describe('compactions and branches of a journal', () => {
  const source = lines(
    user('one'),
    assistant(text('two')),
    user('three'),
    { type: 'compaction', parts: [{ type: 'text', text: 'summary' }], keep: 1 },
    assistant(text('four')),
    { type: 'rewind', keep: 2 },
    user('five'),
  )

  it('are applied, reported, and read in full when asked', () => {
    const active = read(source)
    expect(texts(active)).toEqual(['summary', 'three', 'five'])
    expect(active.session.messages[0]).toMatchObject({ role: 'user', kind: 'summary' })
    expect(codes(active)).toEqual(['branch-left-out', 'compaction-applied'])
    expect(texts(read(source, { history: 'full' }))).toEqual(['one', 'two', 'three', 'five'])
  })

  it('D7: a branch is told with its root, its parent, its length and a preview, and read by its leaf', () => {
    const { branches } = read(source)
    expect(branches).toEqual([{ leaf: 'm4', root: 'm4', parent: 'm2', messages: 1, preview: 'four' }])
    const other = read(source, { leaf: 'm4' })
    expect(texts(other)).toEqual(['summary', 'three', 'four'])
    expect(other.branches).toEqual([{ leaf: 'm6', root: 'm6', parent: 'm2', messages: 1, preview: 'five' }])
    expect(texts(read(source, { leaf: 'm1' }))).toEqual(['one', 'two'])
    expect(() => read(source, { leaf: 'none' })).toThrow(ReadError)
  })

  it('closes no call of a branch that is not taken', () => {
    const result = read(lines(user('a'), assistant(call('lost')), { type: 'rewind', keep: 1 }, user('b')))
    expect(texts(result)).toEqual(['a', 'b'])
    expect(codes(result)).toEqual(['branch-left-out'])
  })

  it('takes no summary or rewind of more messages than there are', () => {
    const result = read(lines(user('a'), { type: 'rewind', keep: 2 }, { type: 'compaction', parts: [], keep: 2 }))
    expect(texts(result)).toEqual(['a'])
    expect(codes(result)).toEqual(['record-invalid', 'record-invalid'])
  })

  it('costs no more than its records, however often it is rewound', async () => {
    const rewinds = (count: number): void => {
      const many = Array.from({ length: count }, (_, index) => user(`m${index}`))
      const back = Array.from({ length: count }, (_, index) => [
        { type: 'compaction', parts: [], keep: 0 } as const,
        { type: 'rewind', keep: index % 2 } as const,
        user('again'),
      ])
      read(lines(...many, ...back.flat()))
    }
    expect(await growth(16_384, rewinds)).toBeLessThan(LINEAR)
  })
})

describe('hostile journals', () => {
  const hostile = ['constructor', '__proto__', 'toString', 'hasOwnProperty']

  it('may use the names of Object.prototype as ids, names and kinds', () => {
    for (const name of hostile) {
      const odd = { ...records(user('x'))[0], type: name, seq: 0 }
      const result = read(
        `${JSON.stringify(odd)}\n${lines(assistant(call(name, undefined, name)), settle(name, 'done'), { type: 'turn', id: name, stage: 'started' })}`,
      )
      expect(states(result)).toEqual([{ status: 'completed', result: 'done' }])
    }
  })

  it('may nest values deeply', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const line = `{"journal":1,"seq":0,"at":"","type":"dispatch","call":{"id":"a","name":"b","args":${deep}}}`
    expect(codes(read(`${line}\n${lines(user('a'), user('b')).split('\n')[1]}\n`))).toContain('record-invalid')
  })

  it('may settle very many calls of one id', async () => {
    const settles = (count: number): void => {
      const calls = Array.from({ length: count / 64 }, () => assistant(...Array.from({ length: 64 }, () => call('x'))))
      const results = Array.from({ length: count }, (_, index) => settle('x', `${index}`))
      expect(codes(read(lines(...calls, ...results)))).toEqual([])
    }
    expect(await growth(32_768, settles)).toBeLessThan(LINEAR)
  })
})

describe('a repair of which a part cannot be', () => {
  const crashed = [head, user('go'), assistant(call('a'), call('b')), dispatch('a')]
  const closed = { id: 'a', call: 0, dispatched: true }
  const started: JournalEntry = { type: 'turn', id: 't', stage: 'started' }
  const repair = (calls: readonly ClosedCall[], turns: readonly string[] = []): JournalEntry => ({
    type: 'repair',
    closed: calls,
    turns,
  })

  it.each([
    ['a call that never was', repair([closed, { id: 'zz', call: 9 }], ['t'])],
    ['a call twice', repair([closed, closed], ['t'])],
    ['a turn that is not begun', repair([closed], ['t', 'other'])],
    ['a turn twice', repair([closed], ['t', 't'])],
  ])('is skipped as a whole: %s', (_what, entry) => {
    const result = read(lines(...crashed, started, entry, settle('a', 'late'), user('on')))
    expect(states(result)).toEqual([
      { status: 'completed', result: 'late' },
      { status: 'interrupted', dispatched: false },
    ])
    expect(codes(result)).toEqual(['record-invalid', 'call-unfinished'])
    expect(result.session.extra?.journal).toMatchObject({ turns: [{ id: 't', stage: 'started' }] })
  })

  it('leaves no call pending that a crash cut short', () => {
    const result = read(lines(...crashed, repair([closed, { id: 'zz', call: 9 }]), user('on')))
    expect(states(result)).toEqual([
      { status: 'interrupted', dispatched: true },
      { status: 'interrupted', dispatched: false },
    ])
    expect(codes(result)).toEqual(['record-invalid', 'call-unfinished', 'call-unfinished'])
  })

  it('closes calls of one id one after the other, where lost records make their numbers wrong', () => {
    const all = records(
      head,
      assistant(call('lost')),
      assistant(call('a'), call('a')),
      repair([
        { id: 'a', call: 1 },
        { id: 'a', call: 2 },
      ]),
    )
    const text = all
      .filter(({ seq }) => seq !== 1)
      .map((record) => JSON.stringify(record))
      .join('\n')
    const result = read(text)
    expect(states(result)).toEqual([{ status: 'interrupted' }, { status: 'interrupted' }])
    expect(codes(result)).toEqual(['history-truncated'])
  })

  it('finds calls of one id fast, however many and however often', async () => {
    const repairs = (count: number): void => {
      const both = Array.from({ length: 2 }, () => ({ id: 'a', call: 9e9 }))
      const refused = Array.from({ length: count }, () => repair([...both, { id: 'b', call: 0 }]))
      const taken = Array.from({ length: count / 2 }, () => repair(both))
      const result = read(lines(assistant(...Array.from({ length: count }, () => call('a'))), ...refused, ...taken))
      expect(codes(result)).toEqual(refused.map(() => 'record-invalid'))
    }
    expect(await growth(32_768, repairs)).toBeLessThan(LINEAR)
  })
})
