import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { reader } from '../../src/read/ai-sdk/index.ts'
import { growth, LINEAR } from '../hostile/growth.ts'
import {
  batter,
  callOf,
  callsOf,
  codes,
  deepened,
  outputText,
  PROTOTYPE_NAMES,
  readAs,
  readWith,
  refusals,
  short,
  type Value,
} from './stored.ts'

const text = (value: string, more: Value = {}): Value => ({ type: 'text', text: value, ...more })
const user = (...parts: unknown[]): Value => ({ id: 'u', role: 'user', parts })
const said = (...parts: unknown[]): Value => ({ id: 'a', role: 'assistant', parts })
const tool = (id: string, state: string, more: Value = {}): Value => ({
  type: 'tool-look',
  toolCallId: id,
  state,
  input: { at: 1 },
  ...more,
})
const done = (id: string, output: unknown = 'out', more: Value = {}): Value =>
  tool(id, 'output-available', { output, ...more })
const undone = (id: string): Value => tool(id, 'output-available')
const step = { type: 'step-start' }
const hi = user(text('hi'))
const read = (source: unknown) => readAs(reader, source)
/** An answer in the last message, and the same before a further prompt. */
const last = (...parts: unknown[]) => read([hi, said(...parts)])
const earlier = (...parts: unknown[]) => read([hi, said(...parts), user(text('more'))])

describe('the states of a call', () => {
  it.each<[string, Value, string, string]>([
    ['input-streaming', { input: { at: 'cu' } }, 'never started', 'never started'],
    ['input-available', {}, 'pending', 'interrupted'],
    ['approval-requested', { approval: { id: 'p' } }, 'pending approval', 'never started'],
    ['approval-responded', { approval: { id: 'p', approved: true } }, 'pending approval yes', 'interrupted'],
    [
      'approval-responded',
      { approval: { id: 'p', approved: false } },
      'pending approval no',
      'denied:Tool execution denied.',
    ],
    [
      'approval-responded',
      { approval: { id: 'p', approved: false, reason: 'not now' } },
      'pending approval no',
      'denied:not now',
    ],
    ['output-available', { output: 'out' }, 'completed:out', 'completed:out'],
    ['output-available', { output: 'so far', preliminary: true }, 'interrupted', 'interrupted'],
    ['output-error', { errorText: 'broke' }, 'failed:broke', 'failed:broke'],
    ['output-denied', { approval: { id: 'p', approved: false, reason: 'no' } }, 'denied:no', 'denied:no'],
    ['output-denied', {}, 'denied:Tool execution denied.', 'denied:Tool execution denied.'],
    ['some-new-state', {}, 'interrupted', 'interrupted'],
  ])('%s %j is %s in the last message, %s before', (state, more, atEnd, before) => {
    expect(short(last(tool('A', state, more)))[1]).toBe(`assistant: A/look=${atEnd}`)
    expect(short(earlier(tool('A', state, more)))[1]).toBe(`assistant: A/look=${before}`)
    expect(refusals(earlier(tool('A', state, more)).session)).toEqual([])
  })

  it('is told where it is not known', () => {
    expect(codes(earlier(tool('A', 'input-streaming')))).toEqual(['call-unfinished'])
    expect(codes(earlier(tool('A', 'input-available')))).toEqual(['call-unfinished'])
    expect(codes(last(tool('A', 'input-available')))).toEqual([])
    expect(codes(last(tool('A', 'some-new-state')))).toEqual(['record-unknown', 'call-unfinished'])
    expect(callOf(last(tool('A', 'output-available', { output: 'so far', preliminary: true }))).state).toEqual({
      status: 'interrupted',
      partial: 'so far',
    })
  })

  it('waits only in the last step', () => {
    expect(short(last(step, tool('A', 'input-available'), step, tool('B', 'input-available'))).slice(1)).toEqual([
      'assistant: A/look=interrupted',
      'assistant: B/look=pending',
    ])
  })

  it('of dynamic tools is the same', () => {
    const dynamic = { ...done('A'), type: 'dynamic-tool', toolName: 'mcp' }
    expect(short(last(dynamic))[1]).toBe('assistant: A/mcp=completed:out')
  })

  it('keeps input that could not be parsed', () => {
    const call = callOf(last(tool('A', 'output-error', { input: undefined, rawInput: '{"a', errorText: 'no JSON' })))
    expect(call).toMatchObject({ args: '{"a', argsText: '{"a', state: { status: 'failed', error: 'no JSON' } })
  })
})

