import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { reader } from '../../src/read/langchain/index.ts'
import { growth, LINEAR } from '../hostile/growth.ts'
import {
  batter,
  callOf,
  callsOf,
  codes,
  deepened,
  PROTOTYPE_NAMES,
  readAs,
  readWith,
  refusals,
  short,
  type Value,
} from './stored.ts'

const stored = (type: string, data: Value): Value => ({
  type,
  data: { additional_kwargs: {}, response_metadata: {}, ...data },
})
const human = (content: unknown, more: Value = {}): Value => stored('human', { content, ...more })
const ai = (content: unknown, more: Value = {}): Value =>
  stored('ai', { content, tool_calls: [], invalid_tool_calls: [], ...more })
const call = (id: string, name = 'look', args: unknown = { at: 1 }): Value => ({ id, name, args, type: 'tool_call' })
const tool = (id: string, content: unknown = 'out', more: Value = {}): Value =>
  stored('tool', { content, tool_call_id: id, ...more })
const lc = (name: string, kwargs: Value): Value => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs,
})
const read = (source: unknown) => readAs(reader, source)
const answer = (content: unknown, more: Value = {}) =>
  read([human('hi'), ai(content, more), human('more')]).session.messages[1]

describe('the envelopes', () => {
  const calls = { tool_calls: [call('A')] }

  it.each<[string, readonly Value[]]>([
    ['of stored histories', [human('hi'), ai('so', calls), tool('A')]],
    [
      'of serialised objects',
      [
        lc('HumanMessage', { content: 'hi' }),
        lc('AIMessageChunk', { content: 'so', ...calls }),
        lc('ToolMessage', { content: 'out', tool_call_id: 'A' }),
      ],
    ],
    [
      'of servers',
      [
        { type: 'human', content: 'hi' },
        { type: 'ai', content: 'so', ...calls },
        { type: 'tool', content: 'out', tool_call_id: 'A' },
      ],
    ],
    [
      'of chunks',
      [
        { type: 'HumanMessageChunk', content: 'hi' },
        { type: 'AIMessageChunk', content: 'so', ...calls },
        { type: 'ToolMessageChunk', content: 'out', tool_call_id: 'A' },
      ],
    ],
    [
      'of messages with roles',
      [
        stored('chat', { role: 'user', content: 'hi' }),
        stored('generic', { role: 'assistant', content: 'so', ...calls }),
        tool('A'),
      ],
    ],
  ])('%s are the same messages', (_, list) => {
    const told = read(list)
    expect(short(told)).toEqual(['user: hi', 'assistant: so, A/look=completed:out'])
    expect(codes(told)).toEqual([])
    expect(refusals(told.session)).toEqual([])
  })

  it('of the first version have a text', () => {
    expect(
      short(
        read([
          { type: 'human', role: undefined, text: 'hi' },
          { type: 'ai', text: 'so' },
        ]),
      ),
    ).toEqual(['user: hi', 'assistant: so'])
  })

  it('of system messages are instructions', () => {
    const told = read([stored('system', { content: 'be good' }), human('hi'), stored('system', { content: 'now' })])
    expect(told.session.instructions).toEqual([{ type: 'text', text: 'be good' }])
    expect(short(told)[1]).toBe('instruction: now')
  })

  it('of removals carry them out', () => {
    const told = read([human('a', { id: '1' }), ai('b', { id: '2' }), stored('remove', { id: '1', content: '' })])
    expect(short(told)).toEqual(['assistant: b'])
    expect(codes(told)).toEqual(['message-left-out'])
    const again = [human('a', { id: '1' }), stored('remove', { id: '1', content: '' }), human('c', { id: '1' })]
    expect(short(read(again))).toEqual(['user: c'])
    const all = read([human('a'), stored('remove', { id: '__remove_all__', content: '' }), human('c')])
    expect(short(all)).toEqual(['user: c'])
  })
})

