import { describe, expect, it } from 'vitest'
import type { Message, Part, Session, ToolCallEntry } from '../../src/model/session.ts'
import { readSession } from '../../src/read/index.ts'
import { reader } from '../../src/read/opencode/index.ts'
import type { ReadOptions } from '../../src/read/reader.ts'
import { damaged } from '../hostile/damaged.ts'
import { callsOf } from './claude-code-lines.ts'
import { batter, type Line, PROTOTYPE_NAMES, survives } from './hostile.ts'
import { ALL, answered, asked, done, exported, INFO, START, text, tool } from './opencode-samples.ts'

function read(source: object, options: ReadOptions = {}) {
  const { session, changes, format } = readSession(source, options)
  expect(format).toBe('opencode')
  return { session, changes, codes: changes.map((change) => change.code) }
}

/** Role, kind, and a word for each part. */
const outline = ({ messages }: Session): string[] =>
  messages.map((message) => {
    const kind = message.role === 'user' && message.kind !== undefined ? ` ${message.kind}` : ''
    return `${message.role}${kind}: ${(message.parts as readonly Part[]).map(word).join(' | ')}`
  })

function word(part: Part): string {
  if (part.type === 'text') return part.text
  if (part.type === 'reasoning') return `(${part.text})`
  if (part.type === 'tool-call') return `${part.id} ${part.state.status}`
  return part.type === 'media' ? `[${part.kind}]` : 'native'
}

const callOf = (session: Session, id: string): ToolCallEntry =>
  callsOf(session.messages).find((call) => call.id === id)!

const one = (part: Line, more: Line = {}): Message =>
  read(exported([asked('msg_a', 1, text('go')), answered('msg_b', 2, more, START, part)])).session.messages[1]!

describe('an export', () => {
  const { session, codes } = read(ALL)

  it('is read message by message, a step each', () => {
    expect(outline(session)).toEqual([
      'user: question | from the program | [image]',
      'assistant: (hm) | I look | call_1 completed | call_2 failed',
      'assistant: call_3 completed',
      'user injected: The following tool was executed by the user',
      'assistant: call_4 interrupted | call_5 interrupted | call_6 interrupted | call_7 interrupted',
    ])
  })

  it('says what it knows of the session', () => {
    const { messages: _, ...fields } = session
    expect(fields).toEqual({
      version: 1,
      id: 'ses_one',
      title: 'A title',
      cwd: '/work',
      createdAt: new Date(1_790_000_000_000).toISOString(),
      agent: 'build',
      source: { format: 'opencode', version: '1.18.33' },
    })
  })

  it('says who answered, how it ended and what it cost, by step', () => {
    const by = { provider: 'anthropic', api: 'anthropic', model: 'claude-sonnet-4-5' }
    const usage = { inputTokens: 5, outputTokens: 2, reasoningTokens: 0, cacheReadTokens: 1, cacheWriteTokens: 0 }
    expect(session.messages[1]).toMatchObject({ id: 'msg_b', by, stop: 'tool-calls', usage })
    const last = { inputTokens: 9, outputTokens: 3, reasoningTokens: 1, cacheReadTokens: 2, cacheWriteTokens: 4 }
    expect(session.messages[2]).toMatchObject({ by, stop: 'tool-calls', usage: last })
    expect(session.messages[2]!.id).not.toBe('msg_b')
    expect(session.messages[4]).toMatchObject({
      stop: 'aborted',
      extra: { opencode: { error: { name: 'MessageAbortedError' } } },
    })
  })

  it('gives each call the outcome that stands in its part', () => {
    expect(callOf(session, 'call_1').state).toEqual({ status: 'completed', result: 'one' })
    expect(callOf(session, 'call_2').state).toEqual({ status: 'failed', error: 'Error: no such file' })
    expect(callOf(session, 'call_3').state).toEqual({
      status: 'completed',
      result: [
        { type: 'text', text: 'seen' },
        { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'AAAA' } },
      ],
    })
    expect(callOf(session, 'call_4').state).toMatchObject({ status: 'interrupted', partial: 'half' })
    expect(callOf(session, 'call_4').state).not.toHaveProperty('dispatched')
    expect(callOf(session, 'call_5')).toMatchObject({
      args: '{"comm',
      argsText: '{"comm',
      state: { dispatched: false },
    })
    expect(callOf(session, 'call_6')).toMatchObject({ args: {}, state: { status: 'interrupted', dispatched: false } })
    expect(callOf(session, 'call_7').state).toEqual({ status: 'interrupted', partial: 'begun' })
  })

  it('names what it left out', () => {
    expect(codes).toEqual(['part-left-out', 'part-left-out', 'call-unfinished', 'call-unfinished'])
  })

  it('is the same in every form of it', () => {
    const { messages } = ALL as { messages: Line[] }
    expect(read(messages as unknown as object).session.messages).toEqual(session.messages)
    const share = [
      { type: 'session', data: INFO },
      ...messages.flatMap(({ info, parts }) => [
        { type: 'message', data: info },
        ...(parts as Line[]).map((data) => ({ type: 'part', data })),
      ]),
    ]
    expect(read(share).session).toEqual(session)
  })
})