describe('outputs', () => {
  it.each<[unknown, unknown]>([
    ['text', 'text'],
    [null, [{ type: 'json', value: null }]],
    [7, [{ type: 'json', value: 7 }]],
    [{ a: [1] }, [{ type: 'json', value: { a: [1] } }]],
  ])('%j go to the model as %j', (output, result) => {
    expect(callOf(last(done('A', output))).state).toEqual({ status: 'completed', result })
  })

  it('that are not there are empty', () => {
    expect(callOf(last(undone('A'))).state).toEqual({ status: 'completed', result: '' })
  })

  it('of MCP servers say whether they failed', () => {
    const output = { content: [{ type: 'text', text: 'no such page' }], isError: true }
    expect(callOf(last(done('A', output))).state).toEqual({
      status: 'failed',
      error: [{ type: 'json', value: output }],
    })
    const fine = { ...output, isError: false }
    expect(callOf(last(done('A', fine))).state).toEqual({
      status: 'completed',
      result: [{ type: 'json', value: fine }],
    })
  })

  it('of MCP servers with media are parts', () => {
    const content = [
      { type: 'text', text: 'see' },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'x' },
    ]
    expect(callOf(last(done('A', { content }))).state).toMatchObject({
      result: [
        { type: 'text', text: 'see' },
        { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'AA==' } },
        { type: 'json', value: { type: 'x' } },
      ],
    })
  })
})

describe('an answer is several messages', () => {
  const lines = (...parts: unknown[]) => short(last(...parts)).slice(1)

  it('where steps start', () => {
    expect(lines(step, text('a'), done('A'), step, done('B'), step, text('z'))).toEqual([
      'assistant: a, A/look=completed:out',
      'assistant: B/look=completed:out',
      'assistant: z',
    ])
  })

  it('where text follows the result of a tool, but not where a call does', () => {
    expect(lines(done('A'), done('B'), text('z'), text('y'))).toEqual([
      'assistant: A/look=completed:out, B/look=completed:out',
      'assistant: z, y',
    ])
    expect(lines(done('A', 'x', { providerExecuted: true }), text('z'))).toHaveLength(1)
  })

  it('of which the first has the id, and all the author', () => {
    const { session } = read([
      hi,
      { ...said(step, done('A'), step, text('z')), metadata: { model: 'm', provider: 'p', usage: { inputTokens: 1 } } },
    ])
    expect(session.messages.slice(1)).toMatchObject([
      { id: 'a', by: { provider: 'p', model: 'm' } },
      { by: { provider: 'p', model: 'm' }, usage: { inputTokens: 1 } },
    ])
    expect(session.messages[2]?.id).toBeUndefined()
  })
})

