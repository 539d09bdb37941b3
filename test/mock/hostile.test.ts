import { deflateSync, gzipSync } from 'node:zlib'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import type { Reply } from '../../src/mock/index.ts'
import { PROTOTYPE_NAMES } from '../check/openai/hostile.ts'
import { claude, mocked, openai, thrown } from './server.ts'

const mock = mocked()

const ASK = { model: 'claude-opus-4-8', max_tokens: 16, messages: [{ role: 'user' as const, content: 'Hello' }] }
const CHAT = { model: 'gpt-4o', messages: [{ role: 'user' as const, content: 'Hello' }] }
const RESPONSE = { model: 'gpt-5', input: 'Hello' }

interface Endpoint {
  readonly url: string
  readonly good: object
  /** A request around the content of one message. */
  around(content: string): string
}

const MESSAGES: Endpoint = {
  url: 'https://api.anthropic.com/v1/messages',
  good: ASK,
  around: (content) => `{"model":"claude-opus-4-8","max_tokens":1,"messages":[{"role":"user","content":${content}}]}`,
}

const ENDPOINTS: readonly Endpoint[] = [
  MESSAGES,
  {
    url: 'https://api.anthropic.com/v1/messages/count_tokens',
    good: { model: ASK.model, messages: ASK.messages },
    around: (content) => `{"model":"claude-opus-4-8","messages":[{"role":"user","content":${content}}]}`,
  },
  {
    url: 'https://api.openai.com/v1/chat/completions',
    good: CHAT,
    around: (content) => `{"model":"gpt-4o","messages":[{"role":"user","content":${content}}]}`,
  },
  {
    url: 'https://api.openai.com/v1/responses',
    good: RESPONSE,
    around: (content) => `{"model":"gpt-5","input":[{"role":"user","content":${content}}]}`,
  },
]

const post = (url: string, body: BodyInit, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body, headers })

const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join()

const GIVEN = [
  { prefix: 'msg_01', digits: 22 },
  { prefix: 'msg_', digits: 48 },
  { prefix: 'chatcmpl-', digits: 29 },
  { prefix: 'resp_', digits: 48 },
]
const givenBefore = (index: number): string =>
  GIVEN.map(({ prefix, digits }) => prefix + String(index + 1).padStart(digits, '0')).join(' ')

/** Up to a megabyte of each. */
const CONTENTS: { readonly [what: string]: string } = {
  'lists in lists': '['.repeat(200_000) + ']'.repeat(200_000),
  'objects in objects': `${'{"a":'.repeat(80_000)}1${'}'.repeat(80_000)}`,
  'lists that never end': '['.repeat(400_000),
  'blocks of no known type': `[${times(10_000, () => '{"type":"x"}')}]`,
  'blocks that are no objects': `[${times(20_000, String)}]`,
  'one huge id': `[{"type":"tool_result","tool_use_id":"${'x'.repeat(1_000_000)}","content":"a"}]`,
  'results without calls': `[${times(5000, (i) => `{"type":"tool_result","tool_use_id":"t${i}","content":"x"}`)}]`,
  blanks: `"${' '.repeat(1_000_000)}"`,
  'half surrogate pairs': `"${'\\ud83d'.repeat(50_000)}"`,
  'NUL characters': `"${'\\u0000'.repeat(50_000)}"`,
  'base64 that is no image': `[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${'A'.repeat(1_000_000)}"}}]`,
  'ids that the mock gave before': `"${times(8000, givenBefore)}"`,
  'names of prototypes': `[${PROTOTYPE_NAMES.map((name) => `{"type":"${name}","${name}":{"${name}":1}}`).join()}]`,
}

describe.each(ENDPOINTS)('hostile bodies at $url', ({ url, good, around }) => {
  it.each(Object.entries(CONTENTS))('%s are answered', async (_what, content) => {
    const response = await post(url, around(content))
    expect([200, 400]).toContain(response.status)
    expect(await response.json()).toBeTypeOf('object')
    expect((await post(url, JSON.stringify(good))).status).toBe(200)
  })

  it.each(['', 'null', '0', '"x"', '[]', 'true', 'a=b&c=d', '{"stream":true', '\u0000'])(
    '%j is refused',
    async (body) => {
      const response = await post(url, body, { 'content-type': 'application/x-www-form-urlencoded' })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
      expect(mock.requests).toHaveLength(1)
      expect(() => mock.expectAccepted()).toThrow(url)
    },
  )

  it('no body at all, and a form, are refused', async () => {
    const form = new FormData()
    form.set('model', 'x')
    expect((await fetch(url, { method: 'POST' })).status).toBe(400)
    expect((await post(url, form)).status).toBe(400)
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['GZip ', gzipSync],
  ])('a body compressed by %s is read', async (encoding, compress) => {
    const response = await post(url, compress(JSON.stringify(good)), { 'content-encoding': encoding })
    expect(response.status).toBe(200)
    expect(mock.requests[0]?.body).toEqual(good)
  })

  it('a compressed body that is cut, or of an unknown kind, is refused', async () => {
    const compressed = gzipSync(JSON.stringify(good))
    expect((await post(url, compressed.subarray(0, 20), { 'content-encoding': 'gzip' })).status).toBe(400)
    expect((await post(url, compressed, { 'content-encoding': 'br' })).status).toBe(400)
    expect((await post(url, compressed)).status).toBe(400)
  })
})