describe('results', () => {
  it('say that they failed', () => {
    const told = read([human('hi'), ai('', { tool_calls: [call('A')] }), tool('A', 'broke', { status: 'error' })])
    expect(callOf(told).state).toEqual({ status: 'failed', error: 'broke' })
  })

  it('hold texts, media and anything else', () => {
    const content = [
      { type: 'text', text: 'x' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
      { type: 'json', json: { a: 1 } },
      'y',
    ]
    expect(callOf(read([ai('', { tool_calls: [call('A')] }), tool('A', content)])).state).toEqual({
      status: 'completed',
      result: [
        { type: 'text', text: 'x' },
        { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'AA==' } },
        { type: 'json', value: { type: 'json', json: { a: 1 } } },
        { type: 'text', text: 'y' },
      ],
    })
  })

  it('of functions have a name alone', () => {
    const told = read([
      human('hi'),
      ai('', { additional_kwargs: { function_call: { name: 'look', arguments: '{"at":1}' } } }),
      stored('function', { name: 'look', content: 'out' }),
    ])
    expect(short(told)[1]).toBe('assistant: /look=completed:out')
    expect(codes(told)).toEqual(['legacy-function-call', 'result-paired-by-order'])
  })
})

describe('calls without a result', () => {
  const asked = ai('', { id: 'a', tool_calls: [call('A'), call('B')] })

  it('wait in the last message, and are interrupted before', () => {
    expect(short(read([human('hi'), asked]))[1]).toBe('assistant: A/look=pending, B/look=pending')
    expect(short(read([human('hi'), asked, human('more')]))[1]).toBe(
      'assistant: A/look=interrupted, B/look=interrupted',
    )
    expect(short(read([human('hi'), asked, tool('A')]))[1]).toBe('assistant: A/look=completed:out, B/look=interrupted')
  })

  it.each<[string, (messages: readonly Value[]) => unknown]>([
    ['a result', (messages) => ({ messages, __interrupt__: [{ value: 'sure?', id: 'i' }] })],
    [
      'a snapshot',
      (messages) => ({ values: { messages }, next: ['tools'], tasks: [{ id: 't', interrupts: [{ value: 1 }] }] }),
    ],
    ['a thread', (messages) => ({ values: { messages }, next: [], interrupts: { t: [{ value: 1 }] } })],
    [
      'a checkpoint',
      (messages) => ({
        checkpoint: { v: 4, id: 'c', ts: '2026-01-01T00:00:00Z', channel_values: { messages } },
        metadata: { thread_id: 'T' },
        pending_writes: [['t', '__interrupt__', [{ value: 1 }]]],
      }),
    ],
  ])('wait for approval where %s tells of an interrupt', (_, state) => {
    const told = read(state([human('hi'), asked, tool('A')]))
    expect(short(told)[1]).toBe('assistant: A/look=completed:out, B/look=pending approval')
    expect(short(read(state([human('hi'), asked, tool('A'), human('more')])))[1]).toContain('B/look=interrupted')
  })

  it('do not wait where the graph went on', () => {
    const state = {
      values: { messages: [human('hi'), asked, tool('A')] },
      next: [],
      tasks: [{ id: 't', interrupts: [] }],
    }
    expect(short(read(state))[1]).toContain('B/look=interrupted')
  })

  it('were never started where their arguments are broken', () => {
    const invalid = { id: 'A', name: 'look', args: '{"at', error: 'bad JSON', type: 'invalid_tool_call' }
    const told = read([human('hi'), ai('', { invalid_tool_calls: [invalid] })])
    expect(callOf(told)).toEqual({
      type: 'tool-call',
      id: 'A',
      name: 'look',
      args: '{"at',
      argsText: '{"at',
      state: { status: 'interrupted', dispatched: false, reason: 'bad JSON' },
    })
    expect(codes(told)).toEqual(['call-unfinished'])
    expect(refusals(told.session)).toEqual([])
    const late = read([
      human('hi'),
      ai('', { invalid_tool_calls: [invalid] }),
      tool('A', 'try again', { status: 'error' }),
    ])
    expect(callOf(late).state).toMatchObject({ status: 'failed' })
  })
})