describe('other parts', () => {
  it('are files, notes of the screen, and what is not known', () => {
    const told = read([
      user(
        text('see'),
        { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==', filename: 'a.png' },
        { type: 'file', mediaType: 'application/pdf', url: 'https://x/y.pdf' },
        { type: 'data-weather', data: { t: 1 } },
      ),
      said(
        { type: 'source-url', sourceId: '1', url: 'https://x' },
        { type: 'file', mediaType: 'audio/mpeg', url: 'data:audio/mpeg;base64,AA==' },
        { type: 'brand-new' },
        'bare',
        text(''),
        text('ok'),
      ),
    ])
    expect(short(told)).toEqual([
      'user: see, <image image/png>, <file application/pdf>',
      'assistant: <audio audio/mpeg>, ok',
    ])
    expect(told.session.messages[0]?.parts[1]).toEqual({
      type: 'media',
      kind: 'image',
      mediaType: 'image/png',
      source: { base64: 'AA==' },
      name: 'a.png',
    })
    expect(codes(told)).toEqual(['part-left-out', 'part-left-out', 'part-invalid', 'part-invalid', 'text-empty'])
  })

  it('of a compaction are its item', () => {
    const part = {
      type: 'custom',
      kind: 'openai.compaction',
      providerMetadata: { openai: { itemId: 'cmp_1', encryptedContent: 'E' } },
    }
    expect(last(text('a'), part).session.messages[1]?.parts[1]).toEqual({
      type: 'native',
      api: 'openai-responses',
      value: { type: 'compaction', id: 'cmp_1', encrypted_content: 'E' },
    })
  })

  it('system messages are instructions, the first ones of the session', () => {
    const told = read([{ role: 'system', parts: [text('be good')] }, hi, { role: 'system', parts: [text('now')] }])
    expect(told.session.instructions).toEqual([{ type: 'text', text: 'be good' }])
    expect(short(told)).toEqual(['user: hi', 'instruction: now'])
  })
})

describe('provider metadata', () => {
  const partsOf = (...parts: unknown[]) => last(...parts).session.messages[1]?.parts

  it('goes to the slot of the API that made it', () => {
    expect(
      partsOf(
        { type: 'reasoning', text: 'a', providerMetadata: { anthropic: { signature: 'S' } } },
        { type: 'reasoning', text: '', providerMetadata: { anthropic: { redactedData: 'D' } } },
        { type: 'reasoning', text: 'b', providerMetadata: { bedrock: { signature: 'S' } } },
        { type: 'reasoning', text: 'c', providerMetadata: { google: { thoughtSignature: 'S' } } },
        text('t', { providerMetadata: { vertex: { thoughtSignature: 'S' } } }),
        done('A', 'x', { callProviderMetadata: { google: { thoughtSignature: 'S' } } }),
      ),
    ).toMatchObject([
      { extra: { anthropic: { signature: 'S' } } },
      { redacted: true, extra: { anthropic: { data: 'D' } } },
      { extra: { bedrock: { signature: 'S' } } },
      { extra: { gemini: { thoughtSignature: 'S' } } },
      { extra: { gemini: { thoughtSignature: 'S' } } },
      { extra: { gemini: { thoughtSignature: 'S' } } },
    ])
  })

  it('puts the pieces of one item together', () => {
    const openai = (more: Value) => ({ providerMetadata: { openai: more } })
    expect(
      partsOf(
        { type: 'reasoning', text: 'one', ...openai({ itemId: 'rs_1', reasoningEncryptedContent: null }) },
        { type: 'reasoning', text: 'two', ...openai({ itemId: 'rs_1', reasoningEncryptedContent: 'E' }) },
        { type: 'reasoning', text: '', ...openai({ itemId: 'rs_2', reasoningEncryptedContent: 'F' }) },
        text('a', openai({ itemId: 'msg_1', phase: 'commentary' })),
        text('b', openai({ itemId: 'msg_1' })),
        done('A', 'x', { callProviderMetadata: { openai: { itemId: 'fc_1' } } }),
      ),
    ).toEqual([
      {
        type: 'reasoning',
        text: 'one\n\ntwo',
        extra: {
          'openai-responses': {
            item: {
              id: 'rs_1',
              summary: [
                { type: 'summary_text', text: 'one' },
                { type: 'summary_text', text: 'two' },
              ],
              encrypted_content: 'E',
            },
          },
        },
      },
      {
        type: 'reasoning',
        text: '',
        redacted: true,
        extra: { 'openai-responses': { item: { id: 'rs_2', summary: [], encrypted_content: 'F' } } },
      },
      { type: 'text', text: 'a', extra: { 'openai-responses': { item: { id: 'msg_1', phase: 'commentary' } } } },
      { type: 'text', text: 'b', extra: { 'openai-responses': { joined: true } } },
      expect.objectContaining({ extra: { 'openai-responses': { id: 'fc_1' } } }),
    ])
  })

  it('of routers lists reasoning for the message', () => {
    const reasoning_details = [{ type: 'reasoning.text', text: 'x', signature: 'S' }]
    expect(
      last(text('a', { providerMetadata: { openrouter: { reasoning_details } } })).session.messages[1],
    ).toMatchObject({
      extra: { 'openai-chat': { reasoning_details } },
    })
  })

  it('without a meaning stays where it was', () => {
    expect(partsOf(text('a', { providerMetadata: { xai: { x: 1 }, anthropic: { usage: 2 } } }))).toEqual([
      text('a', { extra: { 'ai-sdk': { providerMetadata: { xai: { x: 1 }, anthropic: { usage: 2 } } } } }),
    ])
  })

  it('and output make the blocks of a search again that the API ran', () => {
    const found = { type: 'web_search_result', url: 'https://x', title: 'X', pageAge: null, encryptedContent: 'E' }
    const call = { ...done('srvtoolu_1', [found], { providerExecuted: true }), type: 'tool-web_search' }
    const told = last(call, text('so'))
    expect(callOf(told)).toMatchObject({
      executor: 'provider',
      extra: {
        anthropic: {
          use: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { at: 1 } },
          result: {
            type: 'web_search_tool_result',
            tool_use_id: 'srvtoolu_1',
            content: [
              { type: 'web_search_result', url: 'https://x', title: 'X', encrypted_content: 'E', page_age: null },
            ],
          },
        },
      },
    })
    expect(refusals(told.session)).toEqual([])
  })
})

