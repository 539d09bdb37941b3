import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { parseSession } from '../../src/model/schema.ts'
import type { ReadOptions } from '../../src/read/reader.ts'
import { readSource } from '../../src/read/source.ts'
import { reader } from '../../src/read/zut/index.ts'
import { FULL } from '../laws/runs.ts'
import { callsOf, codes, firstAssistant, short } from './claude-code-lines.ts'
import { batter, batterValues, damagedLines, jsonl, type Line, PROTOTYPE_NAMES, survives } from './hostile.ts'

const TIME = '2026-08-01T10:00:00Z'
const meta = (fields: Line = {}): Line => ({
  type: 'meta',
  meta: { id: 'ab12', cwd: '/w', model: 'gpt-5.2', provider: 'openai', started: TIME, version: '0.9', ...fields },
})
const said = (role: string, content: unknown, fields: Line = {}): Line => ({ role, content, time: TIME, ...fields })
const row = (role: string, ...content: unknown[]): Line => ({ type: 'message', message: said(role, content) })
const text = (value: string): Line => ({ text: value })
const call = (id: string, fields: Line = {}): Line => ({ id, name: 'bash', arguments: { command: id }, ...fields })
const result = (call_id: string, value: string, is_error = false): Line => ({
  call_id,
  content: [text(value)],
  is_error,
})

function read(lines: readonly Line[] | string, options: ReadOptions = {}) {
  const source = readSource(typeof lines === 'string' ? lines : jsonl(lines))
  const found = reader.read(source, options)
  expect(parseSession(found.session)).toBe(found.session)
  return { ...found, changes: [...source.changes, ...found.changes] }
}
const shown = (lines: readonly Line[], options: ReadOptions = {}): string[] =>
  short(read(lines, options).session.messages)
const out = (value: string): string => JSON.stringify([{ type: 'text', text: value }])
const statesOf = (lines: readonly Line[]): unknown[] => callsOf(read(lines).session.messages).map(({ state }) => state)

