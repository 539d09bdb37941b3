import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { reader } from '../../src/read/gemini-cli/index.ts'
import type { ReadOptions } from '../../src/read/reader.ts'
import { readSource } from '../../src/read/source.ts'
import { callsOf, short } from './claude-code-lines.ts'
import { batter, batterValues, damagedLines, jsonl, type Line, PROTOTYPE_NAMES, survives } from './hostile.ts'

const AT = '2026-03-01T10:00:00.000Z'
const ABOUT: Line = { sessionId: 'S', projectHash: 'abc', startTime: AT, lastUpdated: AT, kind: 'main' }

const user = (id: string, content: unknown): Line => ({ id, timestamp: AT, type: 'user', content })
const gemini = (id: string, content: unknown, fields: Line = {}): Line => ({
  id,
  timestamp: AT,
  type: 'gemini',
  content,
  model: 'gemini-3-flash',
  ...fields,
})
const response = (id: string | undefined, name: string, answer: unknown): Line => ({
  functionResponse: { ...(id === undefined ? {} : { id }), name, response: answer },
})
const call = (id: string, fields: Line = {}): Line => ({
  id,
  name: 'shell',
  args: { command: id },
  status: 'success',
  result: [response(id, 'shell', { output: `out ${id}` })],
  ...fields,
})
const set = (fields: Line): Line => ({ $set: fields })

function read(source: readonly Line[] | string | object, options: ReadOptions = {}) {
  const text = Array.isArray(source) ? jsonl([ABOUT, ...(source as readonly Line[])]) : source
  return reader.read(readSource(text), options)
}

const told = (lines: readonly Line[], options: ReadOptions = {}): string[] =>
  short(read(lines, options).session.messages)
const codes = (lines: readonly Line[], options: ReadOptions = {}): string[] =>
  read(lines, options).changes.map(({ code }) => code)
const statesOf = (lines: readonly Line[]) => callsOf(read(lines).session.messages).map((entry) => entry.state)

describe('sessions', () => {
  const messages = [
    user('u1', 'list files'),
    gemini('g1', 'I look.', {
      thoughts: [{ subject: 'Plan', description: 'Look first.', timestamp: AT }],
      tokens: { input: 9, output: 2, cached: 4, thoughts: 1, tool: 0, total: 12 },
      toolCalls: [call('a'), call('b')],
    }),
    { id: 'i1', timestamp: AT, type: 'info', content: 'saved' },
    gemini('g2', 'Done.'),
  ]
  const expected = [
    'user: list files',
    'assistant: [**Plan**\nLook first.], I look., a=completed:out a, b=completed:out b',
    'assistant: Done.',
  ]

  it('are one object, or operations on lines', () => {
    const legacy = { ...ABOUT, summary: 'Files', messages }
    for (const source of [
      legacy,
      JSON.stringify(legacy, null, 2),
      JSON.stringify(legacy),
      jsonl([ABOUT, ...messages, set({ summary: 'Files' })]),
    ]) {
      const { session, changes } = read(source)
      expect(changes).toEqual([])
      expect(short(session.messages)).toEqual(expected)
      expect(session).toMatchObject({
        id: 'S',
        title: 'Files',
        createdAt: AT,
        source: { format: 'gemini-cli' },
        extra: { 'gemini-cli': { projectHash: 'abc', kind: 'main' } },
      })
      expect(session.messages[1]).toMatchObject({
        id: 'g1',
        at: AT,
        by: { provider: 'gemini', api: 'gemini', model: 'gemini-3-flash' },
        usage: { inputTokens: 9, outputTokens: 2, cacheReadTokens: 4, reasoningTokens: 1 },
      })
      expect(reader.detect(readSource(source))).toBeGreaterThan(0.9)
    }
  })

  it('are without messages when nothing was said', () => {
    expect(read([]).session.messages).toEqual([])
    expect(() => read('{"a":1}\n{"b":2}\n')).toThrow(ReadError)
  })

  it('leave out what the tool leaves out when it goes on', () => {
    const lines = [
      user('c', '/help'),
      user('q', [{ text: ' ?' }]),
      user('s', '<session_context>x</session_context>'),
      user('e', ''),
      user('m', [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }]),
      user('u', 'hi'),
      gemini('g', ''),
    ]
    expect(told(lines)).toEqual(['user: media', 'user: hi'])
    expect(codes(lines)).toEqual([...Array(4).fill('message-left-out'), 'message-empty'])
  })

  it('tell of unknown kinds of messages once', () => {
    const lines = [user('u', 'hi'), { ...user('n', 'x'), type: 'new' }, { ...user('o', 'x'), type: 'new' }, { x: 1 }]
    expect(codes(lines)).toEqual(['record-invalid', 'record-unknown'])
  })
})