describe('version 4', () => {
  const invocation = (id: string, state: string, more: Value = {}): Value => ({
    toolCallId: id,
    toolName: 'look',
    state,
    args: { at: 1 },
    ...more,
  })
  const part = (...given: Parameters<typeof invocation>): Value => ({
    type: 'tool-invocation',
    toolInvocation: invocation(...given),
  })
  const found = (id: string, more: Value = {}) => part(id, 'result', { result: 'out', ...more })
  const prompt = { role: 'user', content: 'hi', parts: [text('hi')] }
  const v4 = (content: string, more: Value) => ({ role: 'assistant', content, ...more })

  it('has parts beside the content, which repeats their text', () => {
    const told = read([
      {
        ...prompt,
        createdAt: '2025-01-01T00:00:00.000Z',
        experimental_attachments: [{ name: 'a.png', contentType: 'image/png', url: 'data:image/png;base64,AA==' }],
      },
      v4('so', {
        parts: [
          step,
          {
            type: 'reasoning',
            reasoning: 'ab',
            details: [
              { type: 'text', text: 'a', signature: 'S' },
              { type: 'redacted', data: 'D' },
            ],
          },
          found('A', { step: 0 }),
          found('B', { step: 1 }),
          { type: 'source', source: { url: 'https://x' } },
          text('so'),
          { type: 'file', mimeType: 'image/png', data: 'AA==' },
        ],
        toolInvocations: [invocation('A', 'result', { result: 'out' }), invocation('B', 'result', { result: 'out' })],
      }),
    ])
    expect(short(told)).toEqual([
      'user: hi, <image image/png>',
      'assistant: #a, #, A/look=completed:out',
      'assistant: B/look=completed:out',
      'assistant: so, <image image/png>',
    ])
    expect(told.session.messages[0]).toMatchObject({ at: '2025-01-01T00:00:00.000Z', parts: [{}, { name: 'a.png' }] })
    expect(told.session.messages[1]?.parts).toMatchObject([
      { extra: { anthropic: { signature: 'S' } } },
      { redacted: true, extra: { anthropic: { data: 'D' } } },
      { args: { at: 1 } },
    ])
    expect(codes(told)).toEqual(['part-left-out'])
  })

  it('had only calls and a text once: the text is the answer to their results, unless some are open', () => {
    const older = (...states: string[]) =>
      short(
        read([
          { role: 'user', content: 'hi' },
          v4('text', {
            reasoning: 'hm',
            toolInvocations: states.map((state, index) =>
              invocation(`A${index}`, state, { result: 'out', step: index }),
            ),
          }),
        ]),
      ).slice(1)
    expect(older('result', 'result')).toEqual([
      'assistant: #hm, A0/look=completed:out',
      'assistant: A1/look=completed:out',
      'assistant: text',
    ])
    expect(older('call')).toEqual(['assistant: #hm, text, A0/look=pending'])
    expect(older('partial-call')).toEqual(['assistant: #hm, text, A0/look=never started'])
  })

  it('waits for a call in the last message only', () => {
    expect(short(read([prompt, v4('', { parts: [part('A', 'call')] }), prompt]))[1]).toBe(
      'assistant: A/look=interrupted',
    )
    expect(short(read([prompt, v4('', { parts: [part('A', 'call')] })]))[1]).toBe('assistant: A/look=pending')
  })

  it('has messages of data, which are no conversation', () => {
    const told = read([prompt, { role: 'data', content: '', data: { x: 1 } }])
    expect(short(told)).toEqual(['user: hi'])
    expect(codes(told)).toEqual(['message-left-out'])
  })
})

