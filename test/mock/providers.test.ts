import Anthropic from '@anthropic-ai/sdk'
import type { RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import OpenAI, { AzureOpenAI } from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { check } from '../../src/check/index.ts'
import { type MockProviders, type MockRequest, mockProviders } from '../../src/mock/index.ts'
import { claude, mocked, openai, thrown } from './server.ts'

const ASK = { model: 'claude-opus-4-8', max_tokens: 16, messages: [{ role: 'user' as const, content: 'Hello' }] }
const CHAT = { model: 'gpt-4o', messages: [{ role: 'user' as const, content: 'Hello' }] }
const ORPHAN = { role: 'tool' as const, tool_call_id: 'call_9', content: 'of nothing' }
const REFUSED = { ...CHAT, messages: [ORPHAN] }

describe('one mock for all APIs', () => {
  const mock = mocked()

  it('records what came over the wire, and not what the caller changes later', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Hello' }]
    const asked = openai.chat.completions.create({ ...CHAT, messages })
    await asked
    messages.push({ role: 'user', content: 'Later' })
    await claude.messages.create({ ...ASK, stream: true })
    expect(mock.requests).toEqual([
      {
        api: 'openai-chat',
        url: 'https://api.openai.com/v1/chat/completions',
        body: { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] },
        streamed: false,
        violations: [],
      },
      {
        api: 'anthropic',
        url: 'https://api.anthropic.com/v1/messages',
        body: { ...ASK, stream: true },
        streamed: true,
        violations: [],
      },
    ])
  })

  it('hands out queued replies in order, whatever the API, and none to a refused request', async () => {
    mock.reply('first', 'second')
    mock.reply('third')
    await thrown(openai.chat.completions.create(REFUSED))
    const first = await openai.chat.completions.create(CHAT)
    const second = await claude.messages.create(ASK)
    const third = await openai.responses.create({ model: 'gpt-5', input: 'Hello' })
    expect(first.choices[0]?.message.content).toBe('first')
    expect(second.content).toEqual([{ type: 'text', text: 'second' }])
    expect(third.output_text).toBe('third')
  })

  it.each([
    [{ txt: 'misspelt' }, /A reply has no txt; .*text, reasoning, toolCalls/],
    [{ toolCalls: [{ name: 'a', arguments: {} }] }, /toolCalls .* name and args/],
    [{ toolCalls: { name: 'a', args: {} } }, /toolCalls .* list/],
    [{ text: 'x', stop: 'end_turn' }, /The stop of a reply must be 'end' or 'tool-calls' or 'length' or /],
    [{ text: 'x', stop: 'constructor' }, /The stop of a reply must be /],
    [{ text: ['x'] }, /The text of a reply must be a text/],
    [{ reasoning: 1 }, /The reasoning of a reply must be a text/],
    [{ usage: { inputTokens: '11' } }, /The usage of a reply must be an object of numbers/],
    [{ status: '429' }, /The status of a reply must be a number from 200 to 599/],
    [{ status: 42.5 }, /The status of a reply must be a number from 200 to 599/],
    [{ status: 429, headers: { 'retry-after': 0 } }, /The headers of a reply must be an object of texts/],
    [{ drop: false }, /The drop of a reply must be true/],
  ])('says what is wrong with the reply %j', async (reply, wanted) => {
    mock.reply(reply as never)
    expect(String(await thrown(claude.messages.create(ASK)))).toMatch(wanted)
    expect(() => mock.expectAccepted()).toThrow(wanted)
    mock.reset()
  })

  it('asks a function for the reply to a request', async () => {
    const seen: MockRequest[] = []
    mock.reply(async (request) => {
      seen.push(request)
      return { text: `You sent ${JSON.stringify(request.body).length} characters.` }
    })
    const message = await claude.messages.create(ASK)
    expect(message.content).toEqual([{ type: 'text', text: `You sent ${JSON.stringify(ASK).length} characters.` }])
    expect(seen).toEqual(mock.requests)
  })

  it('names rule, path and message of all that was refused', async () => {
    mock.expectAccepted()
    await openai.chat.completions.create(CHAT)
    mock.reply({ status: 500 })
    await thrown(openai.chat.completions.create(CHAT))
    mock.expectAccepted()
    await thrown(openai.chat.completions.create(REFUSED))
    await thrown(claude.messages.create({ ...ASK, messages: [] }))
    const violations = mock.requests.flatMap((request) => request.violations)
    expect(violations.length).toBeGreaterThanOrEqual(2)
    const { message } = (await thrown(Promise.resolve().then(() => mock.expectAccepted()))) as Error
    for (const violation of violations) {
      expect(message).toContain(violation.rule)
      expect(message).toContain(violation.path)
      expect(message).toContain(violation.message)
    }
    expect(message).toContain('openai-chat/tool-message-orphan')
    expect(message).toContain('2 requests')
  })

  it('forgets everything, and counts ids from the beginning', async () => {
    const first = await claude.messages.create(ASK)
    const other = await claude.messages.create(ASK)
    await thrown(openai.chat.completions.create(REFUSED))
    mock.reply('never heard')
    const { requests } = mock
    mock.reset()
    expect(mock.requests).toEqual([])
    mock.expectAccepted()
    const again = await claude.messages.create(ASK)
    expect(again).toEqual(first)
    expect(again._request_id).toBe(first._request_id)
    expect(other.id).not.toBe(first.id)
    expect(requests).toHaveLength(1)
  })

  it('answers many requests at once', async () => {
    const messages = await Promise.all(Array.from({ length: 20 }, () => claude.messages.create(ASK)))
    expect(new Set(messages.map(({ id }) => id)).size).toBe(20)
    expect(mock.requests).toHaveLength(20)
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('takes the name %s for a name', async (name) => {
    mock.reply({ toolCalls: [{ name, args: JSON.parse(`{"${name}": 1}`) }] })
    const input = JSON.parse(`{"model":"${name}","messages":[{"role":"user","content":"x"}],"${name}":{"x":1}}`)
    const response = await fetch('https://api.openai.com/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify(input),
    })
    expect([200, 400]).toContain(response.status)
    expect(await response.json()).toBeTypeOf('object')
  })

  it.each(['/v1/messages', '/v1/messages/count_tokens'])('survives what is nested too deeply at %s', async (path) => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000)
    const body = `{"model":"claude-opus-4-8","max_tokens":1,"messages":[{"role":"user","content":${deep}}]}`
    const response = await fetch(`https://api.anthropic.com${path}`, { method: 'POST', body })
    expect(response.status).toBe(400)
  })

  it.each(['tools', 'metadata', 'text', 'input'])('survives %s nested too deeply in a response', async (key) => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
    const body = `{"model":"gpt-5","input":"x","${key}":${deep}}`
    const response = await fetch('https://api.openai.com/v1/responses', { method: 'POST', body })
    expect([200, 400]).toContain(response.status)
  })
})

