import { describe, expect, it } from 'vitest'
import { fromAnthropic } from '../../src/answer/anthropic.ts'
import { type CollectableApi, collector } from '../../src/answer/collector.ts'
import { fromOpenAIChat } from '../../src/answer/openai-chat.ts'
import { fromOpenAIResponses } from '../../src/answer/openai-responses.ts'
import { anthropicStream } from '../../src/mock/anthropic-stream.ts'
import { chatStream } from '../../src/mock/openai-chat-stream.ts'
import { responsesStream } from '../../src/mock/openai-responses-stream.ts'
import type { Reply } from '../../src/mock/reply.ts'
import { claude, mocked, openai } from '../mock/server.ts'
import { nested, PROTOTYPE_NAMES, recorded } from '../read/bodies.ts'

const mock = mocked()

const SCHEMA = { type: 'object' as const, properties: { city: { type: 'string' } } }
const QUESTION = [{ role: 'user' as const, content: 'How is the weather in Oslo and in Rome?' }]
const REPLY = {
  reasoning: 'Long thoughts about both cities, one after the other. 🧭🧭🧭',
  text: 'I look it up in both cities.',
  toolCalls: [
    { name: 'weather', args: { city: 'Oslo', days: [1, 2, 3] } },
    { name: 'weather', args: { city: 'Rome' } },
  ],
}

interface Asked {
  readonly api: CollectableApi
  plain(): Promise<object>
  streamed(): Promise<AsyncIterable<object>>
  from(answer: object): object
}

const MESSAGES = {
  model: 'claude-opus-4-8',
  max_tokens: 256,
  messages: QUESTION,
  tools: [{ name: 'weather', input_schema: SCHEMA }],
}
const CHAT = {
  model: 'gpt-4o',
  messages: QUESTION,
  tools: [{ type: 'function' as const, function: { name: 'weather', parameters: SCHEMA } }],
}
const RESPONSES = {
  model: 'gpt-5',
  input: QUESTION,
  tools: [{ type: 'function' as const, name: 'weather', strict: false, parameters: SCHEMA }],
  include: ['reasoning.encrypted_content' as const],
}

const APIS: readonly Asked[] = [
  {
    api: 'anthropic',
    plain: () => claude.messages.create(MESSAGES),
    streamed: () => claude.messages.create({ ...MESSAGES, stream: true }),
    from: fromAnthropic,
  },
  {
    api: 'openai-chat',
    plain: () => openai.chat.completions.create(CHAT),
    streamed: () => openai.chat.completions.create({ ...CHAT, stream: true, stream_options: { include_usage: true } }),
    from: fromOpenAIChat,
  },
  {
    api: 'openai-responses',
    plain: () => openai.responses.create(RESPONSES),
    streamed: () => openai.responses.create({ ...RESPONSES, stream: true }),
    from: fromOpenAIResponses,
  },
]

/** Events until the stream ends or breaks. */
async function eventsOf(stream: AsyncIterable<object>): Promise<readonly object[]> {
  const events: object[] = []
  try {
    for await (const event of stream) events.push(event)
  } catch {
    // A broken connection is what is wanted here.
  }
  return events
}

describe.each(APIS)('a stream of $api', ({ api, plain, streamed, from }) => {
  it.each([
    ['text', 'Hello, with an umlaut: ü'],
    ['reasoning, text and calls', REPLY],
    ['a cut answer', { text: 'I look it', stop: 'length' }],
    ['a refusal', { text: 'No.', stop: 'refusal' }],
    ['broken arguments', { toolCalls: [{ name: 'weather', args: '{"city": "Os' }], stop: 'length' }],
    ['no arguments', { toolCalls: [{ name: 'weather', args: {} }] }],
    ['counts', { text: 'a', usage: { inputTokens: 11, outputTokens: 7, cacheReadTokens: 5, reasoningTokens: 2 } }],
  ] satisfies readonly [string, Reply][])('gives the message of the plain answer: %s', async (_name, reply) => {
    mock.reply(reply)
    const whole = from(await plain())
    mock.reset()
    mock.reply(reply)
    const into = collector(api)
    for (const event of await eventsOf(await streamed())) into.push(event)
    expect(into.message()).toEqual(whole)
    expect(into.message()).toEqual(whole)
  })

  it('tells at any time what has come', async () => {
    mock.reply(REPLY)
    const events = await eventsOf(await streamed())
    const into = collector(api)
    expect(into.message()).toEqual({ role: 'assistant', parts: [], stop: 'aborted' })
    let before = ''
    for (const event of events) {
      into.push(event)
      const { parts, stop } = into.message()
      const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
      expect(text.startsWith(before)).toBe(true)
      before = text
      if (stop !== 'aborted') continue
      const states = parts.flatMap((part) => (part.type === 'tool-call' ? [part.state.status] : []))
      // Only the call that is still coming is interrupted.
      expect(states.slice(0, -1).every((state) => state === 'pending')).toBe(true)
    }
    expect(before).toBe(REPLY.text)
    expect(into.message().stop).toBe('tool-calls')
  })

  it('has the call interrupted, and known not to have run, at whose arguments the stream was cut', async () => {
    mock.reply(REPLY)
    const events = await eventsOf(await streamed())
    const into = collector(api)
    let cut = 0
    for (const event of events) {
      into.push(event)
      const { parts, stop } = into.message()
      const last = parts.findLast((part) => part.type === 'tool-call')
      if (stop !== 'aborted' || last?.state.status !== 'interrupted') continue
      cut++
      expect(last.state).toMatchObject({ status: 'interrupted', dispatched: false })
      expect(JSON.stringify(REPLY.toolCalls.map(({ args }) => args))).toContain(
        typeof last.args === 'string'
          ? JSON.stringify(last.args).slice(1, -1).replaceAll('\\', '')
          : JSON.stringify(last.args),
      )
    }
    expect(cut).toBeGreaterThan(1)
  })

  it('keeps what had come when the connection breaks', async () => {
    mock.reply({ ...REPLY, stop: 'aborted' })
    const into = collector(api)
    for (const event of await eventsOf(await streamed())) into.push(event)
    const { parts, stop } = into.message()
    expect(stop).toBe('aborted')
    expect(parts.filter((part) => part.type === 'text')).toMatchObject([{ text: REPLY.text }])
    expect(parts.filter((part) => part.type === 'tool-call').map(({ args }) => args)).toEqual(
      REPLY.toolCalls.map(({ args }) => args),
    )
  })

  it('ignores what is no event', () => {
    const into = collector(api)
    const types = [...PROTOTYPE_NAMES, 'unheard_of', '', 7, null]
    for (const type of types) into.push({ type, index: type, delta: { type }, item: { type }, choices: [type] })
    for (const event of [null, 'x', [], {}, nested(20_000)]) into.push(event as object)
    expect(into.message().parts).toEqual([])
  })
})

