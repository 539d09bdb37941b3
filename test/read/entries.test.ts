import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { parseSession } from '../../src/model/schema.ts'
import type { Message, Session, ToolCallEntry } from '../../src/model/session.ts'
import { reader } from '../../src/read/entries/index.ts'
import { readSource } from '../../src/read/source.ts'

const read = (input: unknown) => {
  const { session, changes } = reader.read(readSource(input as object), {})
  return { session, changes, messages: session.messages, codes: changes.map((c) => c.code) }
}
const detect = (input: string | object) => reader.detect(readSource(input))
const callsOf = (messages: readonly Message[]): ToolCallEntry[] =>
  messages.flatMap((m) => (m.role === 'assistant' ? m.parts.filter((p) => p.type === 'tool-call') : []))
const oneCall = (call: unknown) => callsOf(read([{ role: 'assistant', content: '', toolCalls: [call] }]).messages)[0]

describe('the form stored by hand', () => {
  const history = [
    { role: 'system', content: 'be brief' },
    { role: 'user', content: 'list files' },
    {
      role: 'assistant',
      content: 'Here:',
      toolCalls: [
        { id: 'c1', name: 'bash', args: { command: 'ls' }, state: { status: 'completed', result: 'a\nb' } },
        { id: 'c2', name: 'read', args: { path: '/x' }, state: { status: 'interrupted' } },
        { id: 'c3', name: 'bash', args: {}, state: { status: 'failed', error: 'denied' } },
      ],
    },
  ]
  const expected: Session = {
    version: 1,
    source: { format: 'entries' },
    instructions: [{ type: 'text', text: 'be brief' }],
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'list files' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'Here:' },
          {
            type: 'tool-call',
            id: 'c1',
            name: 'bash',
            args: { command: 'ls' },
            state: { status: 'completed', result: 'a\nb' },
          },
          { type: 'tool-call', id: 'c2', name: 'read', args: { path: '/x' }, state: { status: 'interrupted' } },
          { type: 'tool-call', id: 'c3', name: 'bash', args: {}, state: { status: 'failed', error: 'denied' } },
        ],
      },
    ],
  }

  it.each<[string, string | object]>([
    ['an array', history],
    ['an object', { messages: history }],
    ['JSON text', JSON.stringify(history)],
    ['JSON lines', history.map((message) => JSON.stringify(message)).join('\n')],
  ])('is read from %s', (_name, input) => {
    expect(detect(input)).toBeGreaterThan(0.9)
    const { session, codes } = read(input)
    expect(parseSession(session)).toEqual(expected)
    expect(codes).toEqual([])
  })

  it('may name the list tool_calls, and the state by one word', () => {
    const { messages, codes } = read([
      { role: 'assistant', content: '', tool_calls: [{ id: 'a', name: 'x', args: {}, state: 'interrupted' }] },
    ])
    expect(messages).toEqual([
      {
        role: 'assistant',
        parts: [{ type: 'tool-call', id: 'a', name: 'x', args: {}, state: { status: 'interrupted' } }],
      },
    ])
    expect(codes).toEqual([])
  })

  it('takes a call without a state for unfinished, and says so', () => {
    const { messages, codes } = read([{ role: 'assistant', toolCalls: [{ id: 'a', name: 'x', args: {} }] }])
    expect(callsOf(messages)[0]?.state).toEqual({ status: 'interrupted' })
    expect(codes).toEqual(['call-unfinished'])
  })

  it('parses arguments stored as text, and keeps the text', () => {
    expect(oneCall({ id: 'a', name: 'x', args: '{ "n": 1.0 }', state: 'pending' })).toMatchObject({
      args: { n: 1 },
      argsText: '{ "n": 1.0 }',
    })
    expect(oneCall({ id: 'a', name: 'x', args: '{"cut', state: 'pending' })).toMatchObject({
      args: '{"cut',
      argsText: '{"cut',
    })
    const custom = oneCall({ id: 'a', name: 'x', kind: 'custom', args: '{"a":1}', state: 'pending' })
    expect(custom).toMatchObject({ args: '{"a":1}' })
    expect(custom).not.toHaveProperty('argsText')
  })

  it('takes any JSON for an output, and outcomes that stand beside the call', () => {
    const state = (call: object) => oneCall({ id: 'a', name: 'x', args: {}, ...call })?.state
    const json = (value: unknown) => [{ type: 'json', value }]
    expect(state({ state: { status: 'completed', result: { n: 1 } } })).toEqual({
      status: 'completed',
      result: json({ n: 1 }),
    })
    expect(state({ state: { status: 'completed', result: [1, 2] } })).toMatchObject({ result: json([1, 2]) })
    expect(state({ state: { status: 'completed' } })).toEqual({ status: 'completed', result: '' })
    expect(state({ state: { kind: 'failed', error: 'no' } })).toEqual({ status: 'failed', error: 'no' })
    expect(state({ result: 'ok' })).toEqual({ status: 'completed', result: 'ok' })
    expect(state({ error: 'no' })).toEqual({ status: 'failed', error: 'no' })
  })

  it('pairs results in messages of their own', () => {
    const { messages, codes } = read([
      { role: 'assistant', toolCalls: [{ id: 'a', name: 'x', args: {} }] },
      { role: 'tool', toolCallId: 'a', content: 'A' },
      { role: 'tool', toolCallId: 'b', content: 'B' },
    ])
    expect(callsOf(messages)[0]?.state).toEqual({ status: 'completed', result: 'A' })
    expect(codes).toEqual(['orphan-result'])
  })

  it('makes leading system and developer messages the instructions, and later ones messages', () => {
    const { session } = read([
      { role: 'system', content: 'one', id: 's1' },
      { role: 'developer', content: [{ type: 'text', text: 'two' }] },
      { role: 'user', content: 'hi' },
      { role: 'developer', content: 'three', at: 'now' },
      { role: 'system', content: 'four' },
    ])
    expect(session.instructions).toEqual([
      { type: 'text', text: 'one', extra: { entries: { id: 's1' } } },
      { type: 'text', text: 'two', extra: { entries: { role: 'developer' } } },
    ])
    expect(session.messages.slice(1)).toEqual([
      { role: 'instruction', authority: 'developer', at: 'now', parts: [{ type: 'text', text: 'three' }] },
      { role: 'instruction', authority: 'system', parts: [{ type: 'text', text: 'four' }] },
    ])
  })

  it('keeps what stands beside: known fields as such, others in its slot', () => {
    const { session } = read({
      id: 's',
      title: 't',
      system: 'be kind',
      tools: [{ name: 'bash' }],
      rating: 5,
      messages: [
        { role: 'user', content: 'hi', at: 'then', mood: { good: true } },
        { role: 'assistant', content: 'ho', by: { model: 'm' }, id: null },
      ],
    })
    expect(parseSession(session)).toEqual({
      version: 1,
      source: { format: 'entries' },
      id: 's',
      title: 't',
      instructions: [{ type: 'text', text: 'be kind' }],
      tools: [{ name: 'bash' }],
      extra: { entries: { rating: 5 } },
      messages: [
        {
          role: 'user',
          at: 'then',
          parts: [{ type: 'text', text: 'hi' }],
          extra: { entries: { mood: { good: true } } },
        },
        { role: 'assistant', by: { model: 'm' }, parts: [{ type: 'text', text: 'ho' }] },
      ],
    })
  })

  it('loses no neighbour of a bad message, part or call', () => {
    const { messages, codes } = read([
      { role: 'user', content: 'hi' },
      7,
      { role: 'robot', content: 'x' },
      { type: 'header' },
      { role: 'user', content: ['a', { type: 'tool-call' }, null, { type: 'text' }, { type: 'text', text: 'b' }] },
      { role: 'assistant', content: 9, toolCalls: [null, { id: 5, name: 'x', args: {}, state: 'odd' }, { id: 'n' }] },
      { role: 'assistant', content: 'end', toolCalls: 'none' },
    ])
    expect(messages.map((m) => m.parts.map((p) => ('text' in p ? p.text : p.type)))).toEqual([
      ['hi'],
      ['a', 'b'],
      ['tool-call'],
      ['end'],
    ])
    expect(codes).toEqual([
      'record-invalid',
      'record-invalid',
      'record-unknown',
      ...Array(3).fill('part-invalid'),
      ...Array(5).fill('part-invalid'),
      'part-invalid',
    ])
    expect(callsOf(messages)).toMatchObject([{ id: '', state: { status: 'interrupted' } }])
  })
})

