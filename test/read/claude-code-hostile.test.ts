import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import type { Message } from '../../src/model/session.ts'
import { reader } from '../../src/read/claude-code/index.ts'
import { Pieces } from '../../src/read/pieces.ts'
import type { Source } from '../../src/read/reader.ts'
import { readSource } from '../../src/read/source.ts'
import { growth, LINEAR } from '../hostile/growth.ts'
import { FULL } from '../laws/runs.ts'
import {
  callsOf,
  codes,
  jsonl,
  type Line,
  link,
  read,
  result,
  said,
  short,
  text,
  use,
  user,
} from './claude-code-lines.ts'

const WRONG: readonly unknown[] = [
  null,
  true,
  7,
  '',
  'x',
  [],
  [null],
  [[]],
  {},
  { type: {} },
  { type: 'text' },
  [{ id: 1 }],
]
const NAMES = [...Object.getOwnPropertyNames(Object.prototype), 'prototype']

/** Every kind of record and of block that the reader looks into. */
const SESSION: readonly Line[] = [
  user('u1', null, [text('ask'), { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } }]),
  said('a1', 'u1', 'm1', { type: 'thinking', thinking: 'hm', signature: 's' }),
  said('a2', 'a1', 'm1', use('A')),
  said('a3', 'a2', 'm1', { type: 'server_tool_use', id: 'P', name: 'web_search', input: {} }),
  said('a4', 'a3', 'm1', { type: 'web_search_tool_result', tool_use_id: 'P', content: [] }),
  result('r1', 'a4', 'A', [text('out'), { type: 'tool_reference', tool_name: 't' }], { is_error: true }),
  link('attachment', 't1', 'r1', { attachment: { type: 'queued_command', prompt: 'more', commandMode: 'prompt' } }),
  link('attachment', 't2', 't1', {
    attachment: { type: 'file', filename: 'f', content: { type: 'text', file: { content: 'c', filePath: 'f' } } },
  }),
  link('system', 'b1', null, {
    subtype: 'compact_boundary',
    logicalParentUuid: 't2',
    compactMetadata: {
      preservedMessages: { anchorUuid: 's1', uuids: ['a1'], allUuids: ['a1'] },
      preservedSegment: { headUuid: 'a1', anchorUuid: 's1', tailUuid: 'a2' },
    },
  }),
  user('s1', 'b1', 'so far', { isCompactSummary: true }),
  said('a5', 's1', 'm2', text('reply'), { forkedFrom: { sessionId: 'o', messageUuid: 'u' }, agentId: 'g' }),
  { type: 'summary', summary: 'title', leafUuid: 'a5' },
  { type: 'custom-title', customTitle: 'mine', sessionId: 'S' },
]

/** The value with one place changed, once for each place. */
function* damaged(value: unknown, wrong: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    const inner = (value as Line)[key]
    const put = (changed: unknown): unknown =>
      Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed }
    yield put(wrong)
    for (const changed of damaged(inner, wrong)) yield put(changed)
  }
}

/** The session with one wrong value in each place; of all values every third only, unless all is to be tried. */
function* damagedSessions(): Generator<{ readonly lines: readonly Line[]; readonly line: Line }> {
  let place = 0
  for (const wrong of [...WRONG, ...(FULL ? NAMES : NAMES.slice(0, 2))]) {
    for (const [index, line] of SESSION.entries()) {
      for (const bad of damaged(line, wrong))
        if (FULL || place++ % 3 === 0) yield { lines: SESSION.with(index, bad as Line), line }
    }
  }
}

