import { describe, expect, it } from 'vitest'
import type { Part, Session } from '../../src/model/session.ts'
import { reader } from '../../src/read/crush/index.ts'
import { readSession } from '../../src/read/index.ts'
import type { ReadOptions } from '../../src/read/reader.ts'
import { damaged } from '../hostile/damaged.ts'
import { callsOf } from './claude-code-lines.ts'
import { batter, type Line, PROTOTYPE_NAMES, survives } from './hostile.ts'

function read(source: object, options: ReadOptions = {}) {
  const { session, changes, format } = readSession(source, options)
  expect(format).toBe('crush')
  return { session, changes, codes: changes.map((change) => change.code) }
}

const part = (type: string, data: Line): Line => ({ type, data })
const text = (value: string, more: Line = {}): Line => part('text', { text: value, ...more })
const call = (id: string, input: string, more: Line = {}): Line =>
  part('tool_call', { id, name: 'bash', input, provider_executed: false, finished: true, ...more })
const result = (id: string, content: string, more: Line = {}): Line =>
  part('tool_result', {
    tool_call_id: id,
    name: 'bash',
    content,
    data: '',
    mime_type: '',
    metadata: '',
    is_error: false,
    ...more,
  })
const finish = (reason: string, more: Line = {}): Line => part('finish', { reason, time: 3, ...more })

let made = 0
const row = (role: string, parts: readonly Line[], more: Line = {}): Line => ({
  id: `m${made++}`,
  session_id: 's1',
  role,
  parts: JSON.stringify(parts),
  created_at: 1_700_000_000,
  ...(role === 'assistant' ? { model: 'claude-sonnet-4-5', provider: 'anthropic' } : {}),
  is_summary_message: 0,
  ...more,
})

const SESSION: Line = {
  id: 's1',
  parent_session_id: null,
  title: 'A title',
  summary_message_id: null,
  created_at: 1_700_000_000,
  updated_at: 9,
}

const stored = (messages: readonly Line[], session: Line = {}): Line => ({
  tables: { sessions: [{ ...SESSION, ...session }], messages },
})

const ALL = stored([
  row('user', [
    text('question'),
    part('image_url', { url: 'https://example.com/a.png' }),
    part('binary', { Path: '/a.png', MIMEType: 'image/png', Data: 'AAAA' }),
    part('binary', { Path: '/a.txt', MIMEType: 'text/plain', Data: btoa('hello') }),
    part('shell_command', { command: 'ls', output: 'a', exit_code: 1 }),
  ]),
  row('assistant', [
    part('reasoning', { thinking: 'hm', signature: 'SIG', thought_signature: '', tool_id: '', responses_data: null }),
    text('I look'),
    call('A', '{"x": 1}'),
    call('B', '{}'),
    finish('tool_use'),
  ]),
  row('tool', [result('B', 'no', { is_error: true }), result('A', 'yes', { data: 'AAAA', mime_type: 'image/png' })]),
  row('assistant', [
    text('cut'),
    call('C', '{"comm', { finished: false }),
    finish('canceled', { message: 'canceled', details: '' }),
  ]),
  row('user', [text('go on', { hidden: true })]),
  row('assistant', [call('D', '{}'), finish('tool_use')]),
  row('tool', [result('D', 'Tool execution canceled by user', { is_error: true }), result('lost', 'x')]),
])

const outline = ({ messages }: Session): string[] =>
  messages.map((message) => {
    const kind = message.role === 'user' && message.kind !== undefined ? ` ${message.kind}` : ''
    return `${message.role}${kind}: ${(message.parts as readonly Part[]).map((one) => ('text' in one ? one.text : one.type === 'tool-call' ? one.id : one.type)).join(' | ')}`
  })