describe('states of graphs', () => {
  it('are checkpoints, with the writes that were not folded in', () => {
    const told = read({
      checkpoint: {
        v: 4,
        id: 'c',
        ts: '2026-01-01T00:00:00Z',
        channel_values: {
          messages: [
            lc('HumanMessage', { content: 'hi', id: '1' }),
            lc('AIMessage', { content: '', id: '2', tool_calls: [call('A')] }),
          ],
        },
      },
      config: { configurable: { thread_id: 'T' } },
      pending_writes: [
        ['t', 'messages', [lc('ToolMessage', { content: 'out', tool_call_id: 'A', id: '3' })]],
        ['t', 'other', 1],
        ['t', 'messages', lc('HumanMessage', { content: 'hello', id: '1' })],
      ],
    })
    expect(told.session).toMatchObject({ id: 'T', createdAt: '2026-01-01T00:00:00.000Z' })
    expect(short(told)).toEqual(['user: hello', 'assistant: A/look=completed:out'])
  })

  it('are rows of a store, of which the newest is taken', () => {
    const row = (checkpoint_id: string, content: string, more: Value = {}): Value => ({
      thread_id: 'T',
      checkpoint_ns: '',
      checkpoint_id,
      type: 'json',
      checkpoint: JSON.stringify({
        channel_values: { messages: [human(content), ai('', { tool_calls: [call('A')] })] },
      }),
      ...more,
    })
    const told = read({
      tables: {
        checkpoints: [row('2', 'new'), row('1', 'old'), row('3', 'inner', { checkpoint_ns: 'sub' })],
        writes: [
          {
            thread_id: 'T',
            checkpoint_ns: '',
            checkpoint_id: '2',
            channel: 'messages',
            value: JSON.stringify([tool('A')]),
          },
          {
            thread_id: 'T',
            checkpoint_ns: '',
            checkpoint_id: '1',
            channel: 'messages',
            value: JSON.stringify([tool('A', 'no')]),
          },
        ],
      },
    })
    expect(short(told)).toEqual(['user: new', 'assistant: A/look=completed:out'])
    expect(told.session.id).toBe('T')
    const bytes = row('2', 'new', { checkpoint: new TextEncoder().encode(row('2', 'bytes').checkpoint as string) })
    expect(short(read({ tables: { checkpoints: [bytes] } }))[0]).toBe('user: bytes')
    expect(() => read({ tables: { checkpoints: [row('2', 'x', { checkpoint: new Uint8Array([0x80]) })] } })).toThrow(
      'langchain',
    )
  })
})

