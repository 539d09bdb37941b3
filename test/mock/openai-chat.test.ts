import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { fromOpenAIChat } from '../../src/answer/openai-chat.ts'
import { mocked, openai, thrown } from './server.ts'

const mock = mocked()

const chat = openai.chat.completions
type Message = OpenAI.ChatCompletionMessageParam

const TOOLS: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  },
  { type: 'custom', custom: { name: 'note' } },
]
const QUESTION: Message = { role: 'user', content: 'How is the weather in Oslo and in Rome?' }
const BASE = { model: 'gpt-4o', tools: TOOLS, messages: [QUESTION] }
const TWO_CALLS = {
  text: 'I look it up in both cities.',
  toolCalls: [
    { name: 'weather', args: { city: 'Oslo' } },
    { name: 'note', args: 'Rome, in free text' },
  ],
}

describe('an accepted request', () => {
  it('is answered by a short text when nothing is queued', async () => {
    const completion = await chat.create(BASE)
    expect(completion).toMatchObject({ object: 'chat.completion', model: 'gpt-4o' })
    expect(completion.id).toMatch(/^chatcmpl-[A-Za-z0-9]{29}$/)
    expect(completion._request_id).toMatch(/^req_[0-9a-f]{32}$/)
    const [choice] = completion.choices
    expect(choice).toMatchObject({ index: 0, finish_reason: 'stop', message: { role: 'assistant', refusal: null } })
    expect(choice?.message.content).toMatch(/./)
    const { prompt_tokens = 0, completion_tokens = 0, total_tokens } = completion.usage ?? {}
    expect(prompt_tokens).toBeGreaterThan(0)
    expect(total_tokens).toBe(prompt_tokens + completion_tokens)
  })

  it('is answered by text and calls as scripted', async () => {
    mock.reply(TWO_CALLS)
    const [choice] = (await chat.create(BASE)).choices
    expect(choice?.finish_reason).toBe('tool_calls')
    expect(choice?.message.content).toBe('I look it up in both cities.')
    expect(choice?.message.tool_calls).toEqual([
      {
        id: expect.stringMatching(/^call_[A-Za-z0-9]{24}$/),
        type: 'function',
        function: { name: 'weather', arguments: '{"city":"Oslo"}' },
      },
      {
        id: expect.stringMatching(/^call_[A-Za-z0-9]{24}$/),
        type: 'custom',
        custom: { name: 'note', input: 'Rome, in free text' },
      },
    ])
  })

  it('sends arguments that are no JSON as they are scripted', async () => {
    mock.reply({ toolCalls: [{ name: 'weather', args: '{"city": "Os' }] })
    const [choice] = (await chat.create(BASE)).choices
    expect(choice?.message.content).toBeNull()
    expect(choice?.message.tool_calls).toMatchObject([{ function: { arguments: '{"city": "Os' } }])
  })

  it('comes as a stream with the same content', async () => {
    const script = {
      text: 'A text of several pieces 🧭🧭',
      toolCalls: [
        { name: 'weather', args: { city: 'Oslo', days: [1, 2] } },
        { name: 'weather', args: {} },
      ],
    }
    mock.reply(script)
    const plain = await chat.create(BASE)
    mock.reset()
    mock.reply(script)
    const stream = chat.stream({ ...BASE, stream_options: { include_usage: true } })
    const deltas: string[] = []
    stream.on('content', (delta) => deltas.push(delta))
    const streamed = await stream.finalChatCompletion()
    expect(deltas.length).toBeGreaterThan(1)
    expect(streamed.choices[0]?.message).toMatchObject({
      role: 'assistant',
      content: script.text,
      tool_calls: plain.choices[0]?.message.tool_calls?.map((call) => ({ ...call })) ?? [],
    })
    expect(streamed.choices[0]?.finish_reason).toBe('tool_calls')
    expect(streamed.usage).toEqual(plain.usage)
    expect(streamed).toMatchObject({ id: plain.id, model: plain.model, system_fingerprint: plain.system_fingerprint })
  })

  it('streams custom calls, and tells the usage only when asked', async () => {
    mock.reply(TWO_CALLS)
    const chunks: OpenAI.ChatCompletionChunk[] = []
    for await (const chunk of await chat.create({ ...BASE, stream: true })) chunks.push(chunk)
    expect(chunks.every((chunk) => chunk.object === 'chat.completion.chunk' && !('usage' in chunk))).toBe(true)
    const calls = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []) as {
      index: number
      custom?: { input?: string }
    }[]
    const input = calls.filter(({ index }) => index === 1).map(({ custom }) => custom?.input ?? '')
    expect(input.join('')).toBe('Rome, in free text')
    expect(chunks.at(-1)?.choices).toMatchObject([{ delta: {}, finish_reason: 'tool_calls' }])
  })

  it('gives as many choices as asked for', async () => {
    mock.reply('One of them.', 'One of them.')
    const plain = await chat.create({ ...BASE, n: 3 })
    expect(plain.choices.map(({ index, message }) => [index, message.content])).toEqual([
      [0, 'One of them.'],
      [1, 'One of them.'],
      [2, 'One of them.'],
    ])
    const streamed = await chat.stream({ ...BASE, n: 2 }).finalChatCompletion()
    expect(streamed.choices.map(({ message }) => message.content)).toEqual(['One of them.', 'One of them.'])
  })

  it('reads back as the scripted message', async () => {
    mock.reply({
      ...TWO_CALLS,
      reasoning: 'Hm.',
      usage: { inputTokens: 11, outputTokens: 7, cacheReadTokens: 5, reasoningTokens: 2 },
    })
    const message = fromOpenAIChat(await chat.create(BASE))
    expect(message.stop).toBe('tool-calls')
    expect(message.usage).toMatchObject({ inputTokens: 11, outputTokens: 7, cacheReadTokens: 5, reasoningTokens: 2 })
    expect(message.parts).toMatchObject([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I look it up in both cities.' },
      { type: 'tool-call', name: 'weather', args: { city: 'Oslo' } },
      { type: 'tool-call', name: 'note', kind: 'custom', args: 'Rome, in free text' },
    ])
  })

  it.each([
    ['end', 'stop'],
    ['length', 'length'],
    ['filtered', 'content_filter'],
  ] as const)('says that it stopped for %s', async (stop, reason) => {
    mock.reply({ text: 'So far', stop })
    expect((await chat.create(BASE)).choices[0]?.finish_reason).toBe(reason)
  })

  it('refuses to answer', async () => {
    mock.reply({ text: 'I cannot.', stop: 'refusal' }, { text: 'I cannot.', stop: 'refusal' })
    expect((await chat.create(BASE)).choices[0]?.message).toMatchObject({ content: null, refusal: 'I cannot.' })
    const streamed = await chat.stream(BASE).finalChatCompletion()
    expect(streamed.choices[0]?.message.refusal).toBe('I cannot.')
  })

  it('has calls whose results make a second turn', async () => {
    mock.reply(TWO_CALLS, 'Cold in Oslo, warm in Rome.')
    const first = (await chat.create(BASE)).choices[0]!.message
    const results = (first.tool_calls ?? []).map(
      (call): Message => ({ role: 'tool', tool_call_id: call.id, content: 'fine' }),
    )
    const second = await chat.create({ ...BASE, messages: [QUESTION, first, ...results] })
    expect(second.choices[0]?.message.content).toBe('Cold in Oslo, warm in Rome.')
    mock.expectAccepted()
  })
})

