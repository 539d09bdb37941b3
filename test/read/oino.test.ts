import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { parseSession } from '../../src/model/schema.ts'
import { reader } from '../../src/read/oino/index.ts'
import type { ReadOptions } from '../../src/read/reader.ts'
import { readSource } from '../../src/read/source.ts'
import { FULL } from '../laws/runs.ts'
import { callsOf, codes, firstAssistant, short } from './claude-code-lines.ts'
import { batter, batterValues, damagedLines, jsonl, type Line, PROTOTYPE_NAMES, survives } from './hostile.ts'
import * as pi from './pi-lines.ts'

function read(lines: readonly Line[] | string, options: ReadOptions = {}) {
  const source = readSource(typeof lines === 'string' ? lines : jsonl(lines))
  const found = reader.read(source, options)
  expect(parseSession(found.session)).toBe(found.session)
  return { ...found, changes: [...source.changes, ...found.changes] }
}
const shown = (lines: readonly Line[], options: ReadOptions = {}): string[] =>
  short(read(lines, options).session.messages)
const statesOf = (lines: readonly Line[]): unknown[] => callsOf(read(lines).session.messages).map(({ state }) => state)

describe("in pi's form", () => {
  const noted = (id: string, parent: string, customType: string, data: unknown): Line =>
    pi.entry('custom', id, parent, { customType, data })
  const asked = [
    pi.header(),
    pi.user('u', null, 'go'),
    pi.said('a', 'u', [pi.call('A'), pi.call('B')], { stopReason: 'toolUse' }),
  ]
  const dispatched = noted('d', 'a', 'oino.dispatch', { toolCallId: 'A', toolName: 'bash', input: {}, readOnly: false })

  it('a call that was dispatched may have taken effect, one that was not has not', () => {
    expect(statesOf([...asked, dispatched])).toEqual([
      { status: 'interrupted', dispatched: true },
      { status: 'interrupted', dispatched: false },
    ])
    expect(read([...asked, dispatched]).session.source).toEqual({ format: 'oino', version: '3' })
  })

  it('without any record of dispatch nothing is known', () => {
    expect(statesOf(asked)).toEqual([{ status: 'interrupted' }, { status: 'interrupted' }])
    // Nor where a record names a call that is not there.
    expect(statesOf([...asked, noted('d', 'a', 'oino.dispatch', { toolCallId: 'X' })])).toEqual([
      { status: 'interrupted' },
      { status: 'interrupted' },
    ])
  })

  it('a result says more than its dispatch', () => {
    expect(statesOf([...asked, dispatched, pi.result('r', 'd', 'A', 'out')])).toEqual([
      { status: 'completed', result: 'out' },
      { status: 'interrupted', dispatched: false },
    ])
  })

  it('a writer that notes what it dispatches did not start what it did not note', () => {
    const later = [
      ...asked,
      dispatched,
      pi.result('r', 'd', 'A', 'out'),
      pi.said('b', 'r', [pi.call('C')], { stopReason: 'toolUse' }),
    ]
    expect(statesOf(later).at(-1)).toEqual({ status: 'interrupted', dispatched: false })
  })

  it.each<[string, unknown]>([
    ['tool_dispatch', { tool_call_id: 'A' }],
    ['oino:dispatched', { call_id: 'A', read_only: true }],
    ['dispatch', { id: 'A', name: 'bash' }],
    ['toolDispatch', { toolCall: { id: 'A' } }],
  ])('records of the name %s are known too', (customType, data) => {
    expect(statesOf([...asked, noted('d', 'a', customType, data)])[0]).toEqual({
      status: 'interrupted',
      dispatched: true,
    })
  })

  const closers = [
    pi.result('c1', 'd', 'A', [pi.text('The outcome is unknown.')], { isError: true }),
    pi.result('c2', 'c1', 'B', [pi.text('It never started.')], { isError: true }),
  ]

  it.each<[string, unknown]>([
    ['ids', { closed: ['A', 'B'], tornTail: true, at: 'now' }],
    ['calls', { closed: [{ toolCallId: 'A' }, { id: 'B' }] }],
    ['the entries that were added', { results: ['c1', 'c2'] }],
  ])('what a repair closed is as open as before: %s', (_what, data) => {
    const found = read([...asked, dispatched, ...closers, noted('p', 'c2', 'oino.repair', data)])
    expect(callsOf(found.session.messages).map(({ state }) => state)).toEqual([
      { status: 'interrupted', dispatched: true },
      { status: 'interrupted', dispatched: false },
    ])
    const late = pi.result('r', 'p', 'A', 'real')
    const real = read([...asked, dispatched, ...closers, noted('p', 'c2', 'oino.repair', data), late])
    expect(callsOf(real.session.messages)[0]?.state).toEqual({ status: 'completed', result: 'real' })
    expect(codes(real)).toContain('synthetic-result-replaced')
  })

  it('a repair may say itself which calls had been started', () => {
    const data = {
      closed: [
        { id: 'A', dispatched: true },
        { id: 'B', dispatched: false },
      ],
    }
    const lines = [
      ...asked,
      pi.result('c1', 'a', 'A', 'x', { isError: true }),
      pi.result('c2', 'c1', 'B', 'x', { isError: true }),
    ]
    expect(statesOf([...lines, noted('p', 'c2', 'repair', data)])).toEqual([
      { status: 'interrupted', dispatched: true },
      { status: 'interrupted', dispatched: false },
    ])
  })

  it('an error that no repair made is one', () => {
    expect(statesOf([...asked, dispatched, closers[0]!])[0]).toMatchObject({ status: 'failed' })
  })

  it('is told from pi by its records', () => {
    const score = (lines: readonly Line[]): number => reader.detect(readSource(jsonl(lines)))
    expect(score([...asked, dispatched])).toBeGreaterThan(0.96)
    expect(score(asked)).toBe(0)
    expect(score([...asked, noted('d', 'a', 'my-extension', { id: 'A' })])).toBe(0)
  })
})