describe('contents of an answer', () => {
  it('repeat its calls, which then stand where their blocks do', () => {
    const message = answer(
      [
        { type: 'text', text: 'one' },
        { type: 'tool_use', id: 'B', name: 'look', input: {} },
        { type: 'text', text: 'two' },
        { type: 'input_json_delta', input: '{' },
      ],
      { tool_calls: [call('A'), call('B')] },
    )
    expect(message?.parts.map((part) => ('id' in part ? part.id : part.type))).toEqual(['text', 'B', 'text', 'A'])
  })

  it('are all that is left of calls in old messages', () => {
    expect(answer([{ type: 'tool_use', id: 'A', name: 'look', input: { at: 1 } }])?.parts).toMatchObject([
      { type: 'tool-call', id: 'A', name: 'look', args: { at: 1 } },
    ])
    const raw = { id: 'A', type: 'function', function: { name: 'look', arguments: '{"at": 1}' } }
    expect(answer('', { additional_kwargs: { tool_calls: [raw] } })?.parts).toMatchObject([
      { type: 'tool-call', id: 'A', args: { at: 1 }, argsText: '{"at": 1}' },
    ])
    expect(answer('', { tool_calls: [call('A')], additional_kwargs: { tool_calls: [raw] } })?.parts).toMatchObject([
      { argsText: '{"at": 1}' },
    ])
  })

  it('of Anthropic keep their signatures and the tools of its server', () => {
    const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } }
    const result = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
    const message = answer(
      [
        { type: 'thinking', thinking: 'hm', signature: 'S', index: 0 },
        { type: 'redacted_thinking', data: 'D' },
        use,
        result,
        { type: 'text', text: 'so', citations: [{ type: 'x' }] },
      ],
      { response_metadata: { model_provider: 'anthropic', model_name: 'claude-sonnet-4-5', stop_reason: 'end_turn' } },
    )
    expect(message).toMatchObject({
      by: { provider: 'anthropic', api: 'anthropic', model: 'claude-sonnet-4-5' },
      stop: 'end',
      parts: [
        { type: 'reasoning', text: 'hm', extra: { anthropic: { signature: 'S' } } },
        { redacted: true, extra: { anthropic: { data: 'D' } } },
        { executor: 'provider', state: { status: 'completed' }, extra: { anthropic: { use, result } } },
        { type: 'text', extra: { anthropic: { citations: [{ type: 'x' }] } } },
      ],
    })
  })

  it('of the Responses API keep items and ids, in the content or beside it', () => {
    const response_metadata = { id: 'resp_1', object: 'response', model_name: 'gpt-5', model_provider: 'openai' }
    const inside = answer(
      [
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'hm', index: 0 }],
          encrypted_content: 'E',
          index: 0,
        },
        { type: 'text', text: 'a', id: 'msg_1', annotations: [] },
        { type: 'text', text: 'b', id: 'msg_1' },
        { type: 'function_call', id: 'fc_1', call_id: 'A', name: 'look', arguments: '{}' },
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } },
      ],
      {
        response_metadata,
        additional_kwargs: { __openai_function_call_ids__: { A: 'fc_1' } },
        tool_calls: [call('A')],
      },
    )
    const item = { id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'E' }
    expect(inside).toMatchObject({
      by: { provider: 'openai', api: 'openai-responses', model: 'gpt-5' },
      parts: [
        { type: 'reasoning', text: 'hm', extra: { 'openai-responses': { item } } },
        { text: 'a', extra: { 'openai-responses': { item: { id: 'msg_1' } } } },
        { text: 'b', extra: { 'openai-responses': { joined: true } } },
        { id: 'A', extra: { 'openai-responses': { id: 'fc_1' } } },
        { executor: 'provider', name: 'web_search' },
      ],
    })
    const beside = answer([], {
      response_metadata,
      additional_kwargs: {
        reasoning: { type: 'reasoning', ...item, summary: [{ type: 'summary_text', text: 'hm', index: 0 }] },
      },
    })
    expect(beside?.parts).toEqual([{ type: 'reasoning', text: 'hm', extra: { 'openai-responses': { item } } }])
  })

  it('of chat completions have reasoning and refusals beside them', () => {
    const message = answer('so', {
      additional_kwargs: { reasoning_content: 'hm', refusal: 'no', reasoning_details: [{ type: 'x' }], other: 1 },
      response_metadata: { model_name: 'deepseek-reasoner', model_provider: 'deepseek', finish_reason: 'stop' },
      name: 'node',
    })
    expect(message).toMatchObject({
      by: { provider: 'deepseek', api: 'openai-chat' },
      parts: [
        { type: 'reasoning', text: 'hm', extra: { 'openai-chat': { field: 'reasoning_content' } } },
        { text: 'so' },
      ],
      extra: {
        'openai-chat': { refusal: 'no', reasoning_details: [{ type: 'x' }] },
        langchain: { name: 'node', additional_kwargs: { other: 1 } },
      },
    })
  })

  it('of Gemini and Bedrock keep their signatures', () => {
    const gemini = { response_metadata: { model_provider: 'google_genai', model_name: 'gemini-3' } }
    expect(
      answer([{ type: 'text', text: 'a', extras: { signature: 'S' } }], {
        ...gemini,
        tool_calls: [call('A')],
        additional_kwargs: { __gemini_function_call_thought_signatures__: { A: 'T' } },
      })?.parts,
    ).toMatchObject([
      { extra: { gemini: { thoughtSignature: 'S' } } },
      { extra: { gemini: { thoughtSignature: 'T' } } },
    ])
    expect(
      answer([{ type: 'reasoning_content', reasoning_content: { text: 'hm', signature: 'S' } }], {
        response_metadata: { model_provider: 'bedrock_converse', model_name: 'x' },
      })?.parts,
    ).toEqual([{ type: 'reasoning', text: 'hm', extra: { bedrock: { signature: 'S' } } }])
  })

  it('in the words of the library are the same', () => {
    expect(
      answer([
        { type: 'reasoning', reasoning: 'hm', extras: { signature: 'S' } },
        { type: 'non_standard', value: { type: 'thinking', thinking: 'x', signature: 'T' } },
        { type: 'tool_call', id: 'A', name: 'look', args: { at: 1 } },
        { type: 'server_tool_call', id: 'B', name: 'search', args: {} },
        { type: 'server_tool_call_result', tool_call_id: 'B', status: 'success', output: 'found' },
        { type: 'image', base64: 'AA==', mime_type: 'image/png' },
      ])?.parts,
    ).toMatchObject([
      { type: 'reasoning', extra: { anthropic: { signature: 'S' } } },
      { type: 'reasoning', extra: { anthropic: { signature: 'T' } } },
      { type: 'tool-call', id: 'A', args: { at: 1 } },
      { type: 'tool-call', id: 'B', executor: 'provider', state: { status: 'completed', result: 'found' } },
      { type: 'media', source: { base64: 'AA==' } },
    ])
  })

  it('count tokens', () => {
    const usage_metadata = {
      input_tokens: 1,
      output_tokens: 2,
      total_tokens: 3,
      input_token_details: { cache_read: 4, cache_creation: 5 },
      output_token_details: { reasoning: 6 },
    }
    expect(answer('x', { usage_metadata })).toMatchObject({
      usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 4, cacheWriteTokens: 5, reasoningTokens: 6 },
    })
  })

  it('name a model once, however often a stream did', () => {
    expect(answer('x', { response_metadata: { model: 'gpt-5gpt-5' } })).toMatchObject({ by: { model: 'gpt-5' } })
  })
})