describe('messages for models', () => {
  const call = (id: string, more: Value = {}): Value => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: 'look',
    input: { at: 1 },
    ...more,
  })
  const output = (id: string, value: Value): Value => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: 'look',
    ...value,
  })
  const answer = (...content: unknown[]): Value => ({ role: 'assistant', content })
  const tools = (...content: unknown[]): Value => ({ role: 'tool', content })
  const ask = { role: 'user', content: 'hi' }
  const state = (value: Value) => callOf(read([ask, answer(call('A')), tools(output('A', value))])).state

  it.each<[Value, Value]>([
    [{ output: { type: 'text', value: 'x' } }, { status: 'completed', result: 'x' }],
    [
      { output: { type: 'json', value: { a: 1 } } },
      { status: 'completed', result: [{ type: 'json', value: { a: 1 } }] },
    ],
    [{ output: { type: 'error-text', value: 'x' } }, { status: 'failed', error: 'x' }],
    [
      { output: { type: 'error-json', value: { a: 1 } } },
      { status: 'failed', error: [{ type: 'json', value: { a: 1 } }] },
    ],
    [{ output: { type: 'execution-denied', reason: 'no' } }, { status: 'failed', error: 'no', denied: true }],
    [{ output: { type: 'execution-denied' } }, { status: 'failed', error: 'Tool execution denied.', denied: true }],
    [{ result: 'x' }, { status: 'completed', result: 'x' }],
    [
      { result: { a: 1 }, isError: true },
      { status: 'failed', error: [{ type: 'json', value: { a: 1 } }] },
    ],
    [
      {
        output: {
          type: 'content',
          value: [
            { type: 'text', text: 'x' },
            { type: 'media', data: 'AA==', mediaType: 'image/png' },
            { type: 'image-url', url: 'https://x/y.png' },
            { type: 'custom' },
          ],
        },
      },
      {
        status: 'completed',
        result: [
          { type: 'text', text: 'x' },
          { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'AA==' } },
          { type: 'media', kind: 'image', mediaType: '', source: { url: 'https://x/y.png' } },
          { type: 'json', value: { type: 'custom' } },
        ],
      },
    ],
  ])('%j is %j', (value, expected) => {
    expect(state(value)).toEqual(expected)
  })

  it('hold calls that wait in the last one only', () => {
    const lines = (...after: Value[]) => short(read([ask, answer(call('A')), ...after]))[1]
    expect(lines()).toBe('assistant: A/look=pending')
    expect(lines(ask)).toBe('assistant: A/look=interrupted')
    expect(lines(tools(output('B', { result: 1 })))).toBe('assistant: A/look=interrupted')
    expect(codes(read([ask, answer(call('A')), tools(output('B', { result: 1 }))]))).toEqual([
      'orphan-result',
      'call-unfinished',
    ])
  })

  it('ask for approval and are answered', () => {
    const request = { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'A' }
    const response = (approved: boolean) => ({
      type: 'tool-approval-response',
      approvalId: 'p',
      approved,
      reason: 'why',
    })
    const lines = (...after: Value[]) => short(read([ask, answer(call('A'), request), ...after]))[1]
    expect(lines()).toBe('assistant: A/look=pending approval')
    expect(lines(tools(response(true)))).toBe('assistant: A/look=pending approval yes')
    expect(lines(tools(response(false)))).toBe('assistant: A/look=pending approval no')
    expect(lines(tools(response(true)), tools(output('A', { result: 'x' })))).toBe('assistant: A/look=completed:x')
    expect(lines(tools(response(false)), ask)).toBe('assistant: A/look=denied:why')
    expect(lines(tools(response(true)), ask)).toBe('assistant: A/look=interrupted')
    const denial = output('A', { output: { type: 'execution-denied', reason: 'as stored' } })
    expect(lines(tools(response(false), denial), ask)).toBe('assistant: A/look=denied:as stored')
    expect(codes(read([ask, answer(call('A'), request), tools(response(false), denial), ask]))).toEqual([])
  })

  it('hold what the provider ran with its result', () => {
    const told = read([
      ask,
      answer(call('A', { providerExecuted: true }), output('A', { output: { type: 'text', value: 'x' } }), text('so')),
    ])
    expect(callOf(told)).toMatchObject({ executor: 'provider', state: { status: 'completed', result: 'x' } })
    expect(short(told)[1]).toBe('assistant: A/look=completed:x, so')
  })

  it('hold files in all forms', () => {
    const told = read([
      {
        role: 'user',
        content: [
          { type: 'image', image: 'data:image/png;base64,AA==' },
          { type: 'image', image: 'https://x/y.png' },
          { type: 'file', data: 'AA==', mediaType: 'application/pdf', filename: 'a.pdf' },
          { type: 'file', data: { type: 'Buffer', data: [0, 255] }, mimeType: 'audio/wav' },
          { type: 'file', data: { type: 'text', text: 'x' }, mediaType: 'text/plain' },
          { type: 'file', data: {}, mediaType: 'text/plain' },
        ],
      },
    ])
    expect(told.session.messages[0]?.parts).toMatchObject([
      { kind: 'image', mediaType: 'image/png', source: { base64: 'AA==' } },
      { kind: 'image', mediaType: '', source: { url: 'https://x/y.png' } },
      { kind: 'file', mediaType: 'application/pdf', source: { base64: 'AA==' }, name: 'a.pdf' },
      { kind: 'audio', mediaType: 'audio/wav', source: { base64: 'AP8=' } },
      { kind: 'file', mediaType: 'text/plain', source: { text: 'x' } },
    ])
    expect(codes(told)).toEqual(['part-invalid'])
  })

  it('keep signatures and cache markers', () => {
    const ephemeral = { anthropic: { cacheControl: { type: 'ephemeral' } } }
    const told = read([
      { role: 'system', content: 'be good', providerOptions: ephemeral },
      ask,
      answer(
        { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'S' } } },
        { type: 'reasoning', text: 'v4', signature: 'T' },
        { type: 'redacted-reasoning', data: 'D' },
        call('A'),
      ),
      tools(output('A', { output: { type: 'text', value: 'x' }, providerOptions: ephemeral })),
    ])
    expect(told.session.instructions).toEqual([
      { type: 'text', text: 'be good', extra: { anthropic: { cache_control: { type: 'ephemeral' } } } },
    ])
    expect(told.session.messages[1]?.parts).toMatchObject([
      { extra: { anthropic: { signature: 'S' } } },
      { extra: { anthropic: { signature: 'T' } } },
      { redacted: true, extra: { anthropic: { data: 'D' } } },
      { state: { status: 'completed', extra: { anthropic: { cache_control: { type: 'ephemeral' } } } } },
    ])
  })
})