/**
 * Some servers number calls in plain answers too; `logprobs` come only when they are asked for; an empty text says
 * nothing, and the first chunk of most streams has one.
 */
const compared = (message: object): unknown =>
  JSON.parse(
    JSON.stringify(message, (key, value) => {
      if (key === 'parts') return (value as { text?: string }[]).filter((part) => part.text !== '' || 'extra' in part)
      if (key === 'extra' && Object.keys(value['openai-chat'] ?? {}).join() === 'index') return undefined
      return key === 'logprobs' ? undefined : value
    }),
  )

interface Streamed {
  readonly events: readonly { readonly data: unknown }[]
  readonly end: readonly { readonly data: unknown }[]
}

const eventsIn = ({ events, end }: Streamed): readonly object[] => [...events, ...end].map(({ data }) => data as object)

/** The mock answers without citations, so that those of a recorded answer are put between its events here. */
function anthropicEvents(answer: object): readonly object[] {
  const { content } = answer as { content: readonly { citations?: readonly object[] | null }[] }
  return eventsIn(anthropicStream(answer as never)).flatMap((event) => {
    const { type, index } = event as { type: string; index: number }
    const citations = type === 'content_block_stop' ? (content[index]?.citations ?? []) : []
    const deltas = citations.map((citation) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'citations_delta', citation },
    }))
    return [...deltas, event]
  })
}

/** What the mock does not answer with comes whole, in a chunk of its own. */
function chatEvents(answer: object): readonly object[] {
  const { choices } = answer as { choices: readonly { message: { [key: string]: unknown } }[] }
  const { reasoning, reasoning_details, content } = choices[0]!.message
  const listed = Array.isArray(content) ? { content } : {}
  const chunk = { choices: [{ index: 0, delta: { reasoning, reasoning_details, ...listed }, finish_reason: null }] }
  return [chunk, ...eventsIn(chatStream(answer as never, true))]
}

describe('recorded answers, streamed', () => {
  it.each([
    ['anthropic', 'anthropic', anthropicEvents, fromAnthropic],
    ['chat', 'openai-chat', chatEvents, fromOpenAIChat],
    [
      'responses',
      'openai-responses',
      (answer: object) => eventsIn(responsesStream(answer as never)),
      fromOpenAIResponses,
    ],
  ] as const)('of %s give the same message', (file, api, stream, from) => {
    const rows = recorded(file).filter((row) => row.status === 200 && row.answer !== null)
    for (const { from: name, answer, server } of rows) {
      const into = collector(api, { dialect: server })
      const plain = from(answer as object, { dialect: server })
      // Broken off at any event, each must still be a message.
      for (const event of stream(answer as object)) {
        into.push(event)
        into.message()
      }
      expect({ name, message: compared(into.message()) }).toEqual({ name, message: compared(plain) })
    }
    console.log(`${api}: ${rows.length} recorded answers streamed`)
  })
})

describe('what is asked for', () => {
  it.each(['gemini', 'nobody', '__proto__', 'constructor', '', 7, null, undefined, {}])(
    'as an API is refused in words when it is none: %j',
    (api) => {
      expect(() => collector(api as CollectableApi)).toThrow(
        /^No collector for .*; there are anthropic, openai-chat, openai-responses$/,
      )
    },
  )

  it.each<[unknown, string]>([
    [7, 'The options must be an object.'],
    [[], 'The options must be an object.'],
    [null, 'The options must be an object.'],
    [{ dialect: 7 }, 'The option dialect must be a text.'],
  ])('with options is checked before the first event: %j', (options, words) => {
    for (const { api } of APIS) expect(() => collector(api, options as object)).toThrow(new TypeError(words))
  })
})