describe('operations', () => {
  it('the last message of an id counts, in the place of the first', () => {
    const lines = [
      user('u', 'go'),
      gemini('g', '', { toolCalls: [call('a', { status: 'executing', result: null })] }),
      user('v', 'wait'),
      gemini('g', 'ran', { toolCalls: [call('a')] }),
    ]
    expect(told(lines)).toEqual(['user: go', 'assistant: ran, a=completed:out a', 'user: wait'])
    expect(codes(lines)).toEqual([])
  })

  it('a rewind takes a message and all after it; of an unknown one, everything', () => {
    const lines = [
      user('u', 'one'),
      gemini('g', '1'),
      user('v', 'two'),
      gemini('h', '2'),
      { $rewindTo: 'v' },
      user('w', 'three'),
    ]
    expect(told(lines)).toEqual(['user: one', 'assistant: 1', 'user: three'])
    expect(codes(lines)).toEqual(['message-left-out'])
    expect(told([...lines, { $rewindTo: 'nope' }, user('x', 'four')])).toEqual(['user: four'])
  })

  it('messages that are set replace those before; the whole history keeps them', () => {
    const summary = user('s', [{ text: '<state_snapshot>so far</state_snapshot>' }])
    const lines = [
      user('u', 'one'),
      gemini('g', '1'),
      user('v', 'two'),
      gemini('h', '2'),
      set({ messages: [summary, gemini('k', 'Got it.'), user('v', 'two'), gemini('h', '2')], lastUpdated: AT }),
      user('w', 'three'),
    ]
    expect(told(lines)).toEqual([
      'summary: <state_snapshot>so far</state_snapshot>',
      'assistant: Got it.',
      'user: two',
      'assistant: 2',
      'user: three',
    ])
    expect(codes(lines)).toEqual(['compaction-applied'])
    expect(told(lines, { history: 'full' })).toEqual([
      'user: one',
      'assistant: 1',
      'user: two',
      'assistant: 2',
      'user: three',
    ])
    expect(codes(lines, { history: 'full' })).toEqual(['message-left-out'])
    // Old outputs that were masked are no compression; the whole history has them as they were.
    const masked = [gemini('g', 'long'), set({ messages: [gemini('g', 'short')] })]
    expect(told(masked)).toEqual(['assistant: short'])
    expect(codes(masked)).toEqual([])
    expect(told(masked, { history: 'full' })).toEqual(['assistant: long'])
  })
})