it('chats and lines hold the same messages', () => {
  const list = [hi, said(done('A'))]
  expect(read({ id: 'c', title: 'T', createdAt: '2026-01-01T00:00:00Z', messages: list }).session).toMatchObject({
    id: 'c',
    title: 'T',
    createdAt: '2026-01-01T00:00:00.000Z',
  })
  expect(short(read(list.map((message) => JSON.stringify(message)).join('\n')))).toEqual(short(read(list)))
  expect(short(read(hi))).toEqual(['user: hi'])
  expect(
    read([
      { ...hi, createdAt: new Date(0) },
      { ...hi, createdAt: new Date(1e12) },
    ]).session.messages[1]?.at,
  ).toBe('2001-09-09T01:46:40.000Z')
})

describe('hostile input', () => {
  const ui = [
    user(text('hi'), { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' }),
    said(
      step,
      {
        type: 'reasoning',
        text: 'x',
        providerMetadata: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'E' } },
      },
      tool('A', 'approval-responded', { approval: { id: 'p', approved: false, reason: 'no' } }),
      done('B', { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }], isError: true }),
      {
        type: 'tool-invocation',
        toolInvocation: { state: 'result', step: 1, toolCallId: 'C', toolName: 'x', args: {}, result: 1 },
      },
    ),
    said(text('the last reply')),
  ]
  const model = [
    { role: 'user', content: [{ type: 'file', data: { type: 'Buffer', data: [1] }, mediaType: 'a/b' }] },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'A', toolName: 'x', input: {} },
        { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'A' },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-approval-response', approvalId: 'p', approved: true },
        {
          type: 'tool-result',
          toolCallId: 'A',
          toolName: 'x',
          output: { type: 'content', value: [{ type: 'media', data: 'AA==' }] },
        },
      ],
    },
    { role: 'assistant', content: [text('the last reply')] },
  ]

  it('costs no other message', () => {
    const runs = batter(reader, ui, 'the last reply') + batter(reader, model, 'the last reply')
    console.info(`ai-sdk: ${runs} damaged lists`)
    expect(runs).toBeGreaterThan(300)
  })

  it.each(PROTOTYPE_NAMES)('%s is a name like any other', (name) => {
    const part = { ...done(name), type: `tool-${name}`, callProviderMetadata: { [name]: { [name]: 1 } } }
    expect(short(last(part))[1]).toBe(`assistant: ${name}/${name}=completed:out`)
    expect(codes(last(tool('A', name), { type: name }))).toEqual(['record-unknown', 'part-invalid', 'call-unfinished'])
    expect(codes(readWith(reader, [hi, { role: name, parts: [] }]))).toEqual(['record-unknown'])
    const output = { type: 'tool-result', toolCallId: name, toolName: name, output: { type: name } }
    const models = readWith(reader, [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: name, toolName: name, input: {} }] },
      { role: 'tool', content: [output] },
    ])
    expect(callOf(models).state).toEqual({ status: 'completed', result: [{ type: 'json', value: { type: name } }] })
  })

  it('keeps what is too deep as text', () => {
    const told = read(deepened([hi, said(done('A', 'x', { input: { deep: 'MARK' } }))], 'MARK'))
    expect(String(callOf(told).args)).toContain('[[[[')
    expect(codes(told)).toContain('value-too-deep')
  })

  it('is read in linear time', async () => {
    const many = (count: number): void => {
      const parts = Array.from({ length: count }, (_, index) => [step, done(`A${index}`)]).flat()
      expect(callsOf(read([hi, said(...parts)]).session)).toHaveLength(count)
    }
    expect(await growth(20_000, many)).toBeLessThan(LINEAR)
  })
})