describe('sessions of Crush', () => {
  const { session, codes } = read(ALL)
  const calls = new Map(callsOf(session.messages).map((one) => [one.id, one]))

  it('are read message by message', () => {
    expect(outline(session)).toEqual([
      'user: question | media | media | media | $ ls\na\n(exit code 1)',
      'assistant: hm | I look | A | B',
      'assistant: cut | C',
      'user injected: go on',
      'assistant: D',
    ])
    expect(session).toMatchObject({
      id: 's1',
      title: 'A title',
      createdAt: '2023-11-14T22:13:20.000Z',
      source: { format: 'crush' },
    })
    expect(session.parent).toBeUndefined()
  })

  it('have files as what they are', () => {
    expect(session.messages[0]!.parts.slice(1, 4)).toEqual([
      { type: 'media', kind: 'image', mediaType: '', source: { url: 'https://example.com/a.png' } },
      { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'AAAA' }, name: '/a.png' },
      { type: 'media', kind: 'file', mediaType: 'text/plain', source: { text: 'hello' }, name: '/a.txt' },
    ])
  })

  it('pair calls with results of the messages behind them', () => {
    expect(calls.get('A')).toMatchObject({
      args: { x: 1 },
      argsText: '{"x": 1}',
      resultOrder: 1,
      state: {
        status: 'completed',
        result: [
          { type: 'text', text: 'yes' },
          { type: 'media', source: { base64: 'AAAA' } },
        ],
      },
    })
    expect(calls.get('B')!.state).toEqual({ status: 'failed', error: 'no' })
    expect(calls.get('C')).toMatchObject({
      args: '{"comm',
      argsText: '{"comm',
      state: { status: 'interrupted', dispatched: false },
    })
    expect(calls.get('D')!.state).toEqual({ status: 'interrupted', reason: 'Tool execution canceled by user' })
    expect(codes).toEqual(['call-unfinished', 'orphan-result'])
  })

  it('say who answered and how it ended', () => {
    const by = { provider: 'anthropic', api: 'anthropic', model: 'claude-sonnet-4-5' }
    expect(session.messages[1]).toMatchObject({
      by,
      stop: 'tool-calls',
      parts: [{ extra: { anthropic: { signature: 'SIG' } } }, {}, {}, {}],
    })
    expect(session.messages[2]).toMatchObject({
      by,
      stop: 'aborted',
      extra: { crush: { finish: { message: 'canceled' } } },
    })
  })

  it('keep what Responses and Gemini want back', () => {
    const of = (data: Line): unknown => {
      const told = read(stored([row('assistant', [part('reasoning', data)], { provider: 'x', model: 'm' })])).session
        .messages[0]
      return told
    }
    const item = { item_id: 'rs_1', encrypted_content: 'E', summary: ['one', 'two'] }
    const wanted = {
      by: { api: 'openai-responses' },
      parts: [
        {
          extra: {
            'openai-responses': {
              item: {
                id: 'rs_1',
                encrypted_content: 'E',
                summary: [
                  { type: 'summary_text', text: 'one' },
                  { type: 'summary_text', text: 'two' },
                ],
              },
            },
          },
        },
      ],
    }
    expect(of({ thinking: 'one\ntwo', responses_data: item })).toMatchObject(wanted)
    expect(of({ thinking: 'one\ntwo', responses_data: { type: 'openai', data: item } })).toMatchObject(wanted)
    expect(of({ thinking: '', responses_data: { ...item, summary: [] } })).toMatchObject({
      parts: [{ redacted: true }],
    })
    expect(of({ thinking: 'x', thought_signature: 'T' })).toMatchObject({
      by: { api: 'gemini' },
      parts: [{ extra: { gemini: { thoughtSignature: 'T' } } }],
    })
  })

  it('are in the order of time, then of storage', () => {
    const { session: sorted } = read(
      stored([
        row('user', [text('c')], { created_at: 2 }),
        row('user', [text('a')], { created_at: 1 }),
        row('user', [text('b')], { created_at: 1 }),
      ]),
    )
    expect(outline(sorted)).toEqual(['user: a', 'user: b', 'user: c'])
  })

  it("begin with their summary, which is the user's", () => {
    const messages = [
      row('user', [text('old')]),
      row('assistant', [text('SUM')], { id: 'sum', is_summary_message: 1 }),
      row('user', [text('new')]),
    ]
    const compacted = stored(messages, { summary_message_id: 'sum' })
    expect(outline(read(compacted).session)).toEqual(['user summary: SUM', 'user: new'])
    expect(read(compacted).codes).toEqual(['compaction-applied'])
    expect(outline(read(compacted, { history: 'full' }).session)).toEqual(['user: old', 'user: new'])
    expect(outline(read(stored(messages, { summary_message_id: 'gone' })).session)).toHaveLength(3)
  })

  it('of sub-agents name the call that started them', () => {
    const of = (id: string): unknown =>
      read(stored([row('user', [text('go')], { session_id: id })], { id, parent_session_id: 'p' })).session.parent
    expect(of('m7$$call_1')).toEqual({ id: 'p', callId: 'call_1' })
    expect(of('call_1')).toEqual({ id: 'p', callId: 'call_1' })
    expect(of('title-p')).toEqual({ id: 'p' })
  })

  it('are the newest of several', () => {
    const { session: newest, codes: told } = read({
      tables: {
        sessions: [{ ...SESSION, id: 'new', updated_at: 20 }, SESSION],
        messages: [row('user', [text('old')]), row('user', [text('new')], { session_id: 'new' })],
      },
    })
    expect(outline(newest)).toEqual(['user: new'])
    expect(told).toEqual(['session-left-out'])
  })
})

describe('hostile input', () => {
  it('survives cuts, flips and wrong values', () => {
    expect(batter(reader, JSON.stringify(ALL))).toBeGreaterThan(100)
    const plain = ALL as unknown as {
      tables: { messages: Line[] }
    }
    for (const message of plain.tables.messages) {
      const parts = JSON.parse(message.parts as string) as Line[]
      for (const wrong of [null, 7, '', [], {}, { type: {} }, ...PROTOTYPE_NAMES.slice(0, 3)]) {
        for (const bad of damaged(message, wrong)) survives(reader, stored([bad as Line]))
        for (const bad of damaged(parts, wrong)) survives(reader, stored([row(String(message.role), bad as Line[])]))
      }
    }
  })

  it('keeps the neighbours of a broken message', () => {
    const broken = row('assistant', [], { parts: '[{"type":"text","da' })
    const { session, codes } = read(stored([row('user', [text('a')]), broken, row('user', [text('b')])]))
    expect(outline(session)).toEqual(['user: a', 'user: b'])
    expect(codes).toEqual(['record-invalid'])
  })

  it('takes names of Object.prototype as anything', () => {
    for (const name of PROTOTYPE_NAMES) {
      const { session } = read(
        stored([
          row('assistant', [call(name, '{}', { name }), part(name, {})]),
          row('tool', [result(name, 'o')]),
          row(name, [text('x')]),
        ]),
      )
      expect(callsOf(session.messages)).toMatchObject([{ id: name, name, state: { result: 'o' } }])
    }
  })
})