it('prompts hold media of three generations', () => {
  const told = read([
    human([
      'plain',
      { type: 'image_url', image_url: 'https://x/y.png' },
      { type: 'image', source_type: 'base64', data: 'AA==', mime_type: 'image/png' },
      { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: 'AA==' } },
      { type: 'file', url: 'https://x/y.pdf', mime_type: 'application/pdf', filename: 'y.pdf' },
      { type: 'text-plain', text: 'x' },
      { type: 'audio', base64: 'AA==', mime_type: 'audio/wav' },
      { type: 'brand-new' },
    ]),
  ])
  expect(short(told)).toEqual([
    'user: plain, <image >, <image image/png>, <image image/gif>, <file application/pdf>, <file text/plain>, <audio audio/wav>',
  ])
  expect(codes(told)).toEqual(['part-invalid'])
})

describe('hostile input', () => {
  const list = [
    stored('system', { content: 'be good' }),
    human([{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }], { id: '1' }),
    ai(
      [
        { type: 'thinking', thinking: 'x', signature: 'S' },
        { type: 'tool_use', id: 'A', name: 'look', input: {} },
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'x' }] },
      ],
      {
        tool_calls: [call('A')],
        invalid_tool_calls: [{ id: 'B', name: 'x', args: '{', error: 'e' }],
        response_metadata: { model_name: 'claude-x', usage: { input_tokens: 1 } },
        usage_metadata: { input_tokens: 1, input_token_details: { cache_read: 1 } },
        additional_kwargs: { __openai_function_call_ids__: { A: 'fc_1' }, reasoning: { summary: [] } },
      },
    ),
    tool('A', [{ type: 'text', text: 'x' }], { status: 'error' }),
    stored('remove', { id: '9' }),
    ai('the last reply'),
  ]

  it('costs no other message', () => {
    const state = { checkpoint: { channel_values: { messages: list } }, pending_writes: [['t', 'messages', list[3]]] }
    const runs = batter(reader, list, 'the last reply') + batter(reader, state, 'the last reply')
    console.info(`langchain: ${runs} damaged histories`)
    expect(runs).toBeGreaterThan(300)
  })

  it.each(PROTOTYPE_NAMES)('%s is a name like any other', (name) => {
    const told = read(
      [
        human('hi'),
        ai([{ type: name }], {
          tool_calls: [call(name, name)],
          additional_kwargs: { [name]: 1 },
          response_metadata: { model_provider: name },
        }),
        tool(name),
        stored(name, { content: 'x' }),
        lc(name, { content: 'x' }),
      ].slice(0, 3),
    )
    expect(short(told)[1]).toBe(`assistant: ${name}/${name}=completed:out`)
    expect(codes(told)).toEqual(['part-invalid'])
    expect(codes(readWith(reader, [human('hi'), stored(name, { content: 'x' }), lc(name, { content: 'x' })]))).toEqual([
      'record-unknown',
      'record-unknown',
    ])
  })

  it('keeps what is too deep as text', () => {
    const told = read(deepened([human('hi'), ai('', { tool_calls: [call('A', 'look', { deep: 'MARK' })] })], 'MARK'))
    expect(String(callOf(told).args)).toContain('[[[[')
    expect(codes(told)).toContain('value-too-deep')
  })

  it('is read in linear time', async () => {
    const many = (count: number): void => {
      const calls = Array.from({ length: count }, (_, index) => call(`A${index}`))
      const blocks = calls.map(({ id }) => ({ type: 'tool_use', id, name: 'look', input: {} }))
      const removed = calls.map((_, index) => stored('remove', { id: `${index}` }))
      const results = calls.map(({ id }) => tool(String(id)))
      const told = read([human('hi'), ai(blocks, { tool_calls: calls }), ...results, ...removed])
      expect(callsOf(told.session).every((one) => one.state.status === 'completed')).toBe(true)
    }
    expect(await growth(20_000, many)).toBeLessThan(LINEAR)
  })
})