describe('detection', () => {
  it.each<[string, object]>([
    [
      'OpenAI chat',
      [{ role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: '{}' } }] }],
    ],
    ['Anthropic', [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'x', input: {} }] }]],
    [
      'Mistral in camel case',
      [{ role: 'assistant', toolCalls: [{ id: 'a', function: { name: 'x', arguments: '{}' } }] }],
    ],
    ['LangChain', [{ type: 'ai', content: '', tool_calls: [{ id: 'a', name: 'x', args: {}, type: 'tool_call' }] }]],
    ['AI SDK', [{ role: 'assistant', parts: [{ type: 'tool-x', toolCallId: 'a', state: 'output-available' }] }]],
    ['nothing', [{}]],
    ['an empty object', {}],
    ['a version without messages', { version: 1 }],
  ])('leaves %s alone', (_name, input) => {
    expect(detect(input)).toBe(0)
  })

  it('leaves plain messages to the readers of APIs unless nobody wants them', () => {
    expect(detect([{ role: 'user', content: 'hi' }])).toBeGreaterThan(0)
    expect(detect([{ role: 'user', content: 'hi' }])).toBeLessThan(0.1)
  })
})

const call: ToolCallEntry = {
  type: 'tool-call',
  id: 'a',
  name: 'bash',
  kind: 'function',
  args: { command: 'ls' },
  argsText: '{"command":"ls"}',
  executor: 'client',
  resultOrder: 0,
  state: {
    status: 'completed',
    result: [
      { type: 'text', text: 'x' },
      { type: 'json', value: { a: [1] } },
      { type: 'media', kind: 'image', mediaType: 'image/png', source: { url: 'u' }, name: 'n' },
    ],
    extra: { anthropic: { cache_control: null } },
  },
  extra: { pi: 1 },
}
const canonical: Session = {
  version: 1,
  id: 's',
  source: { format: 'pi', version: '3' },
  parent: { id: 'p' },
  instructions: [{ type: 'text', text: 'sys' }],
  tools: [{ name: 'bash', parameters: {}, kind: 'function' }],
  extra: { dirge: { a: 1 } },
  messages: [
    {
      role: 'user',
      kind: 'summary',
      at: 'then',
      parts: [
        { type: 'text', text: 'hi', extra: { anthropic: 1 } },
        { type: 'media', kind: 'file', mediaType: 'text/plain', source: { text: 't' } },
        { type: 'native', api: 'gemini', dialect: 'd', value: {}, text: 't' },
      ],
    },
    { role: 'instruction', authority: 'system', parts: [{ type: 'text', text: 'now' }] },
    {
      role: 'assistant',
      by: { model: 'm', api: 'anthropic', provider: 'p' },
      stop: 'end',
      usage: { inputTokens: 1, extra: { pi: 1 } },
      parts: [
        { type: 'reasoning', text: 'r', redacted: false },
        call,
        { ...call, id: 'b', state: { status: 'failed', error: 'e', denied: true } },
        { ...call, id: 'c', state: { status: 'interrupted', partial: 'p', dispatched: true, reason: 'r' } },
        { ...call, id: 'd', state: { status: 'pending', reason: 'approval', approved: false } },
      ],
    },
  ],
}