const HEAD = { version: 1, session_id: 'S', name: 'n', cwd: '/w' }
const header = (leaf_id: unknown, fields: Line = {}): Line => ({
  record: 'header',
  header: { ...HEAD, ...fields },
  leaf_id,
})
const entry = (id: string, parent: string | null, kind: string, fields: Line): Line => ({
  record: 'entry',
  entry: { id, parent, kind: { kind, ...fields } },
})
const message = (id: string, parent: string | null, kind: string, fields: Line): Line =>
  entry(id, parent, 'message', { message: { kind, id: `m-${id}`, ...fields } })
const text = (value: string): Line => ({ kind: 'text', text: value })
const call = (id: string, args: unknown = { command: id }): Line => ({
  kind: 'tool_call',
  id,
  name: 'bash',
  arguments: args,
})
const user = (id: string, parent: string | null, value: string): Line =>
  message(id, parent, 'user', { content: [text(value)] })
const said = (id: string, parent: string | null, content: unknown, fields: Line = {}): Line =>
  message(id, parent, 'assistant', { content, stop_reason: 'end_turn', usage: null, provider: null, ...fields })
const result = (id: string, parent: string, tool_call_id: string, value: string, is_error = false): Line =>
  message(id, parent, 'tool_result', {
    tool_call_id,
    tool_name: 'bash',
    content: [text(value)],
    is_error,
    details: null,
  })
const out = (value: string): string => JSON.stringify([{ type: 'text', text: value }])