describe('states', () => {
  it.each([
    [
      { status: 'completed', output: 'o' },
      { status: 'completed', result: 'o' },
    ],
    [
      { status: 'completed', output: { a: 1 } },
      { status: 'completed', result: [{ type: 'json', value: { a: 1 } }] },
    ],
    [{ status: 'completed' }, { status: 'completed', result: '' }],
    [
      { status: 'error', error: 'bad' },
      { status: 'failed', error: 'bad' },
    ],
    [
      { status: 'error', error: 'stopped', metadata: { interrupted: true } },
      { status: 'interrupted', reason: 'stopped' },
    ],
    [
      { status: 'error', error: 'Tool execution aborted' },
      { status: 'interrupted', reason: 'Tool execution aborted' },
    ],
    [
      { status: 'error', error: 'The user rejected permission to use this specific tool call.' },
      { status: 'failed', denied: true },
    ],
    [
      {
        status: 'error',
        error: 'Error: The user has specified a rule which prevents you from using this specific tool call.',
      },
      { status: 'failed', denied: true },
    ],
    [{ status: 'soon' }, { status: 'interrupted' }],
    [{ status: 'constructor' }, { status: 'interrupted' }],
    [{}, { status: 'interrupted' }],
    [
      { status: 'completed', output: 'old', time: { compacted: 5 } },
      { result: 'old', extra: { opencode: { compacted: 5 } } },
    ],
  ])('%j', (state, wanted) => {
    expect(one(tool('c', { ...state }))).toMatchObject({ parts: [{ id: 'c', state: wanted }] })
  })

  it("a call that the provider ran is not the client's", () => {
    expect(
      one(tool('c', { status: 'completed', output: 'o' }, { metadata: { providerExecuted: true } })),
    ).toMatchObject({
      parts: [{ executor: 'provider', state: { status: 'completed' } }],
    })
  })
})

describe('answers', () => {
  it.each([
    [{ finish: 'stop' }, 'end'],
    [{ finish: 'length' }, 'length'],
    [{ finish: 'content-filter' }, 'filtered'],
    [{ finish: 'toString' }, undefined],
    [{ finish: 'stop', error: { name: 'APIError', data: {} } }, 'error'],
    [{ error: { name: 'MessageOutputLengthError' } }, 'length'],
    [{ error: { name: 'hasOwnProperty' } }, 'error'],
  ])('%j ends as %s', (more, stop) => {
    const found = one(text('said'), more)
    expect(found.role === 'assistant' && found.stop).toBe(stop)
  })

  it('that failed keep the calls that were finished', () => {
    const { session } = read(
      exported([
        asked('msg_a', 1, text('go')),
        answered('msg_b', 2, { error: { name: 'APIError' } }, START, done('c', 'o')),
      ]),
    )
    expect(outline(session)).toEqual(['user: go', 'assistant: c completed'])
  })

  it('without content are left out', () => {
    const { session, codes } = read(
      exported([asked('msg_a', 1, text('go')), answered('msg_b', 2, {}, START, text('')), asked('msg_c', 3, text(''))]),
    )
    expect(outline(session)).toEqual(['user: go'])
    expect(codes).toEqual(['text-empty', 'message-empty', 'text-empty', 'message-empty'])
  })

  it('keep an empty text between two signed thoughts only', () => {
    const signed = (thought: string): Line => ({
      type: 'reasoning',
      text: thought,
      metadata: { anthropic: { signature: 'S' } },
    })
    const { session } = read(
      exported([
        answered('msg_b', 2, {}, START, text(''), signed('one'), text(''), signed('two'), text(''), text('x')),
      ]),
    )
    expect(outline(session)).toEqual(['assistant: (one) |  | (two) | x'])
  })
})