describe('a session file', () => {
  it('says what it is about, and the newest of it', () => {
    const { session } = read([
      meta(),
      row('user', text('hi')),
      meta({ title: 'first', model: 'gpt-5.3', parent: 'p1', timezone: 'UTC' }),
      { type: 'rename', title: 'Files', generated: true },
      row('assistant', text('ho')),
      { type: 'usage', usage: {}, cumulative: {} },
      { type: 'extension_state', extension: 'x', state: 1 },
    ])
    expect(session).toMatchObject({
      id: 'ab12',
      title: 'Files',
      cwd: '/w',
      createdAt: TIME,
      source: { format: 'zut', version: '0.9' },
      parent: { id: 'p1' },
      extra: { zut: { model: 'gpt-5.3', timezone: 'UTC' } },
    })
    expect(session.messages[0]).toEqual({ role: 'user', at: TIME, parts: [{ type: 'text', text: 'hi' }] })
    expect(firstAssistant(session.messages).by).toEqual({ provider: 'openai', model: 'gpt-5.3' })
  })

  it('has blocks that are what their fields say', () => {
    const { session, changes } = read([
      meta(),
      row('user', { mime_type: 'image/png', data: 'AAAA' }, { text: '' }),
      row(
        'assistant',
        { reasoning_id: 'rs_1', summary: 'hm', encrypted_content: 'gAAA', text: 'no text' },
        { text: 'ok', thought_signature: 'QUJD' },
        { id: 'A', name: 'bash', arguments: { command: 'ls' }, call_id: 'no result', text: 'no text' },
        { arguments: [1] },
        {},
        { summary: '' },
      ),
      row('tool', {
        call_id: 'A',
        mime_type: 'no image',
        content: [text('a'), { mime_type: 'image/png', data: 'BB' }],
      }),
    ])
    expect(session.messages).toMatchObject([
      {
        parts: [
          { type: 'media', kind: 'image', source: { base64: 'AAAA' } },
          { type: 'text', text: '' },
        ],
      },
      {
        by: { api: 'openai-responses' },
        parts: [
          {
            type: 'reasoning',
            text: 'hm',
            extra: {
              'openai-responses': {
                item: { id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'gAAA' },
              },
            },
          },
          { type: 'text', text: 'ok', extra: { gemini: { thoughtSignature: 'QUJD' } } },
          {
            id: 'A',
            name: 'bash',
            args: { command: 'ls' },
            state: {
              status: 'completed',
              result: [
                { type: 'text', text: 'a' },
                { type: 'media', source: { base64: 'BB' } },
              ],
            },
          },
        ],
      },
    ])
    // A call without a name, an empty block, and reasoning that says nothing.
    expect(changes.map(({ code }) => code)).toEqual(['part-invalid', 'part-invalid', 'part-invalid'])
  })

  it('may part the results of one message over several', () => {
    const lines = [meta(), row('user', text('go')), row('assistant', call('A'), call('B'), call('C'))]
    expect(shown([...lines, row('tool', result('B', 'two')), row('tool', result('A', 'one', true))]).at(-1)).toBe(
      `assistant: A=failed:${out('one')}, B=completed:${out('two')}, C=interrupted`,
    )
  })

  it('keeps a result that comes after another message, and reports what belongs to no call', () => {
    const found = read([
      meta(),
      row('assistant', call('A')),
      row('user', text('still there?'), result('A', 'late')),
      row('tool', result('A', 'again'), result('X', 'stray'), text('not a result')),
    ])
    expect(short(found.session.messages)).toEqual([`assistant: A=completed:${out('late')}`, 'user: still there?'])
    expect(codes(found)).toEqual(['part-misplaced', 'part-invalid', 'duplicate-result', 'orphan-result'])
  })

  it('knows its own closers', () => {
    const closer = result('A', 'tool call was aborted; no result recorded.', true)
    const lines = [meta(), row('assistant', call('A')), row('tool', closer)]
    expect(statesOf(lines)).toEqual([{ status: 'interrupted' }])
    expect(statesOf([...lines, row('tool', result('A', 'real'))])).toMatchObject([{ status: 'completed' }])
    expect(statesOf([meta(), row('assistant', call('A')), row('tool', { ...closer, is_error: false })])).toMatchObject([
      { status: 'completed' },
    ])
  })

  it('has instructions of the developer in its midst', () => {
    expect(shown([meta(), row('user', text('hi')), row('developer', text('Be brief.'))])).toEqual([
      'user: hi',
      'instruction: Be brief.',
    ])
  })
})

describe('a compaction', () => {
  const summary = said('user', [text('## Context Summary (compacted)\n\nSo far')], {
    meta: { compaction: 'true', tokens_before: '9' },
  })
  const kept = row('assistant', text('two')).message
  const lines = [
    meta(),
    row('user', text('one')),
    row('assistant', call('A'), call('B')),
    row('tool', result('A', 'a'), result('B', 'b')),
    row('assistant', text('two')),
    { type: 'compaction', messages: [summary, said('tool', [result('B', 'b')]), kept], usage: {} },
    row('user', text('three')),
  ]

  it('replaces everything before it', () => {
    const found = read(lines)
    expect(short(found.session.messages)).toEqual([
      'summary: ## Context Summary (compacted)\n\nSo far',
      'assistant: two',
      'user: three',
    ])
    expect(found.changes.map(({ code, at }) => [code, at.line])).toEqual([
      ['compaction-applied', 6],
      ['orphan-result', 6],
    ])
  })

  it('is left out of the full history, with what it repeats', () => {
    const found = read(lines, { history: 'full' })
    expect(short(found.session.messages)).toEqual([
      'user: one',
      `assistant: A=completed:${out('a')}, B=completed:${out('b')}`,
      'assistant: two',
      'user: three',
    ])
    expect(codes(found)).toEqual(['message-left-out'])
  })

  it('stays in the full history where the rows before it are lost', () => {
    expect(shown([meta(), ...lines.slice(5)], { history: 'full' })).toEqual([
      'summary: ## Context Summary (compacted)\n\nSo far',
      'assistant: two',
      'user: three',
    ])
  })

  it('that holds no messages is none', () => {
    const found = read(lines.with(5, { type: 'compaction', messages: 7 }))
    expect(short(found.session.messages)).toHaveLength(4)
    expect(codes(found)).toEqual(['record-invalid'])
  })
})