describe('calls', () => {
  const made = (...calls: readonly Line[]): Line[] => [user('u', 'go'), gemini('g', '', { toolCalls: calls })]

  it('take their outcome from the response', () => {
    expect(
      statesOf(
        made(
          call('a', { result: 'plain' }),
          call('b', { result: response('b', 'shell', { error: 'no such file' }) }),
          call('c', {
            status: 'cancelled',
            result: [response('c', 'shell', { error: '[Operation Cancelled] Reason: User did not allow tool call' })],
          }),
          call('d', { status: 'error', result: [response('d', 'shell', { output: 'broken' })] }),
          call('e', { result: [response('e', 'shell', { answer: [1] })] }),
          call('f', {
            result: [
              response('f', 'shell', { output: 'see' }),
              { inlineData: { mimeType: 'image/png', data: 'AA==' } },
            ],
          }),
          call('g', { result: [{ text: 'only text' }] }),
          call('h', { result: [response('h', 'shell', { output: 'fine', error: null })] }),
        ),
      ),
    ).toEqual([
      { status: 'completed', result: 'plain' },
      { status: 'failed', error: 'no such file' },
      { status: 'failed', error: '[Operation Cancelled] Reason: User did not allow tool call', denied: true },
      { status: 'failed', error: 'broken' },
      {
        status: 'completed',
        result: [{ type: 'json', value: { answer: [1] } }],
        extra: { gemini: { response: { answer: [1] } } },
      },
      {
        status: 'completed',
        result: [
          { type: 'text', text: 'see' },
          { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'AA==' } },
        ],
      },
      { status: 'completed', result: 'only text' },
      { status: 'completed', result: 'fine' },
    ])
  })

  it('without a stored result are interrupted, or failed where the record says so', () => {
    const lines = made(
      call('a', { status: 'executing', result: null }),
      call('b', { status: 'awaiting_approval', result: undefined }),
      call('c', { result: [] }),
      call('d', { status: 'cancelled', result: undefined, resultDisplay: 'stopped' }),
      call('e', { status: 'error', result: undefined }),
    )
    expect(statesOf(lines)).toEqual([
      { status: 'interrupted' },
      { status: 'interrupted', dispatched: false },
      { status: 'interrupted' },
      { status: 'failed', error: 'stopped' },
      { status: 'failed', error: 'The call failed.' },
    ])
  })

  it('have one outcome where the response is recorded a second time', () => {
    const lines = [...made(call('a')), user('r', [response('a', 'shell', { output: 'out a' })]), gemini('h', 'ok')]
    expect(told(lines)).toEqual(['user: go', 'assistant: a=completed:out a', 'assistant: ok'])
    expect(codes(lines)).toEqual(['record-duplicate'])
    const only = [
      ...made(call('a', { result: null })),
      user('r', [response('a', 'shell', { output: 'late' }), { text: 'and this' }]),
    ]
    expect(told(only)).toEqual(['user: go', 'assistant: a=completed:late', 'user: and this'])
    const failedFirst = [
      ...made(call('a', { status: 'error', result: null })),
      user('r', [response('a', 'shell', { error: 'why' })]),
    ]
    expect(statesOf(failedFirst)).toEqual([{ status: 'failed', error: 'why' }])
  })

  it('take their own response where those of the whole turn are stored', () => {
    const all = [response('a', 'shell', { output: 'A' }), response('b', 'shell', { output: 'B' })]
    expect(statesOf(made(call('a', { result: all }), call('b', { result: all })))).toMatchObject([
      { result: 'A' },
      { result: 'B' },
    ])
  })

  it('of the content are the truth, with their signatures', () => {
    const content = [
      { text: 'hm', thought: true, thoughtSignature: 's0' },
      { functionCall: { id: 'a', name: 'shell', args: { x: 1 } }, thoughtSignature: 's1' },
      { functionCall: { name: 'shell', args: {} } },
    ]
    const lines = [
      gemini('g', content, {
        thoughts: [{ subject: 'Again', description: '' }],
        toolCalls: [call('a'), call('b'), call('c')],
      }),
    ]
    const { session } = read(lines)
    expect(short(session.messages)).toEqual([
      'assistant: [hm], a=completed:out a, b=completed:out b, c=completed:out c',
    ])
    expect(session.messages[0]?.parts.slice(0, 2)).toMatchObject([
      { type: 'reasoning', extra: { gemini: { thoughtSignature: 's0' } } },
      { type: 'tool-call', args: { x: 1 }, extra: { gemini: { thoughtSignature: 's1' } } },
    ])
  })
})

describe('checkpoints', () => {
  const contents = [
    { role: 'user', parts: [{ text: 'This is the Gemini CLI. We are in /w.' }] },
    { role: 'model', parts: [{ text: 'Got it.' }] },
    {
      role: 'user',
      parts: [{ text: 'go' }, { fileData: { mimeType: 'application/pdf', fileUri: 'https://x/y.pdf' } }],
    },
    {
      role: 'model',
      parts: [
        { functionCall: { name: 'f', args: { n: 1 } } },
        { functionCall: { name: 'g' } },
        { functionCall: { name: 'f', args: { n: 2 } } },
      ],
    },
    {
      role: 'user',
      parts: [
        response(undefined, 'f', { output: 'f1' }),
        response(undefined, 'f', { output: 'f2' }),
        response(undefined, 'g', { error: 'g!' }),
      ],
    },
    { role: 'model', parts: [{ functionCall: { name: 'f' } }] },
  ]

  it('pair calls without ids by name and order', () => {
    for (const source of [
      contents,
      { history: contents, authType: 'x' },
      { history: [{ type: 'user', text: 'go' }], clientHistory: contents, toolCall: {} },
    ]) {
      const form = readSource(source)
      expect(reader.detect(form)).toBeGreaterThan(0)
      const { session } = reader.read(form, {})
      expect(short(session.messages)).toEqual([
        'injected: This is the Gemini CLI. We are in /w.',
        'assistant: Got it.',
        'user: go, media',
        'assistant: =completed:f1, =failed:g!, =completed:f2',
        'assistant: =interrupted',
      ])
    }
  })

  it('are left to other formats where parts say their type', () => {
    const ofOthers = [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }]
    expect(reader.detect(readSource(ofOthers))).toBe(0)
    expect(reader.detect(readSource({ history: [{ message: { role: 'user', content: 'hi' } }] }))).toBe(0)
  })

  it('hold code that the API ran', () => {
    const code = { executableCode: { language: 'PYTHON', code: 'print(1)' } }
    const ran = { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } }
    const list: object = [{ role: 'model', parts: [code, ran, { text: 'One.' }, code] }]
    const { messages } = reader.read(readSource(list), {}).session
    expect(callsOf(messages)).toMatchObject([
      {
        name: 'code_execution',
        executor: 'provider',
        state: { status: 'completed', result: '1\n' },
        extra: { gemini: { code, result: ran } },
      },
      { executor: 'provider', state: { status: 'interrupted' } },
    ])
  })
})

