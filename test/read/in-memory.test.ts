import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { isJson } from '../../src/model/is-json.ts'
import { parseSession } from '../../src/model/schema.ts'
import type { FormatId } from '../../src/model/session.ts'
import { detectFormat, readSession } from '../../src/read/index.ts'
import { damaged } from '../hostile/damaged.ts'
import { callsOf } from './claude-code-lines.ts'
import { claudeCode, SAMPLES } from './samples.ts'

/** What programs hold and JSON does not, made anew for each case. */
const ODD: { readonly [kind: string]: () => unknown } = {
  'a list with holes': () => holed(),
  'a list that is nothing but holes': () => new Array(4_000_000_000),
  'a map': () => new Map<string, unknown>([['type', 'text']]),
  'a set': () => new Set(['text']),
  'a date': () => new Date(0),
  'a date that is none': () => new Date(Number.NaN),
  'a big integer': () => 10n ** 30n,
  'a symbol': () => Symbol('text'),
  'a function': () => () => 'text',
  undefined: () => undefined,
  'not a number': () => Number.NaN,
  infinity: () => Number.POSITIVE_INFINITY,
  bytes: () => new Uint8Array([1, 2, 3]),
  'a buffer': () => Buffer.from('text'),
  'bytes without a view': () => new ArrayBuffer(3),
  'a URL': () => new URL('https://example.com/a.png'),
  'an error': () => new Error('text'),
  'a pattern': () => /text/,
  'a promise': () => Promise.resolve('text'),
  'a boxed text': () => Object('text'),
  'an object without a prototype': () => Object.assign(Object.create(null) as object, { type: 'text', text: 'x' }),
  'a getter that throws': () => throwing(),
  'a proxy that throws': () => new Proxy({}, trapped()),
  'a proxy of a list that throws': () => new Proxy([], trapped()),
  'a proxy that was revoked': () => revoked({}),
  'a proxied list that was revoked': () => revoked([]),
  'a circle': () => circle(),
  'a list in a circle': () => listInCircle(),
  'what holds itself twice, and again': () => doubled(40),
  'what turns itself into something that throws': () => ({ toJSON: () => throwing() }),
  'what cannot be turned into JSON': () => ({ type: 'text', toJSON: () => raise() }),
  'what is deeper than the stack': () => deep(3_000),
}

function holed(): unknown[] {
  const list: unknown[] = []
  list[2] = { role: 'user', content: 'hi' }
  return list
}

function raise(): never {
  throw new Error('do not touch')
}

function throwing(): object {
  return Object.defineProperty({ role: 'user' }, 'type', { enumerable: true, get: raise })
}

function trapped(): ProxyHandler<object> {
  return { get: raise, has: raise, ownKeys: raise, getOwnPropertyDescriptor: raise, getPrototypeOf: raise }
}

function revoked(value: object): object {
  const { proxy, revoke } = Proxy.revocable(value, {})
  revoke()
  return proxy
}

function circle(): object {
  const value: { [key: string]: unknown } = { type: 'text', text: 'x' }
  value.content = [value]
  value.message = value
  return value
}

function listInCircle(): unknown[] {
  const list: unknown[] = [{ role: 'user', content: 'hi' }]
  list.push(list)
  return list
}

function doubled(levels: number): object {
  let value: object = { text: 'x' }
  for (let level = 0; level < levels; level++) value = { type: 'text', content: [value, value] }
  return value
}

function deep(levels: number): object {
  let value: object = { text: 'x' }
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { content: value }
  return value
}

function read(value: unknown, format?: FormatId): ReturnType<typeof readSession> | undefined {
  try {
    const result = readSession(value as object, format === undefined ? {} : { format })
    expect(parseSession(result.session)).toBe(result.session)
    expect(isJson(JSON.parse(JSON.stringify(result)))).toBe(true)
    return result
  } catch (error) {
    if (ReadError.is(error)) return undefined
    throw error
  }
}