describe('what providers want back', () => {
  const parts = (...stored: readonly Line[]) => {
    const { session } = read(exported([answered('msg_b', 2, { providerID: 'x', modelID: 'm' }, START, ...stored)]))
    return session.messages[0]!
  }
  const thought = (metadata: Line, value = 'hm'): Line => ({ type: 'reasoning', text: value, metadata })

  it('is in the slot of its API, which it proves', () => {
    expect(parts(thought({ anthropic: { signature: 'S' } }))).toMatchObject({
      by: { provider: 'x', api: 'anthropic', model: 'm' },
      parts: [{ type: 'reasoning', extra: { anthropic: { signature: 'S' } } }],
    })
    expect(parts(thought({ anthropic: { redactedData: 'D' } }, ''))).toMatchObject({
      parts: [{ redacted: true, text: '', extra: { anthropic: { data: 'D' } } }],
    })
    expect(parts(thought({ bedrock: { signature: 'S' } }))).toMatchObject({ by: { api: 'bedrock' } })
    expect(parts(thought({ google: { thoughtSignature: 'T' } }))).toMatchObject({
      parts: [{ extra: { gemini: { thoughtSignature: 'T' } } }],
    })
    expect(parts(thought({ other: { a: 1 } }))).toMatchObject({
      parts: [{ extra: { opencode: { metadata: { other: { a: 1 } } } } }],
    })
  })

  it('is one item where Responses gave a summary in several parts', () => {
    const openai = { itemId: 'rs_1', reasoningEncryptedContent: null }
    const found = parts(
      thought({ openai }, 'first'),
      thought({ openai: { ...openai, reasoningEncryptedContent: 'E' } }, 'second'),
      text('said', { metadata: { openai: { itemId: 'msg_1' } } }),
      text('more', { metadata: { openai: { itemId: 'msg_1' } } }),
      text('still', { metadata: { openai: { itemId: 'msg_1' } } }),
      text('new', { metadata: { openai: { itemId: 'msg_2' } } }),
      { ...done('c', 'o'), metadata: { openai: { itemId: 'fc_1' } } },
    )
    const summary = [
      { type: 'summary_text', text: 'first' },
      { type: 'summary_text', text: 'second' },
    ]
    expect(found).toMatchObject({
      by: { api: 'openai-responses' },
      parts: [
        {
          type: 'reasoning',
          text: 'first\n\nsecond',
          extra: { 'openai-responses': { item: { id: 'rs_1', encrypted_content: 'E', summary } } },
        },
        { text: 'said', extra: { 'openai-responses': { item: { id: 'msg_1' } } } },
        { text: 'more', extra: { 'openai-responses': { joined: true } } },
        { text: 'still', extra: { 'openai-responses': { joined: true } } },
        { text: 'new', extra: { 'openai-responses': { item: { id: 'msg_2' } } } },
        { id: 'c', extra: { 'openai-responses': { id: 'fc_1' } } },
      ],
    })
  })

  it('stands on the message for OpenRouter', () => {
    expect(parts(thought({ openrouter: { reasoning_details: [{ type: 'reasoning.text' }] } }))).toMatchObject({
      extra: { 'openai-chat': { reasoning_details: [{ type: 'reasoning.text' }] } },
    })
  })
})