const FOLDER = join(import.meta.dirname, '../../../shared/sessions/ai-sdk')
const present = existsSync(FOLDER)
const files = present ? readdirSync(FOLDER).filter((name) => name.endsWith('.json')) : []
if (!present) console.info('ai-sdk: no stored sessions here, skipped')

describe.skipIf(!present)('stored sessions', () => {
  type Row = { readonly parts?: Value[]; readonly toolInvocations?: Value[] }

  /** A plain scan that shares no code with the reader: id, and the state and output of the call as stored. */
  const scan = (rows: readonly Row[]): [unknown, string, unknown][] =>
    rows
      .flatMap((row) => row.parts ?? [])
      .map((part) => (part.toolInvocation ?? part) as { [key: string]: unknown })
      .filter((call) => call.toolCallId !== undefined)
      .map((call) => {
        const output = call.output ?? call.result
        return [call.toolCallId, outcome(call, output), typeof output === 'string' ? output : JSON.stringify(output)]
      })

  function outcome(call: Value, output: unknown): string {
    if (call.state === 'output-error' || (output as { isError?: boolean } | undefined)?.isError === true)
      return 'failed'
    return call.state === 'result' || call.state === 'output-available' ? 'completed' : 'open'
  }

  const table: Record<string, Record<string, number>> = {}

  it.each(files)('%s: every call has its own outcome', (name) => {
    const source = readFileSync(join(FOLDER, name), 'utf8')
    const told = readAs(reader, source)
    const calls = callsOf(told.session)
    const found = calls.map(({ id, state }) => {
      const output = state.status === 'completed' ? state.result : state.status === 'failed' ? state.error : undefined
      const status = state.status === 'completed' || state.status === 'failed' ? state.status : 'open'
      return [id, status, output === undefined ? undefined : outputText(output)]
    })
    expect(found).toEqual(scan(JSON.parse(source) as Row[]))
    expect(refusals(told.session)).toEqual([])
    const of = (status: string) => calls.filter((call) => call.state.status === status).length
    table[name] = {
      messages: told.session.messages.length,
      calls: calls.length,
      completed: of('completed'),
      failed: of('failed'),
      interrupted: of('interrupted'),
      pending: of('pending'),
    }
    if (name === files.at(-1)) console.table(table)
  })
})
