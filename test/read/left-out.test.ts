import { expect, it } from 'vitest'
import { readSession } from '../../src/read/index.ts'
import { jsonl, type Line } from './hostile.ts'

const time = '2026-01-01T00:00:00Z'
const text = (value: string): Line => ({ type: 'text', text: value })

function tellings(source: string | object, options: Parameters<typeof readSession>[1] = {}) {
  return readSession(source, options).changes.map(({ code, severity, before }) => [code, severity, before])
}

const opencode = (id: string, role: string, parts: readonly Line[], more: Line = {}): Line => ({
  info: { id, sessionID: 'ses_a', role, time: { created: 1 }, ...more },
  parts,
})
const ses = (...messages: readonly Line[]): Line => ({ info: { id: 'ses_a', time: { created: 1 } }, messages })

it('opencode: a message, and a part, whose id stands again with other content is a loss, a copy is none', () => {
  const part = { ...text('one'), id: 'prt_1' }
  const one = opencode('msg_1', 'user', [part])
  expect(tellings(ses(one, one))).toEqual([['record-duplicate', 'info', 'msg_1']])
  const other = opencode('msg_1', 'user', [{ ...part, text: 'two' }])
  expect(tellings(ses(one, other))).toEqual([['record-invalid', 'loss', expect.stringContaining('two')]])
  const parts = opencode('msg_1', 'user', [part, { ...part, text: 'two' }])
  expect(tellings(ses(parts))).toEqual([['record-invalid', 'loss', expect.stringContaining('two')]])
})

it('opencode: a state of no known kind keeps its output', () => {
  const tool = { type: 'tool', tool: 'x', callID: 'A', state: { status: 'odd', input: {}, output: 'so far' } }
  const { session, changes } = readSession(ses(opencode('msg_1', 'assistant', [tool])))
  expect(session.messages).toMatchObject([{ parts: [{ state: { status: 'interrupted', partial: 'so far' } }] }])
  expect(changes.map(({ code }) => code)).toEqual(['part-invalid', 'call-unfinished'])
})

it('opencode: the error of an answer without anything else is told', () => {
  const error = { name: 'APIError', data: { message: 'busy' } }
  expect(tellings(ses(opencode('msg_1', 'assistant', [], { error })))).toEqual([
    ['message-empty', 'info', expect.stringContaining('busy')],
  ])
})

const crush = (rows: readonly unknown[]): Line => ({
  tables: { sessions: [{ id: 's', parent_session_id: null, summary_message_id: null }], messages: rows },
})

it('crush: rows of sessions that are not stored, and what is no row, are told of', () => {
  const row = (session: string, role = 'user'): Line => ({
    id: session,
    session_id: session,
    role,
    parts: [{ type: 'text', data: { text: session } }],
  })
  expect(tellings(crush([row('s'), row('gone'), 'odd']))).toEqual([
    ['record-invalid', 'loss', 'odd'],
    ['session-left-out', 'info', '1 messages'],
  ])
  expect(tellings(crush([row('s', 'tool')]))).toEqual([['part-invalid', 'loss', '{"text":"s"}']])
})

const goose = (content: readonly Line[], more: Line = {}): Line => ({ role: 'assistant', created: 1, content, ...more })
const request = { type: 'toolRequest', id: 'A', toolCall: { status: 'success', value: { name: 'x', arguments: {} } } }

it('goose: an outcome that cannot be read is told, and messages hidden without a summary are of the whole history', () => {
  const answer = { role: 'user', created: 2, content: [{ type: 'toolResponse', id: 'A', toolResult: ['out'] }] }
  expect(tellings([goose([request]), answer])).toEqual([['part-invalid', 'loss', expect.stringContaining('out')]])
  const hidden = goose([text('early')], { metadata: { agentVisible: false, userVisible: true } })
  const { session } = readSession([hidden, goose([request])], { history: 'full' })
  expect(JSON.stringify(session.messages)).toContain('early')
})