const UNANSWERED: Message[] = [
  QUESTION,
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }],
  },
  { role: 'user', content: 'Well?' },
]
const UNANSWERED_WORDS =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1"

describe('a refused request', () => {
  it.each([false, true])('is thrown as the typed error of the SDK (stream: %s)', async (stream) => {
    const error = await thrown(chat.create({ ...BASE, stream, messages: UNANSWERED }))
    expect(error).toBeInstanceOf(OpenAI.BadRequestError)
    expect(error).toMatchObject({
      status: 400,
      message: `400 ${UNANSWERED_WORDS}`,
      type: 'invalid_request_error',
      code: null,
      param: mock.requests[0]?.violations[0]?.param,
      requestID: expect.stringMatching(/^req_/),
    })
    expect(mock.requests[0]).toMatchObject({ api: 'openai-chat', streamed: stream })
  })

  it('is thrown by the stream helper', async () => {
    const error = await thrown(chat.stream({ ...BASE, messages: UNANSWERED }).finalChatCompletion())
    expect(error).toBeInstanceOf(OpenAI.BadRequestError)
  })

  it('has the words of the API for what is no JSON', async () => {
    const response = await fetch('https://api.openai.com/v1/chat/completions', { method: 'POST', body: '{"model"' })
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: { message: string; type: string } }
    expect(error.message).toMatch(/^We could not parse the JSON body of your request\./)
    expect(error).toMatchObject({ type: 'invalid_request_error', param: null, code: null })
  })
})

describe('what fails', () => {
  it.each([
    [429, OpenAI.RateLimitError],
    [500, OpenAI.InternalServerError],
    [503, OpenAI.InternalServerError],
  ] as const)('is answered with status %i', async (status, type) => {
    mock.reply({ status }, { status })
    expect(await thrown(chat.create(BASE))).toBeInstanceOf(type)
    expect(await thrown(chat.stream(BASE).finalChatCompletion())).toBeInstanceOf(type)
  })

  it('drops the connection, before and in the middle of a stream', async () => {
    mock.reply({ drop: true }, { text: 'Half of an answer', stop: 'aborted' })
    expect(await thrown(chat.create(BASE))).toBeInstanceOf(OpenAI.APIConnectionError)
    const stream = chat.stream(BASE)
    let text = ''
    stream.on('content', (delta) => {
      text += delta
    })
    await thrown(stream.finalChatCompletion())
    expect(text).toBe('Half of an answer')
  })

  it('tells an error in mid-stream, and instead of a plain answer', async () => {
    mock.reply({ text: 'Half', stop: 'error' }, { text: 'Half', stop: 'error' })
    expect(await thrown(chat.stream(BASE).finalChatCompletion())).toMatchObject({ type: 'server_error' })
    expect(await thrown(chat.create(BASE))).toBeInstanceOf(OpenAI.InternalServerError)
  })
})
