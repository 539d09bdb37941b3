import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { fromAnthropic } from '../../src/answer/anthropic.ts'
import { claude, mocked, thrown } from './server.ts'

const mock = mocked()

const TOOLS: Anthropic.Tool[] = [
  {
    name: 'weather',
    description: 'The weather of a city',
    input_schema: { type: 'object', properties: { city: { type: 'string' } } },
  },
]
const QUESTION: Anthropic.MessageParam = { role: 'user', content: 'How is the weather in Oslo and in Rome?' }
const BASE = { model: 'claude-opus-4-8', max_tokens: 256, tools: TOOLS, messages: [QUESTION] }
const TWO_CALLS = {
  text: 'I look it up in both cities.',
  toolCalls: [
    { name: 'weather', args: { city: 'Oslo' } },
    { name: 'weather', args: { city: 'Rome', days: [1, 2, 3] } },
  ],
}

describe('an accepted request', () => {
  it('is answered by a short text when nothing is queued', async () => {
    const message = await claude.messages.create(BASE)
    expect(message).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-4-8',
      stop_reason: 'end_turn',
    })
    expect(message.content).toHaveLength(1)
    expect(message.content[0]).toMatchObject({ type: 'text', text: expect.stringMatching(/./) })
    expect(message.usage.input_tokens).toBeGreaterThan(0)
    expect(message.usage.output_tokens).toBeGreaterThan(0)
    expect(message._request_id).toMatch(/^req_[A-Za-z0-9]{24}$/)
    expect(message.id).toMatch(/^msg_[A-Za-z0-9]{24}$/)
  })

  it('is answered by text, reasoning and calls as scripted', async () => {
    mock.reply({ ...TWO_CALLS, reasoning: 'Two calls at once.' })
    const message = await claude.messages.create(BASE)
    expect(message.stop_reason).toBe('tool_use')
    expect(message.content).toEqual([
      { type: 'thinking', thinking: 'Two calls at once.', signature: expect.stringMatching(/^[A-Za-z0-9+/=]{16,}$/) },
      { type: 'text', text: 'I look it up in both cities.' },
      {
        type: 'tool_use',
        id: expect.stringMatching(/^toolu_[A-Za-z0-9]{24}$/),
        name: 'weather',
        input: { city: 'Oslo' },
        caller: { type: 'direct' },
      },
      {
        type: 'tool_use',
        id: expect.stringMatching(/^toolu_[A-Za-z0-9]{24}$/),
        name: 'weather',
        input: { city: 'Rome', days: [1, 2, 3] },
        caller: { type: 'direct' },
      },
    ])
    const [, , first, second] = message.content
    expect(first).not.toEqual({ ...second, name: 'weather', input: { city: 'Oslo' } })
  })

  it('comes as a stream with the same content', async () => {
    const script = { ...TWO_CALLS, reasoning: 'Long thoughts about both cities, one after the other. 🧭🧭🧭' }
    mock.reply(script)
    const plain = await claude.messages.create(BASE)
    mock.reset()
    mock.reply(script)
    const stream = claude.messages.stream(BASE)
    const deltas: string[] = []
    stream.on('text', (delta) => deltas.push(delta))
    const { parsed_output: _, ...streamed } = await stream.finalMessage()
    expect(deltas.length).toBeGreaterThan(1)
    expect(JSON.parse(JSON.stringify(streamed))).toEqual(JSON.parse(JSON.stringify(plain)))
    expect(stream.request_id).toBe(plain._request_id)
  })

  it('comes as raw events in the order of the API', async () => {
    mock.reply({ text: 'Hello there, this is a text.', toolCalls: [{ name: 'weather', args: {} }] })
    const types: string[] = []
    for await (const event of await claude.messages.create({ ...BASE, stream: true })) types.push(event.type)
    const distinct = types.filter((type, index) => type !== types[index - 1])
    expect(distinct).toEqual([
      'message_start',
      ...['content_block_start', 'content_block_delta', 'content_block_stop'],
      ...['content_block_start', 'content_block_delta', 'content_block_stop'],
      'message_delta',
      'message_stop',
    ])
  })

  it('reads back as the scripted message', async () => {
    mock.reply({
      ...TWO_CALLS,
      reasoning: 'Hm.',
      usage: { inputTokens: 11, outputTokens: 7, cacheReadTokens: 5, cacheWriteTokens: 3, reasoningTokens: 2 },
    })
    const message = fromAnthropic(await claude.messages.create(BASE))
    expect(message.stop).toBe('tool-calls')
    expect(message.usage).toMatchObject({
      inputTokens: 11,
      outputTokens: 7,
      cacheReadTokens: 5,
      cacheWriteTokens: 3,
      reasoningTokens: 2,
    })
    expect(message.parts).toMatchObject([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I look it up in both cities.' },
      { type: 'tool-call', name: 'weather', args: { city: 'Oslo' } },
      { type: 'tool-call', name: 'weather', args: { city: 'Rome', days: [1, 2, 3] } },
    ])
  })

  it.each([
    ['end', 'end_turn'],
    ['length', 'max_tokens'],
    ['refusal', 'refusal'],
    ['paused', 'pause_turn'],
  ] as const)('says that it stopped for %s', async (stop, reason) => {
    mock.reply({ text: 'So far', stop }, { text: 'So far', stop })
    expect((await claude.messages.create(BASE)).stop_reason).toBe(reason)
    expect((await claude.messages.stream(BASE).finalMessage()).stop_reason).toBe(reason)
  })

  it.each([false, true])('has calls whose results make a second turn (stream: %s)', async (stream) => {
    mock.reply({ ...TWO_CALLS, reasoning: 'Both.' }, 'Cold in Oslo, warm in Rome.')
    const first = stream ? await claude.messages.stream(BASE).finalMessage() : await claude.messages.create(BASE)
    const results = first.content.flatMap((block) =>
      block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'fine' }] : [],
    )
    const messages: Anthropic.MessageParam[] = [
      QUESTION,
      { role: 'assistant', content: first.content },
      { role: 'user', content: results },
    ]
    const second = await claude.messages.create({ ...BASE, messages })
    expect(second.content).toEqual([{ type: 'text', text: 'Cold in Oslo, warm in Rome.' }])
    mock.expectAccepted()
  })

  it('gives no id that the history holds already', async () => {
    mock.reply({ toolCalls: [{ name: 'weather', args: {} }] })
    const first = await claude.messages.create(BASE)
    mock.reset()
    mock.reply({ toolCalls: [{ name: 'weather', args: {} }] })
    const call = first.content.find((block) => block.type === 'tool_use')
    const messages: Anthropic.MessageParam[] = [
      QUESTION,
      { role: 'assistant', content: first.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call?.id ?? '', content: 'fine' }] },
    ]
    const second = await claude.messages.create({ ...BASE, messages })
    expect(second.content.find((block) => block.type === 'tool_use')?.id).not.toBe(call?.id)
    expect(second.id).toMatch(/^msg_/)
  })

  it('takes the id of a call from the script', async () => {
    mock.reply({ toolCalls: [{ name: 'weather', args: {}, id: 'toolu_mine' }] })
    expect((await claude.messages.create(BASE)).content[0]).toMatchObject({ id: 'toolu_mine' })
  })
})