describe('another level', () => {
  const mock = mocked({ level: 'strict' })

  it('refuses what only some models and versions refuse', async () => {
    const messages = [{ role: 'user' as const, content: '' }]
    await thrown(openai.chat.completions.create({ ...CHAT, messages }))
    expect(mock.requests[0]?.violations[0]?.rule).toBe('openai-chat/content-empty-string')
  })
})

describe('contested rules', () => {
  const mock = mocked({ without: ['openai-chat/tool-call-id-too-long', 'anthropic/max-tokens'] })
  const call = { id: 'x'.repeat(41), type: 'function' as const, function: { name: 'run', arguments: '{}' } }
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'assistant', tool_calls: [call] },
    { role: 'tool', tool_call_id: call.id, content: 'done' },
  ]

  it('can be left out', async () => {
    await openai.chat.completions.create({ ...CHAT, messages })
    const { max_tokens: _, ...endless } = ASK
    await claude.messages.create(endless as typeof ASK)
    mock.expectAccepted()
    await thrown(openai.chat.completions.create(REFUSED))
    expect(mock.requests[2]?.violations[0]?.rule).toBe('openai-chat/tool-message-orphan')
  })
})

describe('another server at a base URL', () => {
  const mock = mocked({
    baseUrls: { 'openai-chat': 'https://api.mistral.ai/v1' },
    dialects: { 'openai-chat': 'mistral' },
  })
  const mistral = openai.withOptions({ baseURL: 'https://api.mistral.ai/v1' })

  it('takes what it was recorded to take, and refuses what all refuse', async () => {
    const messages = [...CHAT.messages, { role: 'assistant' as const, content: 'Yes?', tool_calls: [] }]
    await mistral.chat.completions.create({ model: 'mistral-large', messages, safe_prompt: true } as typeof CHAT)
    mock.expectAccepted()
    await thrown(mistral.chat.completions.create(REFUSED))
    expect(mock.requests[1]?.violations[0]?.rule).toBe('openai-chat/tool-message-orphan')
  })

  it('is refused what OpenAI refuses, without its name', () => {
    const messages = [...CHAT.messages, { role: 'assistant' as const, content: 'Yes?', tool_calls: [] }]
    expect(check('openai-chat', { ...CHAT, messages }).map(({ rule }) => rule)).toEqual([
      'openai-chat/tool-calls-empty',
    ])
  })
})