type Path = readonly (string | number)[]
/** Every place of a value. */
function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Object.entries(value).flatMap(([key, v]) =>
    placesOf(v, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return path.length === 0 ? inner : [path, ...inner]
}
function withPlace(path: Path, value: unknown): unknown {
  const copy: unknown = structuredClone(canonical)
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => Reflect.get(at as object, key), copy)
  Reflect.set(holder as object, path.at(-1) ?? '', value)
  return copy
}
const isValid = (value: unknown): boolean => {
  try {
    parseSession(value)
    return true
  } catch (error) {
    if (ReadError.is(error)) return false
    throw error
  }
}

describe('the canonical form', () => {
  it('is given back as it is', () => {
    expect(detect(canonical)).toBeGreaterThan(0.95)
    expect(read(canonical).session).toBe(canonical)
    expect(read(canonical).codes).toEqual([])
    expect(read(JSON.stringify(canonical)).session).toEqual(canonical)
    expect(read({ version: 1, messages: [] }).session).toEqual({ version: 1, messages: [] })
  })

  const odd = [null, 0, -1.5, '', 'x', true, [], {}, [{}], { type: 'text' }, 'constructor', '__proto__', [null]]
  const places = placesOf(canonical).filter(([first]) => first !== 'version' && first !== 'messages')
  const inMessages = placesOf(canonical).filter((path) => path[0] === 'messages' && path.length > 1)

  it.each([...places, ...inMessages].map((path) => [path.join('.'), path] as const))(
    'survives anything at %s, and keeps the rest',
    (_name, path) => {
      for (const value of odd) {
        const damaged = withPlace(path, value)
        const { session, changes } = read(damaged)
        expect(isValid(session)).toBe(true)
        expect(session === damaged).toBe(isValid(damaged))
        if (session !== damaged && value !== null) {
          const told = changes.length > 0 || JSON.stringify(session).includes(JSON.stringify(value))
          expect(told, JSON.stringify(value)).toBe(true)
        }
        const touched = path[0] === 'messages' ? Number(path[1]) : -1
        for (const [index, message] of canonical.messages.entries()) {
          if (index !== touched) expect(session.messages).toContainEqual(message)
        }
      }
    },
  )

  it('says the same as the schema of any mixture of damages', () => {
    const damage = fc.tuple(fc.constantFrom(...inMessages), fc.constantFrom(...odd, undefined))
    fc.assert(
      fc.property(damage, ([path, value]) => {
        const damaged = withPlace(path, value)
        expect(read(damaged).session === damaged).toBe(isValid(damaged))
      }),
      { numRuns: 500 },
    )
  })

  it('refuses another version, and no list of messages', () => {
    for (const input of [
      { ...canonical, version: 2 },
      { version: 3, messages: [{ role: 'user', parts: [] }] },
    ]) {
      expect(() => read(input)).toThrow('version')
    }
    for (const input of [{}, { version: 1 }, { version: 1, messages: {} }]) expect(() => read(input)).toThrow(ReadError)
  })

  it('keeps values nested too deeply as text', () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
    const place = (path: Path) => read(JSON.stringify(withPlace(path, 'DEEP')).replace('"DEEP"', deep))
    const args = place(['messages', 2, 'parts', 1, 'args'])
    expect(callsOf(args.messages)[0]?.args).toBe(deep)
    expect(args.codes).toEqual(['value-too-deep'])
    const json = place(['messages', 2, 'parts', 1, 'state', 'result', 1, 'value'])
    expect(JSON.stringify(callsOf(json.messages)[0]?.state)).toContain(deep)
    expect(json.codes).toEqual(['value-too-deep'])
    expect(isValid(place(['extra', 'dirge']).session)).toBe(true)
    const hand = read(
      `[{"role":"user","content":"x","more":${deep}},{"role":"assistant","toolCalls":[{"name":"x","args":${deep}}]}]`,
    )
    expect(isValid(hand.session)).toBe(true)
    expect(hand.codes).toEqual(['value-too-deep', 'value-too-deep', 'call-unfinished'])
  })
})