const event = (type: string, fields: Line = {}): Line => ({ version: 1, type, time: TIME, ...fields })
const SPEC = {
  id: 'c1',
  session_id: 's1',
  parent_session_id: 'p1',
  profile: 'scout',
  provider: 'anthropic',
  model: 'm',
}
const accepted = event('child.accepted', {
  spec: { ...SPEC, workspace: '/w', system_prompt: 'You are.' },
  prompt: 'go',
})
const user = (value: string): Line => event('message.user', { message: said('user', [text(value)]) })
const assistant = (...content: unknown[]): Line => event('message.assistant', { message: said('assistant', content) })
const called = (tool_id: string): Line =>
  event('tool.call', { tool_id, tool_name: 'bash', tool_args: { command: tool_id } })
const gave = (tool_id: string, value: string, IsError = false): Line =>
  event('tool.result', { tool_id, tool_result: { Content: [text(value)], IsError, Details: null, Timing: null } })

describe('the journal of a child', () => {
  it('says whose it is, and how its turns ended', () => {
    const { session } = read([
      accepted,
      event('turn.accepted', { turn_id: 't1', prompt: 'go' }),
      event('turn.started', { turn_id: 't1' }),
      user('go'),
      assistant(text('I look.'), call('A')),
      called('A'),
      gave('A', 'found'),
      assistant(text('Done.')),
      event('usage', { usage: {} }),
      event('turn.finished', { turn_id: 't1', outcome: 'completed' }),
      event('turn.accepted', { turn_id: 't2', prompt: 'more' }),
      user('more'),
      assistant(call('B')),
      called('B'),
      gave('B', 'tool interrupted by resident host restart', true),
      event('child.interrupted', { turn_id: 't2', outcome: 'interrupted' }),
    ])
    expect(session).toMatchObject({
      id: 's1',
      agent: 'scout',
      cwd: '/w',
      createdAt: TIME,
      parent: { id: 'p1' },
      instructions: [{ type: 'text', text: 'You are.' }],
    })
    expect(short(session.messages)).toEqual([
      'user: go',
      `assistant: I look., A=completed:${out('found')}`,
      'assistant: Done.',
      'user: more',
      'assistant: B=interrupted',
    ])
    expect(session.messages.map((message) => (message.role === 'assistant' ? message.stop : undefined))).toEqual([
      undefined,
      undefined,
      'end',
      undefined,
      'aborted',
    ])
    expect(firstAssistant(session.messages).by).toEqual({ provider: 'anthropic', api: 'anthropic', model: 'm' })
  })

  it('has the keys of results capitalised, or not', () => {
    const lower = event('tool.result', { tool_id: 'B', tool_result: { content: [text('b')], is_error: true } })
    const empty = event('tool.result', { tool_id: 'C', tool_result: { Content: null, IsError: false } })
    expect(
      statesOf([accepted, user('go'), assistant(call('A'), call('B'), call('C')), gave('A', 'a', true), lower, empty]),
    ).toEqual([
      { status: 'failed', error: [{ type: 'text', text: 'a' }] },
      { status: 'failed', error: [{ type: 'text', text: 'b' }] },
      { status: 'completed', result: '' },
    ])
  })

  it('makes a message of a call that stands in none', () => {
    const text_args = event('tool.call', { tool_id: 'B', tool_name: 'bash', tool_args: '{"a":1.0}' })
    const { session } = read([accepted, user('go'), called('A'), gave('A', 'a'), text_args])
    expect(short(session.messages)).toEqual([
      'user: go',
      `assistant: A=completed:${out('a')}`,
      'assistant: B=interrupted',
    ])
    expect(callsOf(session.messages)[1]).toMatchObject({ args: { a: 1 }, argsText: '{"a":1.0}' })
  })

  it('tells a call once that is noted before its message', () => {
    expect(shown([accepted, user('go'), called('A'), gave('A', 'a'), assistant(text('I'), call('A'))])).toEqual([
      'user: go',
      `assistant: I, A=completed:${out('a')}`,
    ])
  })

  it('undoes a closer that the real result followed', () => {
    const closer = gave('A', 'tool interrupted by resident host restart', true)
    const found = read([
      accepted,
      user('go'),
      assistant(call('A')),
      closer,
      event('child.interrupted'),
      gave('A', 'real'),
    ])
    expect(short(found.session.messages).at(-1)).toBe(`assistant: A=completed:${out('real')}`)
    expect(codes(found)).toEqual(['synthetic-result-replaced'])
  })

  it('keeps a prompt that was accepted and never became a message', () => {
    expect(shown([accepted, event('turn.accepted', { turn_id: 't1', prompt: 'go' })])).toEqual(['user: go'])
    const lines = [
      accepted,
      user('go'),
      assistant(text('done')),
      event('turn.accepted', { turn_id: 't2', prompt: 'more' }),
    ]
    expect(shown(lines)).toEqual(['user: go', 'assistant: done', 'user: more'])
    expect(shown([...lines, user('more')])).toEqual(['user: go', 'assistant: done', 'user: more'])
    // The same words once more, which no message says.
    const again = event('turn.accepted', { turn_id: 't3', prompt: 'more' })
    expect(shown([...lines, user('more'), assistant(text('yes')), again])).toEqual([
      'user: go',
      'assistant: done',
      'user: more',
      'assistant: yes',
      'user: more',
    ])
  })

  it('reports what is not of it', () => {
    const stray = [event('of tomorrow'), event('of tomorrow'), { version: 1 }, gave('X', 'stray'), event('tool.call')]
    const found = read([accepted, user('go'), ...stray])
    expect(codes(found)).toEqual(['record-unknown', 'record-invalid', 'record-invalid', 'orphan-result'])
  })
})

