import { describe, expect, it } from 'vitest'
import type { Part, Session } from '../../src/model/session.ts'
import { reader } from '../../src/read/goose/index.ts'
import { readSession } from '../../src/read/index.ts'
import type { ReadOptions } from '../../src/read/reader.ts'
import { callsOf } from './claude-code-lines.ts'
import { batter, batterValues, jsonl, type Line, PROTOTYPE_NAMES } from './hostile.ts'

function read(source: string | object, options: ReadOptions = {}) {
  const { session, changes, format } = readSession(source, options)
  expect(format).toBe('goose')
  return { session, changes, codes: changes.map((change) => change.code) }
}

const SEEN = { userVisible: true, agentVisible: true }
const said = (role: string, content: readonly Line[], more: Line = {}): Line => ({
  role,
  created: 1_750_000_000,
  content,
  metadata: SEEN,
  ...more,
})
const text = (value: string): Line => ({ type: 'text', text: value })
const request = (id: string, more: Line = {}): Line => ({
  type: 'toolRequest',
  id,
  toolCall: { status: 'success', value: { name: 'shell', arguments: { command: id } } },
  ...more,
})
const response = (id: string, value: unknown): Line => ({
  type: 'toolResponse',
  id,
  toolResult: { status: 'success', value },
})

const HEAD: Line = { working_dir: '/work', description: 'A title', message_count: 5 }
const LINES: readonly Line[] = [
  HEAD,
  said('user', [text('question'), { type: 'image', data: 'AAAA', mimeType: 'image/png' }]),
  said('assistant', [
    { type: 'thinking', thinking: 'hm', signature: 'SIG' },
    { type: 'redactedThinking', data: 'DATA' },
    text('I look'),
    request('A'),
    request('B'),
    request('C', { thoughtSignature: 'T', metadata: { x: 1 } }),
    { type: 'toolRequest', id: 'D', toolCall: { status: 'error', error: 'unreadable' } },
  ]),
  said('user', [
    response('B', { content: [text('bad')], isError: true }),
    response('A', { content: [text('shown'), { ...text('for the user'), annotations: { audience: ['user'] } }] }),
    { type: 'toolResponse', id: 'D', toolResult: { status: 'error', error: '-32602: unreadable' } },
  ]),
  said('assistant', [request('E'), { type: 'toolConfirmationRequest', id: 'E', toolName: 'shell', arguments: {} }]),
  said('user', [
    response('E', [text('The user has declined to run this tool. DO NOT attempt it again.')]),
    text('why?'),
  ]),
  said('user', [{ type: 'systemNotification', notificationType: 'inlineMessage', msg: 'note' }], {
    metadata: { userVisible: true, agentVisible: false },
  }),
]

const outline = ({ messages }: Session): string[] =>
  messages.map((message) => {
    const kind = message.role === 'user' && message.kind !== undefined ? ` ${message.kind}` : ''
    return `${message.role}${kind}: ${(message.parts as readonly Part[]).map((one) => ('text' in one ? one.text : one.type === 'tool-call' ? one.id : one.type)).join(' | ')}`
  })