describe('violations that throw', () => {
  const mock = mocked({ onViolation: 'throw' })

  it.each([0, 2])('reach the client with all that is wrong (retries: %i)', async (maxRetries) => {
    const chat = await thrown(openai.withOptions({ maxRetries }).chat.completions.create(REFUSED))
    const ask = await thrown(claude.withOptions({ maxRetries }).messages.create({ ...ASK, messages: [] }))
    for (const [error, request] of [
      [chat, mock.requests[0]],
      [ask, mock.requests[1]],
    ] as const) {
      expect(error).not.toBeInstanceOf(OpenAI.BadRequestError)
      expect(error).not.toBeInstanceOf(Anthropic.BadRequestError)
      for (const { rule, message } of request?.violations ?? []) {
        expect((error as Error).message).toContain(rule)
        expect((error as Error).message).toContain(message)
      }
    }
    expect(mock.requests).toHaveLength(2)
    expect(() => mock.expectAccepted()).toThrow('openai-chat/tool-message-orphan')
  })

  it('leave accepted requests alone', async () => {
    mock.reply('Fine.')
    expect((await claude.messages.create(ASK)).content).toEqual([{ type: 'text', text: 'Fine.' }])
  })
})

describe('other base URLs', () => {
  const mock: MockProviders = mockProviders({
    baseUrls: {
      anthropic: 'http://localhost:4000/anthropic/',
      'openai-chat': 'https://mine.openai.azure.com',
      'openai-responses': 'https://mine.openai.azure.com/openai',
    },
  })
  const server = setupServer(...(mock.handlers as readonly RequestHandler[]))
  beforeAll(() => server.listen({ onUnhandledRequest: unexpected }))
  afterEach(() => mock.reset())
  afterAll(() => server.close())

  it('serve a proxy, and the own address no more', async () => {
    const proxied = claude.withOptions({ baseURL: 'http://localhost:4000/anthropic' })
    mock.reply('by proxy')
    expect((await proxied.messages.create(ASK)).content).toEqual([{ type: 'text', text: 'by proxy' }])
    const { max_tokens: _, ...counted } = ASK
    expect((await proxied.messages.countTokens(counted)).input_tokens).toBeGreaterThan(0)
    mock.reset()
    await thrown(claude.messages.create(ASK))
    await thrown(claude.withOptions({ baseURL: 'http://localhost:4000/anthropicX' }).messages.create(ASK))
    const alike = openai.withOptions({ baseURL: 'https://mine-openai.azure.com/openai/v1' })
    await thrown(alike.chat.completions.create(CHAT))
    expect(mock.requests).toEqual([])
  })

  it('serve a deployment of Azure, which names the model', async () => {
    const azure = new AzureOpenAI({
      apiKey: 'test',
      endpoint: 'https://mine.openai.azure.com',
      apiVersion: '2025-04-01-preview',
      deployment: 'my deployment',
      maxRetries: 0,
      fetch: (...request) => fetch(...request),
    })
    const completion = await azure.chat.completions.create(CHAT)
    expect(completion.model).toBe('gpt-4o')
    expect(mock.requests[0]?.url).toBe(
      'https://mine.openai.azure.com/openai/deployments/my%20deployment/chat/completions?api-version=2025-04-01-preview',
    )
    const response = await azure.responses.create({ model: 'gpt-5', input: 'Hello' })
    expect(response.object).toBe('response')
    const bare = await fetch(mock.requests[0]?.url ?? '', {
      method: 'POST',
      body: JSON.stringify({ messages: CHAT.messages }),
    })
    expect(await bare.json()).toMatchObject({ model: 'my deployment' })
    mock.expectAccepted()
  })

  it('serve the version of Azure that has no deployments', async () => {
    const v1 = openai.withOptions({ baseURL: 'https://mine.openai.azure.com/openai/v1' })
    await v1.chat.completions.create(CHAT)
    await v1.responses.create({ model: 'gpt-5', input: 'Hello' })
    mock.expectAccepted()
    expect(mock.requests).toHaveLength(2)
  })

  it('refuse in the words of Azure where they differ', async () => {
    const v1 = openai.withOptions({ baseURL: 'https://mine.openai.azure.com/openai/v1' })
    const input = [
      { type: 'reasoning' as const, id: 'rs_1', summary: [] },
      { role: 'assistant' as const, content: 'x' },
    ]
    const error = await thrown(v1.responses.create({ model: 'gpt-5', store: false, input }))
    expect(error).toMatchObject({ status: 400, message: expect.stringContaining("Item with id 'rs_1' not found.") })
  })
})

/** Throws without the print that msw's own `error` makes. */
function unexpected(request: Request): never {
  throw new TypeError(`no handler for ${request.url}`)
}