it('a small body that stands for one without end is refused', async () => {
  const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024, ' '))
  expect((await post(MESSAGES.url, bomb, { 'content-encoding': 'gzip' })).status).toBe(400)
})

it('what is told of thousands of violations is short, and says how many there are', async () => {
  for (const what of ['blocks of no known type', 'one huge id']) {
    await (await post(MESSAGES.url, MESSAGES.around(CONTENTS[what]!))).text()
  }
  const { message } = (await thrown(Promise.resolve().then(() => mock.expectAccepted()))) as Error
  expect(message.length).toBeLessThan(50_000)
  expect(message).toContain('and 9950 more')
})

describe('replies that cannot be given', () => {
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  it.each([
    ['a function that throws', () => Promise.reject(new Error('the test in the function failed'))],
    ['a function that gives nothing', () => undefined],
    ['null', null],
    ['a number', 7],
    ['arguments that hold themselves', { toolCalls: [{ name: 'run', args: cyclic }] }],
    ['arguments that JSON does not know', { toolCalls: [{ name: 'run', args: 1n }] }],
    ['a status that is none', { status: 99 }],
  ])('%s: the client fails at once, and the test too', async (what, reply) => {
    const given = reply as unknown as Reply
    mock.reply(given, given, given)
    const retrying = [
      () => claude.withOptions({ maxRetries: 2 }).messages.create(ASK),
      () => openai.withOptions({ maxRetries: 2 }).chat.completions.create(CHAT),
      () => openai.withOptions({ maxRetries: 2 }).responses.create({ ...RESPONSE, stream: true }),
    ]
    for (const ask of retrying) expect(await thrown(ask())).toMatchObject({ status: 500 })
    expect(mock.requests).toHaveLength(3)
    expect(() => mock.expectAccepted()).toThrow(
      what === 'a function that throws' ? 'the test in the function failed' : /./,
    )
    mock.reset()
    mock.expectAccepted()
  })

  it('an answer without content may be given', async () => {
    mock.reply({ status: 204 })
    expect((await post('https://api.openai.com/v1/responses', JSON.stringify(RESPONSE))).status).toBe(204)
    mock.expectAccepted()
  })
})

describe('clients that go', () => {
  const LONG = { text: 'word '.repeat(5000), toolCalls: [{ name: 'run', args: { a: 'b'.repeat(5000) } }] }

  it('in the middle of a stream leave the others alone', async () => {
    mock.reply(...Array.from({ length: 30 }, () => LONG))
    const all = Array.from({ length: 30 }, async (_, index) => {
      const stream = claude.messages.stream(ASK)
      if (index % 3 !== 0) return (await stream.finalMessage()).content.length
      stream.on('text', () => stream.abort())
      return await thrown(stream.finalMessage())
    })
    for (const [index, outcome] of (await Promise.all(all)).entries()) {
      if (index % 3 === 0) expect(outcome).toBeInstanceOf(Anthropic.APIUserAbortError)
      else expect(outcome).toBe(2)
    }
    expect((await claude.messages.create(ASK)).content).toEqual([{ type: 'text', text: 'OK' }])
  })

  it('while the reply is being made get none, and the next one is for the next', async () => {
    const stop = new AbortController()
    mock.reply(() => {
      stop.abort()
      return new Promise<Reply>(() => {})
    }, 'for the next')
    const gone = await thrown(openai.responses.create(RESPONSE, { signal: stop.signal }))
    expect(gone).toBeInstanceOf(OpenAI.APIUserAbortError)
    expect((await openai.responses.create(RESPONSE)).output_text).toBe('for the next')
  })

  it('stop reading, and the stream ends', async () => {
    mock.reply(LONG)
    const stream = await openai.chat.completions.create({ ...CHAT, stream: true })
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break
    expect((await openai.chat.completions.create(CHAT)).choices[0]?.message.content).toBe('OK')
  })
})

it('many streams at once, of all APIs, get each their own answer', async () => {
  const texts = Array.from({ length: 24 }, (_, index) => `number ${index}x`)
  for (const _ of texts) mock.reply(({ body }) => /number \d+x/.exec(JSON.stringify(body))?.[0] ?? 'none')
  const answers = await Promise.all(
    texts.map(async (content, index) => {
      const messages = [{ role: 'user' as const, content }]
      if (index % 3 === 0) return await claude.messages.stream({ ...ASK, messages }).finalText()
      if (index % 3 === 1) {
        const done = await openai.chat.completions.stream({ ...CHAT, messages }).finalChatCompletion()
        return done.choices[0]?.message.content
      }
      return (await openai.responses.stream({ ...RESPONSE, input: content }).finalResponse()).output_text
    }),
  )
  expect(answers).toEqual(texts)
  mock.expectAccepted()
})