describe('sessions of goose', () => {
  const { session, codes } = read(jsonl(LINES))
  const calls = new Map(callsOf(session.messages).map((one) => [one.id, one]))

  it('are read line by line, the first of which tells of the session', () => {
    expect(outline(session)).toEqual([
      'user: question | media',
      'assistant: hm |  | I look | A | B | C | D',
      'assistant: E',
      'user: why?',
    ])
    expect(session).toMatchObject({ title: 'A title', cwd: '/work', source: { format: 'goose' } })
    expect(session.messages[0]!.at).toBe('2025-06-15T15:06:40.000Z')
  })

  it('pair calls with the responses in messages of the user', () => {
    expect(calls.get('A')).toMatchObject({
      name: 'shell',
      args: { command: 'A' },
      resultOrder: 1,
      state: { status: 'completed', result: 'shown' },
    })
    expect(calls.get('B')!.state).toEqual({ status: 'failed', error: 'bad' })
    expect(calls.get('C')).toMatchObject({
      state: { status: 'interrupted' },
      extra: { gemini: { thoughtSignature: 'T' }, goose: { metadata: { x: 1 } } },
    })
    expect(calls.get('D')).toMatchObject({
      name: 'unknown_tool',
      state: { status: 'failed', error: '-32602: unreadable' },
    })
    expect(calls.get('E')!.state).toMatchObject({ status: 'failed', denied: true })
    expect([...codes].sort()).toEqual(['call-unfinished', 'part-invalid', 'part-left-out'])
  })

  it('keep signed thinking', () => {
    expect(session.messages[1]!.parts.slice(0, 2)).toEqual([
      { type: 'reasoning', text: 'hm', extra: { anthropic: { signature: 'SIG' } } },
      { type: 'reasoning', text: '', redacted: true, extra: { anthropic: { data: 'DATA' } } },
    ])
  })

  it('are read from an export and from rows alike', () => {
    const head = {
      id: '20260101_1',
      name: 'Named',
      working_dir: '/work',
      created_at: '2026-01-01 10:00:00',
      updated_at: '2026-01-02 10:00:00',
      provider_name: 'anthropic',
    }
    const info = { ...head, model_config_json: '{"model_name":"claude-sonnet-4-5"}' }
    const rows = LINES.slice(1).map((line, index) => ({
      id: index + 1,
      message_id: `msg_${index}`,
      session_id: head.id,
      role: line.role,
      created_timestamp: line.created,
      content_json: JSON.stringify(line.content),
      metadata_json: JSON.stringify(line.metadata),
    }))
    const fromRows = read({ tables: { sessions: [info], messages: rows } }).session
    expect(outline(fromRows)).toEqual(outline(session))
    expect(fromRows).toMatchObject({ id: head.id, title: 'Named', createdAt: '2026-01-01T10:00:00.000Z' })
    expect(fromRows.messages[1]).toMatchObject({
      by: { provider: 'anthropic', api: 'anthropic', model: 'claude-sonnet-4-5' },
    })
    const exported = read({ ...head, model_config: { model_name: 'm' }, conversation: LINES.slice(1) }).session
    expect(outline(exported)).toEqual(outline(session))
    expect(exported).toMatchObject({ id: head.id, cwd: '/work' })
  })

  it('are read without a first line about the session', () => {
    expect(outline(read(jsonl(LINES.slice(1))).session)).toEqual(outline(session))
  })

  it('join rows that are pieces of one message', () => {
    const pieces = [
      said('assistant', [text('He')], { id: 'm' }),
      said('assistant', [text('llo'), request('A')], { id: 'm' }),
      said('assistant', [text('new')], { id: 'n' }),
    ]
    expect(outline(read(jsonl([HEAD, ...pieces])).session)).toEqual(['assistant: Hello | A', 'assistant: new'])
  })

  it('show what the agent sees', () => {
    const hidden = { metadata: { userVisible: true, agentVisible: false } }
    const own = { metadata: { userVisible: false, agentVisible: true } }
    const lines = [
      HEAD,
      said('user', [text('old')], hidden),
      said('assistant', [text('old answer')], hidden),
      said('user', [text('SUMMARY')], own),
      said('assistant', [text('goes on')], own),
      said('user', [text('new')]),
      said('user', [text('reminder')], own),
    ]
    const active = read(jsonl(lines))
    expect(outline(active.session)).toEqual([
      'user summary: SUMMARY',
      'assistant: goes on',
      'user: new',
      'user injected: reminder',
    ])
    expect(active.codes).toEqual(['compaction-applied'])
    const full = read(jsonl(lines), { history: 'full' })
    expect(outline(full.session)).toEqual([
      'user: old',
      'assistant: old answer',
      'assistant: goes on',
      'user: new',
      'user injected: reminder',
    ])
    expect(full.codes).toEqual(['message-left-out'])
  })

  it('read outputs of every kind', () => {
    const content = [
      text('one'),
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'in it' } },
      { type: 'resource', resource: { uri: 'file:///b', blob: btoa('hello'), mimeType: 'text/plain' } },
      { type: 'resource_link', uri: 'file:///c', name: 'c' },
    ]
    const { session: told } = read(
      jsonl([said('assistant', [request('A')]), said('user', [response('A', { content })])]),
    )
    expect(callsOf(told.messages)[0]!.state).toMatchObject({
      result: [
        { type: 'text', text: 'one' },
        { type: 'media', source: { base64: 'AAAA' } },
        { type: 'text', text: 'in it' },
        { type: 'media', source: { text: 'hello' }, name: 'file:///b' },
        { type: 'json', value: { type: 'resource_link' } },
      ],
    })
  })
})

describe('hostile input', () => {
  it('survives cuts, flips and wrong values', () => {
    expect(batter(reader, jsonl(LINES))).toBeGreaterThan(100)
    expect(batterValues(reader, LINES.slice(0, 4), [{}, { history: 'full' }])).toBeGreaterThan(300)
  })

  it('takes names of Object.prototype as anything', () => {
    for (const name of PROTOTYPE_NAMES) {
      const call = request(name, { toolCall: { status: 'success', value: { name, arguments: {} } } })
      const { session } = read(
        jsonl([
          HEAD,
          said('assistant', [call, { type: name }]),
          said('user', [response(name, { content: [text('o')] })]),
          said(name, []),
        ]),
      )
      expect(callsOf(session.messages)).toMatchObject([{ id: name, name, state: { result: 'o' } }])
    }
  })

  it('keeps the neighbours of a bad line', () => {
    const { session } = read(`${jsonl(LINES.slice(0, 2))}{"role":"assis\n${jsonl(LINES.slice(2))}`)
    expect(callsOf(session.messages)).toHaveLength(5)
  })
})