describe('hostile input', () => {
  it('takes every name of Object.prototype for nothing special', () => {
    for (const name of Object.getOwnPropertyNames(Object.prototype)) {
      const args = JSON.parse(`{"${name}":1}`) as object
      const { session, messages } = read([
        { role: name, content: 'x' },
        { role: 'user', content: [{ type: name, text: 'x' }, 'kept'] },
        { role: 'assistant', toolCalls: [{ id: name, name, args, state: name, [name]: 1 }] },
        { role: 'user', content: 'kept too' },
      ])
      expect(isValid(session)).toBe(true)
      expect(messages).toHaveLength(3)
      expect(callsOf(messages)).toMatchObject([{ id: name, name, state: { status: 'interrupted' } }])
      expect(JSON.stringify(callsOf(messages)[0]?.args)).toBe(JSON.stringify(args))
    }
  })

  it('survives every cut of a small file', () => {
    const lines = canonical.messages.map((message) =>
      JSON.stringify({ ...message, content: message.parts, parts: undefined }),
    )
    for (const text of [JSON.stringify(canonical), JSON.stringify(canonical, null, 1), lines.join('\n')]) {
      for (let cut = 0; cut < text.length; cut++) {
        try {
          const source = readSource(text.slice(0, cut))
          reader.detect(source)
          expect(isValid(reader.read(source, {}).session)).toBe(true)
        } catch (error) {
          if (!ReadError.is(error)) throw error
        }
      }
    }
  })

  it('reads a hundred thousand messages, and as many parts of one', () => {
    const count = 100_000
    const calls = [{ id: 'same', name: 'x', args: {} }]
    const many = Array.from({ length: count }, (_, i) =>
      i % 2 === 0 ? { role: 'assistant', toolCalls: calls } : { role: 'tool', toolCallId: 'same', content: `${i}` },
    )
    expect(callsOf(read(many).messages).at(-1)?.state).toEqual({ status: 'completed', result: `${count - 1}` })
    const texts = Array.from({ length: count }, () => 'x')
    const { session } = read([
      { role: 'system', content: texts },
      { role: 'user', content: texts },
      { role: 'assistant', content: texts, toolCalls: Array.from({ length: count }, () => calls[0]) },
    ])
    expect(session.instructions).toHaveLength(count)
    expect(session.messages.map((message) => message.parts.length)).toEqual([count, 2 * count])
  })

  it('reads any JSON or refuses it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
        for (const input of [
          [value, other],
          { messages: [value, other], instructions: other, tools: other, id: value },
        ]) {
          reader.detect(readSource(input))
          expect(isValid(read(input).session)).toBe(true)
        }
      }),
    )
  })
})