describe('hostile sessions', () => {
  const SESSION: readonly Line[] = [
    ABOUT,
    user('u', [{ text: 'tok-user' }, { inlineData: { mimeType: 'image/png', data: 'AA==' } }]),
    gemini(
      'g',
      [{ text: 'tok-said', thoughtSignature: 's' }, { functionCall: { id: 'a', name: 'f', args: { x: 1 } } }],
      {
        thoughts: [{ subject: 'S', description: 'D' }],
        tokens: { input: 1 },
        toolCalls: [call('a'), call('b', { status: 'cancelled', result: [response('b', 'f', { error: 'no' })] })],
      },
    ),
    user('r', [response('a', 'f', { output: 'x' })]),
    gemini('h', 'tok-last'),
    set({ summary: 'title', directories: ['/w'] }),
  ]
  const CUTTING: readonly Line[] = [
    set({ messages: [user('s', '<state_snapshot>'), gemini('h', 'x')] }),
    { $rewindTo: 'h' },
    user('z', 'z'),
  ]

  it('survive cuts at every byte, flipped bytes and wrong values', () => {
    expect(batter(reader, jsonl([...SESSION, ...CUTTING]))).toBeGreaterThan(100)
    expect(batterValues(reader, [...SESSION, ...CUTTING], [{}, { history: 'full' }])).toBeGreaterThan(600)
    const whole = { ...ABOUT, messages: SESSION.slice(1, 5) }
    expect(batterValues(reader, [whole], [{}])).toBeGreaterThan(150)
    const checkpoint = {
      history: [
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
        { role: 'user', parts: [response(undefined, 'f', { output: 'x' })] },
      ],
    }
    expect(batterValues(reader, [checkpoint], [{}])).toBeGreaterThan(60)
  })

  it('lose nothing but the damaged record', () => {
    const tokens = SESSION.map((line) => JSON.stringify(line).match(/tok-\w+/)?.[0])
    for (const { lines, index } of damagedLines(SESSION, ['id'])) {
      const found = JSON.stringify(survives(reader, jsonl(lines))?.session.messages)
      expect(tokens.filter((token, place) => token !== undefined && place !== index && !found.includes(token))).toEqual(
        [],
      )
    }
  })

  it('survive the names of Object.prototype', () => {
    for (const name of PROTOTYPE_NAMES) {
      const lines = [
        user(name, name),
        gemini(`${name}2`, [{ [name]: name }], {
          toolCalls: [call(name, { name, args: { [name]: 1 }, status: name })],
        }),
        { ...user('x', 'y'), type: name },
        set({ [name]: name }),
      ]
      expect(callsOf(read(lines).session.messages)).toMatchObject([{ id: name, name, state: { status: 'completed' } }])
    }
  })

  it('keep values that are nested too deep as text, and are read in linear time', () => {
    const deep = `${'['.repeat(5_000)}1${']'.repeat(5_000)}`
    const line = JSON.stringify(gemini('g', '', { toolCalls: [call('a', { args: { x: 0 } })] })).replace(
      '"x":0',
      `"x":${deep}`,
    )
    const result = survives(reader, `${jsonl([ABOUT])}${line}\n`)
    expect(result?.changes.map(({ code }) => code)).toContain('value-too-deep')
    expect(callsOf(result?.session.messages ?? [])).toMatchObject([{ state: { status: 'completed', result: 'out a' } }])
    const many = Array.from({ length: 20_000 }, (_, index) => index)
    const sources = [
      many.map((index) => user(`u${index}`, 'hi')),
      many.map((index) => (index % 2 === 0 ? user(`u${index}`, 'hi') : { $rewindTo: `u${index - 1}` })),
      [
        gemini(
          'g',
          many.map(() => ({ functionCall: { name: 'f' } })),
          { toolCalls: many.map((index) => call(`c${index}`, { name: 'f' })) },
        ),
      ],
      many.map(() => gemini('g', 'x')),
    ]
    for (const lines of sources) {
      const start = process.cpuUsage()
      read(lines)
      const { user: spent, system } = process.cpuUsage(start)
      expect((spent + system) / 1e6).toBeLessThan(4)
    }
  })
})