it('other files are refused', () => {
  expect(() => read([{ a: 1 }, { b: 2 }])).toThrow(ReadError)
})

describe('damage', () => {
  const ROWS: readonly Line[] = [
    meta({ title: 't', parent: 'p' }),
    row('user', text('ask'), { mime_type: 'image/png', data: 'AA' }),
    row('assistant', { reasoning_id: 'r', summary: 'hm' }, text('I look.'), call('A')),
    row('tool', result('A', 'found', true)),
    { type: 'rename', title: 'x' },
    row('developer', text('Be brief.')),
    row('assistant', text('reply')),
  ]
  const COMPACTED = [
    ...ROWS,
    { type: 'compaction', messages: [said('user', [text('sum')], { meta: { compaction: 'true' } })] },
  ]
  const JOURNAL = [
    accepted,
    user('ask'),
    assistant(text('I look.'), call('A')),
    called('A'),
    gave('A', 'found'),
    assistant(text('reply')),
  ]

  it('of bytes is survived', () => {
    for (const lines of [COMPACTED, JOURNAL]) batter(reader, jsonl(lines), { history: 'full' })
  })

  it('of values is survived', () => {
    for (const lines of [COMPACTED, JOURNAL]) batterValues(reader, lines, FULL ? [{}, { history: 'full' }] : [{}])
  })

  it.each([
    ['rows', ROWS, [1, 2, 6]],
    ['records', JOURNAL, [1, 2, 5]],
  ] as const)('of one of the %s costs no other', (_what, all, places) => {
    const words = ['ask', 'I look.', 'reply']
    for (const { lines, index } of damagedLines(all)) {
      const found = JSON.stringify(survives(reader, jsonl(lines))?.session.messages)
      const wanted = words.filter((_, place) => places[place] !== index)
      expect(wanted.filter((word) => !found.includes(word))).toEqual([])
    }
  })

  it.each(PROTOTYPE_NAMES)('%s is an id and a name like any other', (name) => {
    const lines = [
      meta({ id: name }),
      row('assistant', call(name, { name })),
      row('tool', result(name, 'out')),
      row(name, text('x')),
      { type: name },
    ]
    const found = read(lines)
    expect(short(found.session.messages)).toEqual([`assistant: ${name}=completed:${out('out')}`])
    expect(codes(found)).toEqual(['record-invalid', 'record-unknown'])
    const journal = read([accepted, user('go'), called(name), gave(name, 'out'), event(name)])
    expect(short(journal.session.messages).at(-1)).toBe(`assistant: ${name}=completed:${out('out')}`)
  })
})