it('continue: outcomes beside those of the calls, and summaries that the whole history leaves out, are told of', () => {
  const call = { id: 'A', type: 'function', function: { name: 'x', arguments: '{}' } }
  const state = (output: string): Line => ({
    toolCallId: 'A',
    toolCall: call,
    status: 'done',
    output: [{ name: 'n', content: output }],
  })
  const item = {
    message: { role: 'assistant', content: '', toolCalls: [call] },
    contextItems: [],
    toolCallStates: [state('one'), state('two')],
  }
  expect(tellings({ history: [item] })).toEqual([['duplicate-result', 'loss', expect.stringContaining('A')]])
  const summed = { message: { role: 'user', content: 'hi' }, contextItems: [], conversationSummary: 'sum' }
  expect(tellings({ history: [summed] }, { history: 'full' })).toEqual([['message-left-out', 'info', 'sum']])
})

it('letta: returns that are no list are read, and what holds no outcome is told', () => {
  const call = { id: 'A', type: 'function', function: { name: 'x', arguments: '{}' } }
  const file = (returns: unknown): Line => ({
    agents: [
      {
        agent_type: 'a',
        messages: [
          { role: 'assistant', content: [text('look')], tool_calls: [call] },
          { role: 'tool', tool_returns: returns },
        ],
      },
    ],
  })
  const { session } = readSession(file({ tool_call_id: 'A', status: 'success', func_response: 'out' }))
  expect(JSON.stringify(session.messages)).toContain('"result":"out"')
  expect(tellings(file([{ tool_call_id: 'A', odd: 'out' }]))).toEqual([
    ['part-invalid', 'loss', '{"tool_call_id":"A","odd":"out"}'],
  ])
})

it('langchain: an envelope without its message, and a message without its content, are told of', () => {
  const human = { type: 'human', data: { content: 'hi' } }
  expect(tellings([human, { type: 'human', odd: { content: 'lost' } }])).toEqual([
    ['record-unknown', 'info', expect.stringContaining('lost')],
  ])
  expect(tellings([human, { type: 'human', data: { odd: 'lost' } }])).toEqual([
    ['record-invalid', 'loss', '{"odd":"lost"}'],
  ])
})

it('ai-sdk: an outcome that does not go with the state of its call is told', () => {
  const part = { type: 'tool-x', toolCallId: 'A', state: 'output-error', input: {}, errorText: 'no', output: 'lost' }
  expect(tellings([{ id: 'm', role: 'assistant', parts: [part] }])).toEqual([['part-invalid', 'loss', 'lost']])
})

const oino = (id: string | undefined, parent: string | null, kind: Line): Line => ({
  record: 'entry',
  entry: { id, parent, kind },
})
const said = (kind: string, value: string): Line => ({
  kind: 'message',
  message: { kind, content: [{ kind: 'text', text: value }] },
})
const head = (leaf: string): Line => ({ record: 'header', header: { version: 1, session_id: 's' }, leaf_id: leaf })

it('oino: entries of unknown kinds, and those without an id off the path, are told of', () => {
  const lines = [
    head('b'),
    oino('a', null, said('user', 'hi')),
    oino(undefined, 'a', said('user', 'lost')),
    oino('b', 'a', said('assistant', 'ho')),
  ]
  expect(tellings(jsonl(lines))).toEqual([['record-invalid', 'loss', expect.stringContaining('lost')]])
  const odd = [head('b'), oino('a', null, said('user', 'hi')), oino('b', 'a', { kind: 'odd' })]
  expect(tellings(jsonl(odd))).toEqual([['record-unknown', 'info', 'odd']])
})

it('oino: of two branches that end with one id, the one that cannot be asked for is told of', () => {
  const side = (value: string): Line => oino('x', 'a', said('user', value))
  const lines = [
    head('b'),
    oino('a', null, said('user', 'hi')),
    side('first'),
    side('second'),
    oino('b', 'a', said('assistant', 'ho')),
  ]
  const { branches, changes } = readSession(jsonl(lines))
  expect(branches.map(({ leaf, preview }) => [leaf, preview])).toEqual([['x', 'second']])
  expect(changes.map(({ code, before }) => [code, before])).toContainEqual([
    'record-invalid',
    expect.stringContaining('first'),
  ])
})