const FOLDER = join(import.meta.dirname, '../../../shared/sessions/langchain')
const present = existsSync(FOLDER)
const files = present ? readdirSync(FOLDER).filter((name) => name.endsWith('.json')) : []
if (!present) console.info('langchain: no stored sessions here, skipped')

describe.skipIf(!present)('stored sessions', () => {
  const table: Record<string, Record<string, number>> = {}

  it.each(files)('%s: every call has its own outcome', (name) => {
    const source = readFileSync(join(FOLDER, name), 'utf8')
    const told = readAs(reader, source)
    // A plain scan that shares no code with the reader.
    const rows = (JSON.parse(source) as Value[]).map((row) => (row.data ?? row.kwargs) as { [key: string]: unknown })
    const results = new Map(rows.map((row) => [row.tool_call_id, row.content]))
    const wanted = rows.flatMap((row) => (row.tool_calls ?? []) as Value[]).map(({ id }) => [id, results.get(id)])
    const calls = callsOf(told.session)
    expect(calls.map(({ id, state }) => [id, state.status === 'completed' ? state.result : undefined])).toEqual(wanted)
    expect(calls.every(({ state }) => state.status === 'pending')).toBe(true)
    expect(refusals(told.session)).toEqual([])
    table[name] = { messages: told.session.messages.length, calls: calls.length, pending: calls.length }
    if (name === files.at(-1)) console.table(table)
  })
})