const UNANSWERED: Anthropic.MessageParam[] = [
  QUESTION,
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }] },
  { role: 'user', content: 'Well?' },
]
const UNANSWERED_WORDS =
  'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.'

describe('a refused request', () => {
  it('is thrown as the typed error of the SDK, in the words of the API', async () => {
    const error = await thrown(claude.messages.create({ ...BASE, messages: UNANSWERED }))
    expect(error).toBeInstanceOf(Anthropic.BadRequestError)
    const { status, error: body, requestID } = error as InstanceType<typeof Anthropic.BadRequestError>
    expect(status).toBe(400)
    expect(body).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: UNANSWERED_WORDS },
      request_id: requestID,
    })
    expect(requestID).toMatch(/^req_/)
  })

  it('is a plain 400 when a stream was asked for', async () => {
    const viaHelper = await thrown(claude.messages.stream({ ...BASE, messages: UNANSWERED }).finalMessage())
    const raw = await thrown(claude.messages.create({ ...BASE, stream: true, messages: UNANSWERED }))
    for (const error of [viaHelper, raw]) {
      expect(error).toBeInstanceOf(Anthropic.BadRequestError)
      expect((error as Error).message).toContain(UNANSWERED_WORDS)
    }
    const response = await fetch('https://api.anthropic.com/v1/messages', {
      method: 'POST',
      body: JSON.stringify({ ...BASE, stream: true, messages: UNANSWERED }),
    })
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(mock.requests.map(({ streamed }) => streamed)).toEqual([true, true, true])
  })

  it('has the betas of its header only', async () => {
    const body = { ...BASE, context_management: { edits: [] } }
    const send = (headers: Record<string, string>): Promise<Response> =>
      fetch('https://api.anthropic.com/v1/messages?beta=true', { method: 'POST', body: JSON.stringify(body), headers })
    const without = await send({})
    expect(without.status).toBe(400)
    expect(await without.json()).toMatchObject({
      error: { message: 'context_management: Extra inputs are not permitted' },
    })
    expect((await send({ 'anthropic-beta': 'foo-2025-01-01, context-management-2025-06-27' })).status).toBe(200)
  })

  it.each([
    ['{"model":', 'unexpected end of data: line 1 column 10 (char 9)'],
    ['{"messages":[,]}', 'unexpected character: line 1 column 14 (char 13)'],
  ])('says of %s what its parser says', async (body, words) => {
    const response = await fetch('https://api.anthropic.com/v1/messages', { method: 'POST', body })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: `The request body is not valid JSON: ${words}` },
    })
    expect(mock.requests[0]).toMatchObject({ body, streamed: false })
  })

  it('is refused for a body that is no object', async () => {
    const response = await fetch('https://api.anthropic.com/v1/messages', { method: 'POST', body: '[1]' })
    expect(response.status).toBe(400)
    expect(mock.requests[0]?.body).toEqual([1])
  })
})