describe('in its own form', () => {
  // In the order of random ids.
  const lines = [
    header('f'),
    said('c', 'b', [{ kind: 'thinking', text: 'hm', redacted: false }, text('I look.'), call('A'), call('B')], {
      stop_reason: 'tool_use',
    }),
    result('e', 'd', 'B', 'b', true),
    user('a', null, 'ask'),
    user('x', 'a', 'elsewhere'),
    said('f', 'e', [text('Done.')]),
    result('d', 'c', 'A', 'a'),
    entry('b', 'a', 'model_change', { model: { provider: 'openrouter', name: 'kimi', metadata: null } }),
  ]

  it('is rebuilt by its parents', () => {
    const { session, branches, changes } = read(lines)
    expect(short(session.messages)).toEqual([
      'user: ask',
      `assistant: [hm], I look., A=completed:${out('a')}, B=failed:${out('b')}`,
      'assistant: Done.',
    ])
    expect(session).toMatchObject({ id: 'S', title: 'n', cwd: '/w', source: { format: 'oino', version: '1' } })
    expect(firstAssistant(session.messages)).toMatchObject({
      id: 'c',
      by: { provider: 'openrouter', model: 'kimi' },
      stop: 'tool-calls',
    })
    expect(branches).toEqual([{ leaf: 'x', root: 'x', parent: 'a', messages: 1, preview: 'elsewhere' }])
    expect(changes.map(({ code }) => code)).toEqual(['branch-left-out'])
    expect(shown(lines, { leaf: 'x' })).toEqual(['user: ask', 'user: elsewhere'])
    expect(() => read(lines, { leaf: 'nowhere' })).toThrow('nowhere')
  })

  it('may be empty, or have lost its header', () => {
    expect(read([header(null), ...lines.slice(1)]).session.messages).toEqual([])
    for (const lost of [lines.slice(1), [header('gone'), ...lines.slice(1)]]) {
      const found = read(lost)
      expect(short(found.session.messages)).toHaveLength(3)
      expect(codes(found)).toContain('history-truncated')
    }
    expect(() => read([{ a: 1 }, { b: 2 }])).toThrow(ReadError)
  })

  it('goes on at the only other branch where a record is lost', () => {
    const main = lines.filter((line) => (line.entry as Line | undefined)?.id !== 'x')
    const torn = read(main.filter((line) => (line.entry as Line | undefined)?.id !== 'c'))
    expect(short(torn.session.messages)).toEqual(['user: ask', 'assistant: Done.'])
    expect(codes(torn)).toEqual(['history-truncated', 'orphan-result', 'orphan-result'])
  })

  it('ends where a parent is not stored, and in no circle', () => {
    const torn = read(lines.filter((line) => (line.entry as Line | undefined)?.id !== 'a'))
    // Which of the two that lost it came first, nobody knows.
    expect(short(torn.session.messages)[0]).toContain('I look.')
    expect(codes(torn)).toEqual(['history-truncated', 'branch-left-out'])
    expect(shown([header('a'), user('a', 'b', 'one'), user('b', 'a', 'two')])).toEqual(['user: two', 'user: one'])
  })

  it('is replaced by a compaction', () => {
    const more = [
      entry('g', 'f', 'compaction', { summary: 'So far', replaces: ['a'] }),
      said('h', 'g', [text('On.')]),
      entry('i', 'h', 'branch_summary', { summary: 'Tried' }),
    ]
    const all = [header('i'), ...lines.slice(1), ...more]
    const found = read(all)
    expect(short(found.session.messages)).toEqual(['summary: So far', 'assistant: On.', 'summary: Tried'])
    expect(firstAssistant(found.session.messages).by?.model).toBe('kimi')
    expect(codes(found)).toEqual(['compaction-applied', 'branch-left-out'])
    const full = shown(all, { history: 'full' })
    expect(full).toHaveLength(5)
    expect(full.join()).not.toContain('So far')
  })

  it.each(['aborted', 'error', 'length'])('did not run what an answer calls that ended by %s', (stop_reason) => {
    const broken = [header('b'), user('a', null, 'go'), said('b', 'a', [call('A', '{"comm')], { stop_reason })]
    expect(callsOf(read(broken).session.messages)).toEqual([
      { type: 'tool-call', id: 'A', name: 'bash', args: '{"comm', state: { status: 'interrupted', dispatched: false } },
    ])
  })

  it('leaves the outcome of other open calls unknown', () => {
    const crashed = [header('b'), user('a', null, 'go'), said('b', 'a', [call('A')], { stop_reason: 'tool_use' })]
    expect(statesOf(crashed)).toEqual([{ status: 'interrupted' }])
    const noted = entry('d', 'b', 'custom', { name: 'dispatch', payload: { tool_call_id: 'A' } })
    expect(statesOf([header('d'), ...crashed.slice(1), noted])).toEqual([{ status: 'interrupted', dispatched: true }])
  })

  it('has messages of its own, which the model sees or not', () => {
    const custom = (id: string, parent: string | null, model_visible: boolean, payload: unknown): Line =>
      entry(id, parent, 'custom_message', { message: { kind: 'custom', id, name: 'n', payload, model_visible } })
    const found = read([
      header('d'),
      custom('a', null, true, { text: 'Careful.' }),
      custom('b', 'a', false, 'hidden'),
      custom('c', 'b', true, { n: 1 }),
      message('d', 'c', 'compaction_summary', { summary: 'So far' }),
    ])
    expect(short(found.session.messages)).toEqual(['injected: Careful.', 'injected: {"n":1}', 'summary: So far'])
    expect(codes(found)).toEqual(['message-left-out'])
  })
})