describe('compactions', () => {
  const history = (tail?: string, more: Line = {}): Line =>
    exported([
      asked('msg_a', 1, text('old')),
      answered('msg_b', 2, {}, text('old answer')),
      asked('msg_c', 3, text('tail')),
      answered('msg_d', 4, {}, text('tail answer')),
      asked('msg_e', 5, { type: 'compaction', auto: true, ...(tail === undefined ? {} : { tail_start_id: tail }) }),
      answered(
        'msg_f',
        6,
        { summary: true, parentID: 'msg_e', finish: 'stop', agent: 'compaction', ...more },
        text('SUMMARY'),
      ),
      asked('msg_g', 7, text('Continue', { synthetic: true })),
    ])
  const ALL_OF_IT = ['user: old', 'assistant: old answer', 'user: tail', 'assistant: tail answer']

  it('begin with the question for the summary', () => {
    const { session, codes } = read(history())
    expect(outline(session)).toEqual([
      'user injected: What did we do so far?',
      'assistant: SUMMARY',
      'user injected: Continue',
    ])
    expect(codes).toEqual(['compaction-applied'])
    expect(session.agent).toBe('build')
  })

  it.each([
    ['msg_c', ['user: tail', 'assistant: tail answer']],
    ['msg_d', ['assistant: tail answer']],
    ['gone', ALL_OF_IT],
  ])('keep the tail from %s behind the summary', (tail, kept) => {
    const { session } = read(history(tail))
    expect(outline(session)).toEqual([
      'user injected: What did we do so far?',
      'assistant: SUMMARY',
      ...kept,
      'user injected: Continue',
    ])
  })

  it('count only when they succeeded', () => {
    const asks = 'user injected: What did we do so far?'
    for (const more of [{ finish: undefined }, { error: { name: 'APIError' } }, { parentID: 'other' }]) {
      expect(outline(read(history('msg_c', more)).session)).toEqual([
        ...ALL_OF_IT,
        asks,
        'assistant: SUMMARY',
        'user injected: Continue',
      ])
    }
  })

  it('are not there in the full history', () => {
    const { session, codes } = read(history('msg_c'), { history: 'full' })
    expect(outline(session)).toEqual([...ALL_OF_IT, 'user injected: Continue'])
    expect(codes).toEqual(['message-left-out'])
  })
})

describe('undone messages', () => {
  const messages = [
    asked('msg_a', 1, text('one')),
    answered('msg_b', 2, {}, text('two'), text('three')),
    asked('msg_c', 3, text('four')),
  ]

  it('are left out from the message or the part on', () => {
    const of = (revert: Line): string[] => outline(read(exported(messages, { revert })).session)
    expect(of({ messageID: 'msg_c' })).toEqual(['user: one', 'assistant: two | three'])
    expect(of({ messageID: 'msg_b' })).toEqual(['user: one'])
    expect(of({ messageID: 'msg_b', partID: 'prt_msg_b_1' })).toEqual(['user: one', 'assistant: two'])
    expect(of({ messageID: 'gone' })).toHaveLength(3)
  })
})

describe('order', () => {
  it('is that of the time, since ids wrap around', () => {
    const { session } = read(
      exported([
        asked('msg_000000000001', 30, text('third')),
        asked('msg_ffffffffff01', 10, text('first')),
        asked('msg_ffffffffff02', 20, text('second')),
      ]),
    )
    expect(outline(session)).toEqual(['user: first', 'user: second', 'user: third'])
  })

  it('of the parts in rows is that of their ids, across the wrap', () => {
    const wrap = Math.ceil(1_790_000_000_000 / 2 ** 36) * 2 ** 36
    const part = (id: string, value: string) => ({
      id,
      message_id: 'msg_a',
      session_id: 'ses_one',
      data: JSON.stringify(text(value)),
    })
    const source = {
      tables: {
        session: [{ id: 'ses_one', title: 'T', time_created: wrap, time_updated: wrap }],
        message: [
          {
            id: 'msg_a',
            session_id: 'ses_one',
            time_created: wrap,
            data: JSON.stringify({ role: 'user', time: { created: wrap } }),
          },
        ],
        part: [part('prt_000000000002zz', 'c'), part('prt_fffffffff000zz', 'a'), part('prt_000000000001zz', 'b')],
      },
    }
    expect(outline(read(source).session)).toEqual(['user: a | b | c'])
  })
})

