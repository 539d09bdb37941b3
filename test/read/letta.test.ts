import { describe, expect, it } from 'vitest'
import { reader } from '../../src/read/letta/index.ts'
import type { ReadOptions } from '../../src/read/reader.ts'
import { growth, LINEAR } from '../hostile/growth.ts'
import {
  batter,
  callOf,
  codes,
  deepened,
  PROTOTYPE_NAMES,
  readAs,
  readWith,
  refusals,
  short,
  type Value,
} from './stored.ts'

let count = 0
const text = (value: string, more: Value = {}): Value => ({ type: 'text', text: value, signature: null, ...more })
const message = (role: string, more: Value = {}): Value => ({
  type: 'message',
  id: `message-${count++}`,
  role,
  content: [],
  tool_calls: null,
  tool_call_id: null,
  tool_returns: [],
  created_at: '2026-01-01T00:00:00+00:00',
  agent_id: 'agent-0',
  approvals: [],
  ...more,
})
const user = (value: string): Value => message('user', { content: [text(value)] })
const call = (id: string, name = 'look'): Value => ({
  id,
  type: 'function',
  function: { name, arguments: '{"at": 1}' },
})
const said = (calls: readonly Value[], ...content: unknown[]): Value =>
  message('assistant', { content, tool_calls: calls, model: 'claude-opus-4-6' })
const returned = (id: string | null, more: Value = {}): Value => ({
  tool_call_id: id,
  status: 'success',
  func_response: 'out',
  stdout: [],
  stderr: [],
  ...more,
})
const tool = (...returns: Value[]): Value => message('tool', { tool_returns: returns })
const system = message('system', { content: [text('be good')] })
const config = { model: 'claude-opus-4-6', model_endpoint_type: 'anthropic' }
const agent = (messages: readonly unknown[], more: Value = {}): Value => ({
  id: 'agent-0',
  name: 'Sam',
  agent_type: 'letta_v1_agent',
  system: 'be good at all times',
  llm_config: config,
  in_context_message_ids: messages.map((one) => (one as { id?: unknown } | null)?.id),
  messages,
  ...more,
})
const file = (messages: readonly unknown[], more: Value = {}, tools: readonly Value[] = []): Value => ({
  agents: [agent(messages, more)],
  groups: [],
  blocks: [],
  tools,
})
const read = (source: unknown, options: ReadOptions = {}) => readAs(reader, source, options)

it('an agent has its name, its prompt, its tools and its conversation', () => {
  const parameters = { type: 'object', properties: {} }
  const tools = [
    { id: 'tool-0', name: 'look', json_schema: { name: 'look', description: 'looks', parameters } },
    { id: 'tool-1', name: 'other', json_schema: null },
  ]
  const told = read(
    file([system, user('hi'), said([call('A')], text('yes')), tool(returned('A'))], { tool_ids: ['tool-0'] }, tools),
  )
  expect(told.session).toMatchObject({
    id: 'agent-0',
    title: 'Sam',
    source: { format: 'letta' },
    instructions: [{ type: 'text', text: 'be good' }],
    tools: [{ name: 'look', description: 'looks', parameters }],
  })
  expect(short(told)).toEqual(['user: hi', 'assistant: yes, A/look=completed:out'])
  expect(told.session.messages[1]).toMatchObject({
    by: { provider: 'anthropic', api: 'anthropic', model: 'claude-opus-4-6' },
    at: '2026-01-01T00:00:00.000Z',
    parts: [{}, { args: { at: 1 }, argsText: '{"at": 1}' }],
  })
  expect(codes(told)).toEqual([])
  expect(refusals(told.session)).toEqual([])
  expect(read(file([user('hi')])).session.instructions).toEqual([{ type: 'text', text: 'be good at all times' }])
})

describe('the context', () => {
  const [one, two, three] = [user('one'), user('two'), user('three')]

  it('is what the agent would send, in its order', () => {
    const told = read(file([one, two, three], { in_context_message_ids: [three.id, one.id, three.id, 'gone'] }))
    expect(short(told)).toEqual(['user: three', 'user: one'])
    expect(codes(told)).toEqual(['history-truncated', 'compaction-applied'])
    expect(
      short(read(file([one, two, three], { in_context_message_ids: [three.id] }), { history: 'full' })),
    ).toHaveLength(3)
  })

  it('was given by places in old files, where the agent is the file', () => {
    const old = agent([one, two], { in_context_message_ids: undefined, in_context_message_indices: [1, 7] })
    expect(short(read(old))).toEqual(['user: two'])
  })

  it('is that of the first agent', () => {
    const told = read({ agents: [agent([one]), agent([two])] })
    expect(short(told)).toEqual(['user: one'])
    expect(codes(told)).toEqual(['session-left-out'])
  })
})