const link = (uuid: string, parentUuid: string | null, type: string, content: unknown, more: Line = {}): Line => ({
  type,
  uuid,
  parentUuid,
  sessionId: 's',
  timestamp: time,
  message: { id: `msg_${uuid}`, role: type, content },
  ...more,
})
const use = (id: string): Line => ({ type: 'tool_use', id, name: 'x', input: {} })
const result = (id: string, content: string): Line => ({ type: 'tool_result', tool_use_id: id, content })

it('claude-code: an answer without content is told', () => {
  const lines = [
    link('a', null, 'user', 'hi'),
    link('b', 'a', 'assistant', { odd: 'lost' }),
    link('c', 'b', 'user', 'on'),
  ]
  expect(tellings(jsonl(lines))).toEqual([['record-invalid', 'loss', expect.stringContaining('lost')]])
})

it('claude-code: a second result in a record off the chain, of which one was taken, is told', () => {
  const lines = [
    link('a', null, 'user', 'hi'),
    link('b', 'a', 'assistant', [use('A')]),
    link('r', 'b', 'user', [result('A', 'out'), result('A', 'lost')]),
    link('c', 'b', 'assistant', [text('ho')]),
  ]
  const { session, changes } = readSession(jsonl(lines))
  expect(JSON.stringify(session.messages)).toContain('"result":"out"')
  expect(changes.map(({ code, before }) => [code, before])).toEqual([['duplicate-result', 'lost']])
})

it('qwen-code: a compression whose history cannot be read, and a copy with another one, are told of', () => {
  const prompt = { ...link('a', null, 'user', []), message: { role: 'user', parts: [{ text: 'hi' }] } }
  const system = (history: unknown): Line => ({
    ...prompt,
    uuid: 'b',
    parentUuid: 'a',
    type: 'system',
    message: undefined,
    subtype: 'chat_compression',
    systemPayload: { compressedHistory: history },
  })
  expect(tellings(jsonl([prompt, system('lost')]))).toEqual([
    ['record-invalid', 'loss', expect.stringContaining('lost')],
  ])
  const list = (value: string): unknown => [{ role: 'user', parts: [{ text: value }] }]
  expect(tellings(jsonl([prompt, system(list('one')), system(list('two'))]))).toEqual([
    ['record-invalid', 'loss', expect.stringContaining('two')],
    ['compaction-applied', 'info', undefined],
  ])
})

it('gemini-cli: a message written anew with other content is told, one that is added to is not', () => {
  const about = { sessionId: 's', projectHash: 'h' }
  const message = (content: string): Line => ({ id: 'm', timestamp: time, type: 'gemini', content })
  expect(tellings(jsonl([about, message('one'), message('one and more')]))).toEqual([])
  expect(tellings(jsonl([about, message('one'), message('two')]))).toEqual([
    ['message-left-out', 'info', expect.stringContaining('one')],
  ])
})

it('dirge: the calls of a user, and summaries that the whole history leaves out, are told of', () => {
  const file = (messages: readonly Line[], compactions: readonly Line[]): Line => ({
    ...{ messages, compactions, working_dir: '/w', context_window: 1, provider: 'p' },
    ...{ total_estimated_tokens: 1, total_cost: 0 },
  })
  const call = { id: 'A', name: 'x', args: {}, state: { kind: 'completed', result: 'lost' } }
  expect(tellings(file([{ role: 'user', content: 'hi', tool_calls: [call] }], []))).toEqual([
    ['part-invalid', 'loss', expect.stringContaining('lost')],
  ])
})

it('what a call had given when it was interrupted is told where a later result takes its place', () => {
  const state = { status: 'interrupted', partial: 'half', reason: 'killed' }
  const list = [
    { role: 'assistant', content: '', toolCalls: [{ id: 'A', name: 'x', args: {}, state }] },
    { role: 'tool', toolCallId: 'A', content: 'whole' },
  ]
  expect(tellings(list)).toEqual([['synthetic-result-replaced', 'info', '{"partial":"half","reason":"killed"}']])
})