describe('wrong types', () => {
  it('in any field cost no other record', () => {
    let tried = 0
    for (const { lines, line } of damagedSessions()) {
      tried++
      for (const history of ['active', 'full'] as const) {
        const { session } = read(lines, { history })
        // The last reply hangs on nothing but its own record.
        if (line !== SESSION[10]) expect(short(session.messages).join('\n')).toContain('reply')
      }
    }
    console.info(`claude-code: ${tried} damaged sessions`)
    expect(tried).toBeGreaterThan(400)
  })

  it('of whole lines are reported', () => {
    const found = read(`[1]\n{}\n{"type":3}\n${jsonl([user('u1', null, 'hi')])}`)
    expect(short(found.session.messages)).toEqual(['user: hi'])
    expect(codes(found)).toEqual(['record-invalid', 'record-invalid', 'record-invalid'])
  })

  it('of messages and blocks are reported', () => {
    const found = read([
      user('u1', null, 'hi'),
      link('user', 'u2', 'u1', { message: 7 }),
      said('a1', 'u2', 'm1', { type: 'text', text: 7 }),
      said('a2', 'a1', 'm2', 'plain'),
      said('a3', 'a2', 'm3', 9),
    ])
    expect(short(found.session.messages)).toEqual(['user: hi', 'assistant: plain'])
    expect(codes(found)).toEqual(['record-invalid', 'part-invalid', 'part-invalid'])
  })

  it('of everything are a ReadError', () => {
    expect(() => read('{"a":1}\n{"b":2}\n')).toThrow(ReadError)
  })
})

describe('names of Object.prototype', () => {
  it.each(NAMES)('%s is an id like any other', (name) => {
    const found = read([
      user(name, null, 'ask'),
      said('a1', name, name, use(name, name)),
      result('r1', 'a1', name, 'out'),
    ])
    expect(short(found.session.messages)).toEqual(['user: ask', `assistant: ${name}=completed:out`])
    expect(codes(found)).toEqual([])
  })

  it.each(NAMES)('%s is an unknown type', (name) => {
    const found = read([
      { type: name, uuid: 'x', parentUuid: null, sessionId: 'S' },
      user('u1', null, [{ type: name }, text('ask')]),
      said('a1', 'u1', 'm1', { type: name, id: name }),
      link('attachment', 't1', 'a1', { attachment: { type: name } }),
      said('a2', 't1', 'm2', text('reply')),
    ])
    expect(short(found.session.messages)).toEqual(['user: native, ask', 'assistant: native', 'assistant: reply'])
    expect(codes(found)).toEqual(['record-unknown', 'record-unknown'])
  })

  it('as keys of arguments stay what they are', () => {
    const input = JSON.parse('{"__proto__":{"x":1},"constructor":2,"toString":3}') as Line
    const block = { type: 'tool_use', id: 'A', name: 'Bash', input }
    const { session } = read([user('u1', null, 'ask'), said('a1', 'u1', 'm1', block)])
    expect(JSON.stringify(callsOf(session.messages)[0]?.args)).toBe(
      '{"__proto__":{"x":1},"constructor":2,"toString":3}',
    )
  })
})

describe('cuts', () => {
  it('at any character keep all whole records', () => {
    const whole = jsonl(SESSION)
    const starts = [...whole.matchAll(/\n/g)].map((found) => found.index)
    for (let end = 0; end < whole.length; end += FULL ? 1 : 3) {
      const cut = whole.slice(0, end)
      const records = starts.filter((newline) => newline < end || newline === end).length
      try {
        const { session } = read(cut, { history: 'full' })
        const want = read(SESSION.slice(0, records), { history: 'full' }).session.messages
        expect(short(session.messages)).toEqual(short(want))
      } catch (error) {
        expect(ReadError.is(error)).toBe(true)
        expect(records).toBe(0)
      }
    }
  })
})