describe('damage', () => {
  const LINES: readonly Line[] = [
    header('h'),
    said('c', 'b', [{ kind: 'thinking', text: 'hm', redacted: true }, text('I look.'), call('A')], {
      usage: { input_tokens: 1 },
      provider: 'p',
    }),
    user('a', null, 'ask'),
    entry('b', 'a', 'model_change', { model: { provider: 'p', name: 'm' } }),
    result('d', 'c', 'A', 'found'),
    entry('e', 'd', 'custom', { name: 'dispatch', payload: { id: 'A' } }),
    entry('f', 'e', 'extension_custom', { entry: { name: 'repair', payload: { closed: ['A'] } } }),
    entry('g', 'f', 'session_info', { name: 'x', cwd: null }),
    said('h', 'g', [text('reply')]),
  ]

  it('of bytes is survived', () => {
    batter(reader, jsonl(LINES))
  })

  it('of values is survived', () => {
    const runs = batterValues(reader, LINES, FULL ? [{}, { history: 'full' }, { leaf: 'd' }] : [{}])
    expect(runs).toBeGreaterThan(300)
  })

  it('of what a record holds costs no other', () => {
    const words = ['I look.', 'ask', 'reply']
    const places = [1, 2, 8]
    for (const { lines, index } of damagedLines(LINES, ['record', 'entry', 'leaf_id'])) {
      const found = JSON.stringify(survives(reader, jsonl(lines))?.session.messages)
      expect(words.filter((word, place) => places[place] !== index && !found.includes(word))).toEqual([])
    }
    for (const bad of [7, null, [], {}, { kind: 7 }, { message: 7 }, { kind: 'user' }, { kind: 'user', content: 7 }]) {
      const lines = LINES.with(2, entry('a', null, 'message', { message: bad }))
      expect(shown(lines).at(-1)).toBe('assistant: reply')
    }
  })

  it.each(PROTOTYPE_NAMES)('%s is an id and a name like any other', (name) => {
    const found = read([
      header('z'),
      user(name, null, 'ask'),
      said('a', name, [call(name), { kind: name }], { stop_reason: name }),
      result('r', 'a', name, 'out'),
      entry('y', 'r', name, { [name]: 1 }),
      message('z', 'y', name, {}),
    ])
    expect(short(found.session.messages)).toEqual(['user: ask', `assistant: ${name}=completed:${out('out')}`])
    expect(codes(found)).toEqual(['record-unknown', 'part-invalid', 'record-invalid'])
  })
})