const samples = SAMPLES as readonly (readonly [FormatId, unknown])[]
const first = new Map<FormatId, unknown>()
for (const [format, value] of samples) if (!first.has(format)) first.set(format, value)

const LARGE: ReadonlySet<string> = new Set(['what holds itself twice, and again', 'what is deeper than the stack'])

describe.each(Object.entries(ODD))('%s', (kind, make) => {
  it('is no session, and breaks nothing', () => {
    for (const format of first.keys()) read(make(), format)
    read(make())
    expect(() => detectFormat(make() as object)).not.toThrow()
  })

  it('among records costs none of them', () => {
    for (const [format, value] of samples) {
      if (!Array.isArray(value) || format === 'journal') continue
      const whole = read(value, format)!.session.messages.length
      expect(read([...(value as unknown[]), make()], format)?.session.messages.length, format).toBeGreaterThanOrEqual(
        whole,
      )
    }
  })

  it('in any place is survived', () => {
    // What is large costs time, not more cases.
    const most = LARGE.has(kind) ? 1 : Number.POSITIVE_INFINITY
    for (const [format, value] of first) {
      let tried = 0
      for (const bad of damaged(value, make())) if (tried++ < most) read(bad, format)
    }
  })
})

const chat = (args: unknown, content: unknown = 'out'): object => ({
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'A', name: 'look', input: args }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'A', content }] },
  ],
})

describe('values that JSON has another form for', () => {
  it('are read as JSON would store them', () => {
    const args = {
      when: new Date(0),
      where: new URL('https://example.com/a'),
      names: new Set(['a', 'b']),
      counts: new Map([['a', 1]]),
      big: 12n,
      none: undefined,
      bytes: new Uint8Array([1, 2]),
    }
    const { session } = readSession(chat(args))
    expect(callsOf(session.messages)[0]?.args).toEqual({
      when: '1970-01-01T00:00:00.000Z',
      where: 'https://example.com/a',
      names: ['a', 'b'],
      counts: { a: 1 },
      big: 12,
      bytes: 'AQI=',
    })
  })

  it('are told of where something is lost', () => {
    const changes = (args: unknown) => readSession(chat(args)).changes.map(({ code, before }) => [code, before])
    expect(changes({ when: new Date(0) })).toEqual([])
    expect(changes({ run: () => 1, text: 'x' })).toEqual([['value-not-json', 'a function']])
    const itself: { [key: string]: unknown } = { text: 'x' }
    itself.again = itself
    expect(changes(itself)).toEqual([['value-not-json', 'an object that holds itself']])
  })

  it('leave what is plain uncopied', () => {
    const args = { path: 'a', none: undefined }
    expect(callsOf(readSession(chat(args)).session.messages)[0]?.args).toBe(args)
  })

  it('are not changed themselves', () => {
    const args = Object.freeze({ when: new Date(0), list: Object.freeze([new Map()]) })
    const body = chat(args)
    readSession(body)
    expect(body).toEqual(chat(args))
  })
})

it('one object in very many places is what it is there', () => {
  const message = { role: 'user', content: [{ type: 'text', text: 'again' }] }
  const { session, changes } = readSession({ messages: Array.from({ length: 50_000 }, () => message) })
  expect(session.messages.length).toBe(50_000)
  expect(changes).toEqual([])
})

describe('lists with holes', () => {
  it('keep what stands between the holes', () => {
    const body = chat({}) as { messages: unknown[] }
    const messages = [...body.messages]
    messages.length = 5
    messages[6] = { role: 'assistant', content: 'done' }
    const { session, format } = readSession({ messages })
    expect(format).toBe('anthropic')
    expect(session.messages.at(-1)?.parts).toMatchObject([{ text: 'done' }])
  })

  it('are records of Claude Code as well', () => {
    const records: unknown[] = []
    records[3] = claudeCode
    expect(detectFormat(records)).toBe('claude-code')
    expect(readSession(records).session.messages).toHaveLength(1)
  })
})