describe('sizes', () => {
  const count = FULL ? 100_000 : 4096
  const chain =
    (line: (uuid: string, parent: string | null, index: number, length: number) => Line) =>
    (length: number): Line[] =>
      Array.from({ length }, (_, index) => line(`x${index}`, index === 0 ? null : `x${index - 1}`, index, length))
  const out = (id: string): Line => ({ type: 'tool_result', tool_use_id: id, content: 'out' })
  /** A message with two calls for each number, and what answers them. */
  const asked = (length: number, answers: (numbers: readonly number[]) => Line[]): Line[] => {
    const numbers = Array.from({ length: length / 2 }, (_, number) => number)
    const calls = numbers.flatMap((number) => [use(`A${number}`), use(`B${number}`)])
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'claude-opus-4-6', content: calls }
    return [user('u', null, 'hi'), link('assistant', 'a', 'u', { message }), ...answers(numbers)]
  }

  it.each<[string, (count: number) => Line[], (messages: readonly Message[]) => void]>([
    ['prompts', chain((uuid, parent) => user(uuid, parent, 'hi')), (messages) => expect(messages).toHaveLength(count)],
    [
      'lines of one message',
      chain((uuid, parent, index) => said(uuid, parent, 'm', use(`A${index}`))),
      (messages) => expect(messages[0]?.parts).toHaveLength(count),
    ],
    [
      'progress records',
      chain((uuid, parent, index) =>
        index === 0 ? user(uuid, parent, 'hi') : link('progress', uuid, parent, { data: {} }),
      ),
      (messages) => expect(messages).toHaveLength(1),
    ],
    [
      'branches of one record',
      chain((uuid, parent, index) => user(uuid, parent === null ? null : 'x0', `hi ${index}`)),
      (messages) => expect(messages).toHaveLength(2),
    ],
    [
      'calls and results of one id off the chain',
      chain((uuid, _, index) =>
        index % 2 === 0
          ? said(uuid, index === 0 ? null : `x${index - 2}`, `m${index}`, use('same'))
          : result(uuid, 'x0', 'same', 'out'),
      ),
      (messages) => expect(messages).toHaveLength(count / 2),
    ],
    [
      'records that are their own parents',
      chain((uuid) => user(uuid, uuid, 'hi')),
      (messages) => expect(messages).toHaveLength(count),
    ],
    [
      'a circle of progress records',
      (length) => [
        ...chain((uuid, _, index) => link('progress', uuid, `x${(index + 1) % length}`, { data: {} }))(length),
        user('u1', 'x5', 'hi'),
      ],
      (messages) => expect(messages).toHaveLength(1),
    ],
    [
      'compactions',
      chain((uuid, parent, index) =>
        index % 2 === 0
          ? link('system', uuid, null, { subtype: 'compact_boundary', logicalParentUuid: parent })
          : user(uuid, parent, 'so far', { isCompactSummary: true }),
      ),
      (messages) => expect(messages).toHaveLength(1),
    ],
    [
      'results in two records off the chain, taken in turn',
      (length) =>
        asked(length, (numbers) => [
          user(
            'ra',
            'a',
            numbers.map((number) => out(`A${number}`)),
          ),
          user(
            'rb',
            'a',
            numbers.map((number) => out(`B${number}`)),
          ),
          user('e', 'a', 'next'),
        ]),
      (messages) => expect(messages).toHaveLength(3),
    ],
    [
      'results on and off the chain, in turn',
      (length) =>
        asked(length, (numbers) =>
          numbers.flatMap((number) => [
            user(`o${number}`, 'a', [out(`A${number}`)]),
            user(`c${number}`, number === 0 ? 'a' : `c${number - 1}`, [out(`B${number}`)]),
          ]),
        ),
      (messages) => expect(messages).toHaveLength(2),
    ],
  ])('so many %s are read in linear time', async (_, lines, expectation) => {
    expectation(read(lines(count)).session.messages)
    expect(await growth(count, (fewer) => read(lines(fewer)))).toBeLessThan(LINEAR)
    const unheld = (fewer: number): Source =>
      readSource(Pieces.of(new TextEncoder().encode(jsonl(lines(fewer))), { held: 0 }))
    expect(await growth(count / 4, (fewer) => reader.read(unheld(fewer), {}))).toBeLessThan(LINEAR)
  })

  it('very many records in a row', () => {
    const lines = Array.from({ length: count }, (_, index) =>
      user(`x${index}`, index === 0 ? null : `x${index - 1}`, 'hi'),
    )
    expect(read(lines).session.messages).toHaveLength(count)
    expect(read(lines, { history: 'full' }).session.messages).toHaveLength(count)
  })

  it('a value nested 100,000 levels deep is kept as text', () => {
    const deep = `${'['.repeat(100_000)}1${']'.repeat(100_000)}`
    const line = JSON.stringify(said('a1', 'u1', 'm1', { type: 'tool_use', id: 'A', name: 'Bash', input: { deep: 0 } }))
    const found = read(`${jsonl([user('u1', null, 'hi')])}${line.replace('"deep":0', `"deep":${deep}`)}\n`)
    expect(callsOf(found.session.messages)[0]?.args).toBe(`{"deep":${deep}}`)
    expect(codes(found)).toContain('value-too-deep')
  })
})