describe('rows', () => {
  const row = (id: string, session: string, data: unknown, more: Line = {}) => ({
    id,
    session_id: session,
    data: typeof data === 'string' ? data : JSON.stringify(data),
    ...more,
  })
  const partRow = (id: string, message: string, data: unknown, session = 'ses_two') => ({
    ...row(id, session, data),
    message_id: message,
  })
  const tables: Line = {
    session: [
      { id: 'ses_one', title: 'Old', time_created: 1, time_updated: 5 },
      {
        id: 'ses_two',
        parent_id: 'ses_one',
        directory: '/d',
        title: 'New',
        version: '1.2.0',
        time_created: 2,
        time_updated: 9,
      },
    ],
    message: [
      row('msg_a', 'ses_two', { role: 'user', time: { created: 1 } }),
      row('msg_b', 'ses_two', { role: 'assistant', time: { created: 2 }, providerID: 'openai', modelID: 'gpt-5.5' }),
      row('msg_x', 'ses_one', { role: 'user', time: { created: 1 } }),
    ],
    part: [
      partRow('prt_1', 'msg_a', text('ask')),
      partRow('prt_2', 'msg_b', done('c', 'o')),
      partRow(
        'prt_3',
        'msg_x',
        tool('parent', { status: 'completed', output: '', metadata: { sessionId: 'ses_two' } }),
        'ses_one',
      ),
    ],
  }

  it('are one session: the newest, with the call that started it', () => {
    const { session, codes } = read({ tables })
    expect(outline(session)).toEqual(['user: ask', 'assistant: c completed'])
    expect(session).toMatchObject({ id: 'ses_two', title: 'New', cwd: '/d', source: { version: '1.2.0' } })
    expect(session.parent).toEqual({ id: 'ses_one', callId: 'parent' })
    expect(codes).toEqual(['session-left-out'])
  })

  it('that are broken cost nothing but themselves', () => {
    const broken = {
      ...tables,
      message: [...(tables.message as Line[]).slice(0, 1), row('msg_b', 'ses_two', '{"role":"assis')],
      part: [
        ...(tables.part as Line[]),
        partRow('prt_4', 'msg_b', '{"type":"to'),
        partRow('prt_5', 'msg_lost', text('from nowhere')),
      ],
    }
    const { session, codes } = read({ tables: broken })
    expect(outline(session).sort()).toEqual(['assistant: c completed', 'user: ask', 'user: from nowhere'])
    expect(codes.filter((code) => code === 'record-invalid')).toHaveLength(3)
  })

  it('of opencode 2 stand in a table of their own', () => {
    const flat = [
      row('msg_1', 'ses_two', { text: 'ask', time: { created: 1 } }, { type: 'user', seq: 1 }),
      row('msg_2', 'ses_two', { content: [text('answer')], time: { created: 2 } }, { type: 'assistant', seq: 2 }),
    ]
    const { session } = read({ tables: { ...tables, message: [], part: [], session_message: flat.toReversed() } })
    expect(outline(session)).toEqual(['user: ask', 'assistant: answer'])
  })
})