describe('prompts', () => {
  it.each<[Value | string, string]>([
    [{ type: 'user_message', message: 'hi' }, 'user'],
    [{ type: 'heartbeat', reason: 'x' }, 'user (injected)'],
    [{ type: 'system_alert', message: 'login' }, 'user (injected)'],
    [{ type: 'system_alert', message: 'Note: ... a summary of the previous 8 messages: x' }, 'user (summary)'],
    ['{"type": broken', 'user'],
    ['plain', 'user'],
  ])('in the envelope %j are %s', (envelope, expected) => {
    const value = typeof envelope === 'string' ? envelope : JSON.stringify(envelope)
    expect(short(read(file([user(value)])))).toEqual([`${expected}: ${value}`])
  })

  it('are texts, lists of texts, or images', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } }
    const list = [
      message('user', { content: 'a' }),
      message('user', { content: ['b', image, 7] }),
      message('user', { content: null, text: 'c' }),
    ]
    const told = read(file(list))
    expect(short(told)).toEqual(['user: a', 'user: b, <image image/png>', 'user: c'])
    expect(codes(told)).toEqual(['part-invalid'])
  })
})

describe('results', () => {
  const outcome = (...after: Value[]) => short(read(file([user('hi'), said([call('A'), call('B')]), ...after])))[1]

  it('may be several in one message, and say that they failed', () => {
    expect(outcome(tool(returned('B', { status: 'error', func_response: 'broke' }), returned('A')))).toBe(
      'assistant: A/look=completed:out, B/look=failed:broke',
    )
  })

  it('are what the model saw, else what was printed', () => {
    expect(outcome(tool(returned('A', { func_response: null, stdout: ['a', 'b'], stderr: ['c'] })))).toContain(
      'A/look=completed:a\nb\nc',
    )
    expect(
      outcome(
        message('tool', {
          tool_call_id: 'A',
          content: [text('{"status": "OK"}')],
          tool_returns: [returned(null, { func_response: undefined })],
        }),
      ),
    ).toContain('A/look=completed:{"status": "OK"}')
    expect(outcome(message('tool', { tool_call_id: 'A', content: [text('old')] }))).toContain('A/look=completed:old')
    expect(outcome(tool(returned('A', { func_response: [text('x'), { type: 'y' }] })))).toContain(
      'A/look=completed:x|{"type":"y"}',
    )
  })

  it('that are missing leave their calls interrupted', () => {
    expect(outcome()).toBe('assistant: A/look=interrupted, B/look=interrupted')
  })
})

describe('approvals', () => {
  const asked = message('approval', { content: [text('may I?')], tool_calls: [call('A'), call('B')] })
  const answer = (...approvals: Value[]): Value => message('approval', { approvals })
  const lines = (...after: Value[]) => short(read(file([user('hi'), asked, ...after])))[1]
  const verdict = (id: string, approve: boolean): Value => ({
    type: 'approval',
    tool_call_id: id,
    approve,
    reason: 'why',
  })

  it('wait at the end only', () => {
    expect(lines()).toBe('assistant: may I?, A/look=pending approval, B/look=pending approval')
    expect(lines(user('never mind'))).toBe('assistant: may I?, A/look=interrupted, B/look=interrupted')
  })

  it('are given or refused', () => {
    expect(lines(answer(verdict('A', true), verdict('B', false)))).toBe(
      'assistant: may I?, A/look=pending approval yes, B/look=denied:why',
    )
    expect(lines(answer(verdict('A', true), verdict('B', false)), tool(returned('A')), user('more'))).toBe(
      'assistant: may I?, A/look=completed:out, B/look=denied:why',
    )
    const whole = message('approval', { approve: false, approval_request_id: asked.id, denial_reason: null })
    expect(lines(whole, user('more'))).toContain(
      'A/look=denied:The request to call the tool was denied., B/look=denied',
    )
  })

  it('that were refused may have a result that says so', () => {
    const said = tool(returned('A', { status: 'error', func_response: 'denied' }))
    const told = read(file([user('hi'), asked, answer(verdict('A', false)), said]))
    expect(callOf(told).state).toEqual({ status: 'failed', error: 'denied' })
    expect(codes(told)).toEqual(['call-unfinished'])
  })

  it('hold the results of calls that the client ran', () => {
    const result = { type: 'tool', tool_call_id: 'A', tool_return: 'ran', status: 'success' }
    expect(lines(answer(result, verdict('B', true)), user('more'))).toBe(
      'assistant: may I?, A/look=completed:ran, B/look=interrupted',
    )
  })

  it('are no obstacle to the APIs', () => {
    expect(refusals(read(file([user('hi'), asked, answer(verdict('A', true))])).session)).toEqual([])
  })
})