describe('what fails', () => {
  it.each([
    [429, Anthropic.RateLimitError, 'rate_limit_error'],
    [500, Anthropic.InternalServerError, 'api_error'],
    [529, Anthropic.InternalServerError, 'overloaded_error'],
  ] as const)('is answered with status %i', async (status, type, name) => {
    mock.reply({ status }, { status }, { status, body: { type: 'error', error: { type: 'mine', message: 'Mine.' } } })
    const plain = await thrown(claude.messages.create(BASE))
    const streamed = await thrown(claude.messages.stream(BASE).finalMessage())
    for (const error of [plain, streamed]) {
      expect(error).toBeInstanceOf(type)
      expect(error).toMatchObject({ status, error: { type: 'error', error: { type: name } } })
    }
    expect(await thrown(claude.messages.create(BASE))).toMatchObject({ status, error: { error: { message: 'Mine.' } } })
    mock.expectAccepted()
  })

  it('is tried again by the client', async () => {
    mock.reply({ status: 529, headers: { 'retry-after-ms': '1' } }, 'Here again.')
    const message = await claude.withOptions({ maxRetries: 1 }).messages.create(BASE)
    expect(message.content).toEqual([{ type: 'text', text: 'Here again.' }])
    expect(mock.requests).toHaveLength(2)
  })

  it('drops the connection', async () => {
    mock.reply({ drop: true }, { drop: true }, { text: 'Half of', stop: 'aborted' })
    expect(await thrown(claude.messages.create(BASE))).toBeInstanceOf(Anthropic.APIConnectionError)
    expect(await thrown(claude.messages.stream(BASE).finalMessage())).toBeInstanceOf(Anthropic.APIConnectionError)
    expect(await thrown(claude.messages.create(BASE))).toBeInstanceOf(Anthropic.APIConnectionError)
  })

  it('breaks a stream off in the middle', async () => {
    mock.reply({ text: 'Half of an answer', stop: 'aborted' })
    const stream = claude.messages.stream(BASE)
    let text = ''
    stream.on('text', (delta) => {
      text += delta
    })
    await thrown(stream.finalMessage())
    expect(text).toBe('Half of an answer')
  })

  it('tells an error in mid-stream, and instead of a plain answer', async () => {
    mock.reply({ text: 'Half', stop: 'error' }, { text: 'Half', stop: 'error' })
    expect(await thrown(claude.messages.stream(BASE).finalMessage())).toMatchObject({
      error: { error: { type: 'api_error' } },
    })
    const error = await thrown(claude.messages.create(BASE))
    expect(error).toBeInstanceOf(Anthropic.InternalServerError)
    const { requestID, error: body } = error as InstanceType<typeof Anthropic.InternalServerError>
    expect(body).toMatchObject({ request_id: requestID })
  })
})