describe('the first generation', () => {
  const stored = (role: string, parts: readonly Line[], metadata: Line): Line => ({
    id: `msg_${role}`,
    role,
    parts,
    metadata,
  })
  const invoked = (toolInvocation: Line): Line => ({ type: 'tool-invocation', toolInvocation })

  it('is read as later ones are', () => {
    const { session } = read({
      info: INFO,
      messages: [
        stored('user', [text('ask'), { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' }], {
          time: { created: 1 },
        }),
        stored(
          'assistant',
          [
            START,
            invoked({ state: 'result', toolCallId: 'a', toolName: 'bash', args: { x: 1 }, result: 'out' }),
            invoked({ state: 'result', toolCallId: 'b', toolName: 'bash', args: {}, result: 'bad' }),
            invoked({ state: 'call', toolCallId: 'c', toolName: 'bash', args: {} }),
            invoked({ state: 'partial-call', toolCallId: 'd', toolName: 'bash' }),
          ],
          {
            time: { created: 2 },
            assistant: { modelID: 'claude-3-7-sonnet', providerID: 'anthropic' },
            tool: { a: { time: { start: 1 } }, b: { error: true, message: 'failed so' } },
          },
        ),
      ],
    })
    expect(outline(session)).toEqual([
      'user: ask | [image]',
      'assistant: a completed | b failed | c interrupted | d interrupted',
    ])
    expect(callOf(session, 'a')).toMatchObject({ name: 'bash', args: { x: 1 }, state: { result: 'out' } })
    expect(callOf(session, 'b').state).toEqual({ status: 'failed', error: 'failed so' })
    expect(callOf(session, 'd').state).toMatchObject({ dispatched: false })
    expect(session.messages[1]).toMatchObject({ by: { provider: 'anthropic', model: 'claude-3-7-sonnet' } })
  })
})

/** Every kind of message of opencode 2. */
const FLAT: Line = {
  info: { id: 'ses_one', title: 'T', agent: 'build', location: { directory: '/w' }, time: { created: 5 } },
  messages: [
    { id: 'msg_1', type: 'model-switched', model: { id: 'm', providerID: 'anthropic' }, time: { created: 1 } },
    {
      id: 'msg_2',
      type: 'user',
      text: 'ask',
      time: { created: 1 },
      files: [
        { data: 'AAAA', mime: 'image/png', name: 'a.png', source: { type: 'inline' } },
        { data: btoa('hello'), mime: 'text/plain', name: 'a.txt', source: { type: 'inline' } },
        { data: btoa('a/'), mime: 'application/x-directory', name: 'dir', source: { type: 'uri', uri: 'file:///dir' } },
      ],
    },
    { id: 'msg_3', type: 'synthetic', text: 'note', time: { created: 2 } },
    { id: 'msg_4', type: 'system', text: 'rule', time: { created: 3 } },
    { id: 'msg_5', type: 'skill', skill: 's', name: 'n', text: 'skill text', time: { created: 4 } },
    {
      id: 'msg_6',
      type: 'shell',
      shellID: 's',
      command: 'ls',
      status: 'exited',
      output: { output: 'a\n' },
      time: { created: 5 },
    },
    {
      id: 'msg_7',
      type: 'assistant',
      agent: 'build',
      model: { id: 'claude-sonnet-4-5', providerID: 'anthropic' },
      finish: 'tool-calls',
      time: { created: 6 },
      tokens: { input: 1, output: 2, reasoning: 0, cache: { read: 0, write: 0 } },
      content: [
        { type: 'reasoning', text: 'hm', native: { signature: 'S' } },
        { type: 'text', text: 'I look' },
        {
          type: 'tool',
          id: 'a',
          name: 'read',
          state: { status: 'completed', input: { p: 1 }, content: [{ type: 'text', text: 'out' }] },
          time: { created: 6 },
        },
        {
          type: 'tool',
          id: 'b',
          name: 'read',
          state: { status: 'error', input: {}, error: { type: 'x', message: 'bad' } },
          time: { created: 6 },
        },
        { type: 'tool', id: 'c', name: 'read', state: { status: 'streaming', input: '{"p":' }, time: { created: 6 } },
        {
          type: 'tool',
          id: 'd',
          name: 'read',
          state: { status: 'running', input: {}, metadata: {} },
          time: { created: 6 },
        },
        {
          type: 'tool',
          id: 'e',
          name: 'read',
          state: { status: 'error', input: {}, error: { message: 'Tool execution interrupted' } },
          time: { created: 6 },
        },
        {
          type: 'tool',
          id: 'f',
          name: 'web',
          executed: true,
          state: {
            status: 'completed',
            input: {},
            content: [{ type: 'file', uri: 'data:image/png;base64,AA==', mime: 'image/png' }],
          },
          time: { created: 6 },
        },
      ],
    },
    { id: 'msg_8', type: 'idle', outcome: 'interrupted', time: { created: 7 } },
  ],
}

describe('opencode 2', () => {
  it('is read by the kinds of its messages', () => {
    const { session, codes } = read(FLAT)
    expect(outline(session)).toEqual([
      'user: ask | [image] | [file] | Attached directory: dir\n\na/',
      'user injected: note',
      'instruction: rule',
      'user injected: skill text',
      'user injected: Shell command: ls\n\na\n',
      'assistant: (hm) | I look | a completed | b failed | c interrupted | d interrupted | e interrupted | f completed',
    ])
    expect(session).toMatchObject({ title: 'T', cwd: '/w', agent: 'build' })
    expect(callOf(session, 'a').state).toEqual({ status: 'completed', result: 'out' })
    expect(callOf(session, 'b').state).toEqual({ status: 'failed', error: 'bad' })
    expect(callOf(session, 'c')).toMatchObject({ args: '{"p":', argsText: '{"p":', state: { dispatched: false } })
    expect(callOf(session, 'f')).toMatchObject({ executor: 'provider', state: { result: [{ kind: 'image' }] } })
    expect(session.messages.at(-1)).toMatchObject({
      by: { api: 'anthropic' },
      parts: [{ extra: { anthropic: { signature: 'S' } } }, {}, {}, {}, {}, {}, {}, {}],
    })
    expect(codes).toEqual(['call-unfinished', 'call-unfinished'])
  })

  it('begins with the last finished compaction', () => {
    const { info, messages } = FLAT as { info: Line; messages: Line[] }
    const compaction = (status: string): Line => ({
      id: `msg_${status}`,
      type: 'compaction',
      status,
      reason: 'auto',
      summary: 'SUM',
      recent: 'REC',
      time: { created: 8 },
    })
    const after = { id: 'msg_9', type: 'user', text: 'go on', time: { created: 9 } }
    const source = { info, messages: [...messages, compaction('completed'), compaction('failed'), after] }
    const { session, codes } = read(source)
    expect(outline(session)).toHaveLength(2)
    expect(outline(session)[0]).toMatch(/^user summary: <conversation-checkpoint>[\s\S]*SUM[\s\S]*REC/)
    expect(codes).toEqual(['compaction-applied', 'message-left-out'])
    expect(outline(read(source, { history: 'full' }).session)).toEqual([...outline(read(FLAT).session), 'user: go on'])
  })
})

describe('hostile input', () => {
  const sources = { export: ALL, flat: FLAT }

  it.each(Object.entries(sources))('%s: cut at every byte and with flipped bits', (_name, source) => {
    expect(batter(reader, JSON.stringify(source))).toBeGreaterThan(100)
  })

  it.each(Object.entries(sources))('%s: with a wrong value in each place', (_name, source) => {
    for (const wrong of [null, true, -1, '', 'x', [], [null], {}, { type: {} }, ...PROTOTYPE_NAMES.slice(0, 3)]) {
      for (const bad of damaged(source, wrong)) survives(reader, bad as object)
    }
  })

  it('keeps the neighbours of a bad part and of a bad message', () => {
    const { messages } = ALL as { messages: { parts: Line[] }[] }
    for (const wrong of [null, 7, 'x', [], {}, { type: 'tool' }, { type: 'text', text: 7 }, { type: 'toString' }]) {
      const first = messages[1]!
      const bad = { ...first, parts: first.parts.toSpliced(3, 0, wrong as Line) }
      expect(callsOf(read(exported(messages.with(1, bad) as unknown as Line[])).session.messages)).toHaveLength(7)
      expect(
        callsOf(read(exported([wrong as Line, ...(messages as unknown as Line[])])).session.messages),
      ).toHaveLength(7)
    }
  })

  it('takes names of Object.prototype as ids, roles, names and keys', () => {
    for (const name of PROTOTYPE_NAMES) {
      const state = { status: 'completed', output: 'o', input: JSON.parse(`{${JSON.stringify(name)}:1}`) as Line }
      const { session } = read(
        exported([asked(name, 1, text('go')), answered(`${name}2`, 2, {}, { ...tool(name, state), tool: name })]),
      )
      expect(callOf(session, name)).toMatchObject({ name, state: { result: 'o' } })
      expect(Object.keys(callOf(session, name).args as object)).toEqual([name])
      expect(read(exported([asked('a', 1, text('go')), { info: { role: name }, parts: [] }])).codes).toEqual([
        'record-unknown',
      ])
    }
  })

  it('keeps what is nested too deeply as text', () => {
    let deep: unknown = 1
    for (let level = 0; level < 50_000; level++) deep = [deep]
    const { session, codes } = read(
      exported([answered('msg_b', 2, {}, tool('c', { status: 'completed', output: 'o', input: deep as Line }))]),
    )
    expect(codes).toEqual(['value-too-deep'])
    expect(callOf(session, 'c').args).toMatch(/^\[{50}/)
  })

  it('is read in linear time', () => {
    const part = done('c', 'o')
    const many = (count: number): Line =>
      exported([answered('msg_b', 2, {}, ...Array.from({ length: count }, () => part))])
    expect(callsOf(read(many(50_000)).session.messages)).toHaveLength(50_000)
  }, 20_000)
})

describe('parts of other kinds', () => {
  it('are reported, but for those that are known to be notes; what a model drew is kept', () => {
    const drawn = { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AA==' }
    const { session, codes } = read(
      exported([
        asked('msg_a', 1, text('go'), { type: 'hologram' }, { type: 'tool' }),
        answered('msg_b', 2, {}, START, { type: 'retry', attempt: 1 }, { type: 'hologram' }, drawn),
      ]),
    )
    expect(outline(session)).toEqual(['user: go', 'assistant: [image]'])
    expect(codes).toEqual(['record-unknown', 'record-unknown', 'record-unknown'])
  })
})