describe('reasoning', () => {
  const parts = (llm_config: Value, ...content: unknown[]) =>
    read(file([user('hi'), said([], ...content)], { llm_config })).session.messages[1]?.parts

  it('goes to the slot of the API that made it', () => {
    expect(
      parts(
        config,
        { type: 'reasoning', reasoning: 'hm', is_native: true, signature: 'S' },
        { type: 'redacted_reasoning', data: 'D' },
        { type: 'reasoning', reasoning: 'inner', is_native: false, signature: null },
        text('so'),
      ),
    ).toEqual([
      { type: 'reasoning', text: 'hm', extra: { anthropic: { signature: 'S' } } },
      { type: 'reasoning', text: '', redacted: true, extra: { anthropic: { data: 'D' } } },
      { type: 'reasoning', text: 'inner' },
      { type: 'text', text: 'so' },
    ])
    expect(
      parts(
        { model: 'gpt-5', model_endpoint_type: 'openai' },
        { type: 'summarized_reasoning', id: 'rs_1', summary: [{ index: 0, text: 'sum' }], encrypted_content: 'E' },
        text('so'),
      )?.[0],
    ).toEqual({
      type: 'reasoning',
      text: 'sum',
      extra: {
        'openai-responses': {
          item: { id: 'rs_1', summary: [{ type: 'summary_text', text: 'sum' }], encrypted_content: 'E' },
        },
      },
    })
    const google = { model: 'gemini-3', model_endpoint_type: 'google_ai' }
    expect(parts(google, text('so', { signature: 'T' }), { type: 'omitted_reasoning', signature: 'U' })).toEqual([
      { type: 'text', text: 'so', extra: { gemini: { thoughtSignature: 'T' } } },
      { type: 'reasoning', text: '', redacted: true, extra: { gemini: { thoughtSignature: 'U' } } },
    ])
  })

  it('stands beside calls that blocks repeat', () => {
    const block = { type: 'tool_call', id: 'A', name: 'look', input: { at: 1 } }
    const told = read(
      file([user('hi'), message('assistant', { content: [block], tool_calls: [call('A')] }), tool(returned('A'))]),
    )
    expect(short(told)[1]).toBe('assistant: A/look=completed:out')
    const alone = read(file([user('hi'), message('assistant', { content: [block] }), tool(returned('A'))]))
    expect(short(alone)[1]).toBe('assistant: A/look=completed:out')
  })
})

describe('hostile input', () => {
  const list = [
    system,
    user('{"type":"heartbeat"}'),
    said(
      [call('A')],
      { type: 'reasoning', reasoning: 'x', signature: 'S' },
      { type: 'summarized_reasoning', summary: [{ text: 'x' }] },
    ),
    tool(returned('A', { func_response: [text('x')] })),
    message('approval', { tool_calls: [call('B')] }),
    message('approval', { approvals: [{ type: 'approval', tool_call_id: 'B', approve: true }] }),
    said([], text('the last reply')),
  ]

  it('costs no other message', () => {
    const source = file(list, { tool_ids: ['t'] }, [{ id: 't', json_schema: { name: 'look', parameters: {} } }])
    const runs = batter(reader, source, 'the last reply', [{ history: 'full' }])
    console.info(`letta: ${runs} damaged files`)
    expect(runs).toBeGreaterThan(300)
  })

  it.each(PROTOTYPE_NAMES)('%s is a name like any other', (name) => {
    const told = readWith(
      reader,
      file([
        { ...user('hi'), id: name },
        { ...said([call(name, name)], { type: name }), id: `${name}2` },
        { ...tool(returned(name)), id: `${name}3` },
        { ...message(name), id: `${name}4` },
      ]),
    )
    expect(short(told)).toEqual(['user: hi', `assistant: ${name}/${name}=completed:out`])
    expect(codes(told)).toEqual(['part-invalid', 'record-unknown'])
  })

  it('keeps what is too deep as text', () => {
    const deep = message('assistant', { content: [{ type: 'tool_call', id: 'A', name: 'x', input: { deep: 'MARK' } }] })
    const told = read(deepened(file([user('hi'), deep]), 'MARK'))
    expect(String(callOf(told).args)).toContain('[[[[')
    expect(codes(told)).toContain('value-too-deep')
  })

  it('is read in linear time', async () => {
    const many = (count: number): void => {
      const calls = Array.from({ length: count }, (_, index) => call(`A${index}`))
      read(file([user('hi'), said(calls), ...calls.map(({ id }) => tool(returned(String(id))))]))
    }
    expect(await growth(20_000, many)).toBeLessThan(LINEAR)
  })
})
