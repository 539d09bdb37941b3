import { describe, expect, it } from 'vitest'
import type { AssistantMessage, Session } from '../../src/index.ts'
import { openThread, type Thread } from '../../src/index.ts'
import type { WritableApi } from '../../src/write/index.ts'
import { claude, mocked, openai } from './server.ts'

/** The vendors' clients send again what they were given; a thread that goes on in the meantime must not reach into it. */
const mock = mocked({ level: 'strict' })

const START: Session = {
  version: 1,
  tools: [{ name: 'run', parameters: { type: 'object' } }],
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Run both.' }] }],
}

const CALLS: AssistantMessage = {
  role: 'assistant',
  parts: ['call_a', 'call_b'].map((id) => ({
    type: 'tool-call',
    id,
    name: 'run',
    args: { step: id },
    state: { status: 'pending', reason: 'running' },
  })),
}

/** What may happen to a thread between two attempts. */
const LATER: { readonly [what: string]: (thread: Thread<WritableApi>) => void } = {
  'a call of the open end is settled': (thread) => {
    thread.settle('call_b', { status: 'completed', result: 'the late result' })
  },
  'a call behind the open end is settled': (thread) => {
    thread.push({ role: 'user', parts: [{ type: 'text', text: 'What now?' }] })
    thread.push({ role: 'assistant', parts: [{ type: 'text', text: 'I wait.' }] })
    thread.settle('call_b', { status: 'failed', error: 'the late error' })
  },
  'messages are pushed': (thread) => {
    thread.push({ role: 'user', parts: [{ type: 'text', text: 'Wait.' }] })
    thread.push({ role: 'assistant', parts: [{ type: 'text', text: 'I wait.' }] })
    thread.push({ role: 'instruction', authority: 'system', parts: [{ type: 'text', text: 'Be brief.' }] })
    thread.push({ role: 'user', parts: [{ type: 'text', text: 'Go on.' }] })
  },
  'another request is taken': (thread) => {
    thread.request({ next: 'And another thing.' })
  },
}

interface Api {
  readonly api: WritableApi
  /** Sends with the retries of the vendor's own client. */
  send(request: object, maxRetries: number): PromiseLike<unknown>
}

/** What the writers give fits each client's types; here one table holds three of them. */
const APIS: readonly Api[] = [
  {
    api: 'anthropic',
    send: (request, maxRetries) =>
      claude
        .withOptions({ maxRetries })
        .messages.create({ ...(request as { messages: [] }), model: 'claude-sonnet-4-6', max_tokens: 64 }),
  },
  {
    api: 'openai-chat',
    send: (request, maxRetries) =>
      openai
        .withOptions({ maxRetries })
        .chat.completions.create({ ...(request as { messages: [] }), model: 'gpt-4.1' }),
  },
  {
    api: 'openai-responses',
    send: (request, maxRetries) =>
      openai.withOptions({ maxRetries }).responses.create({ ...(request as { input: [] }), model: 'gpt-4.1' }),
  },
]

const AGAIN = { status: 529, headers: { 'retry-after-ms': '1' } }

describe.each(APIS)('a request to $api that fails at first', ({ api, send }) => {
  it.each(Object.entries(LATER))('is sent again as it was, though %s', async (_what, happens) => {
    const thread = openThread(api, { start: START })
    thread.push(CALLS)
    thread.settle('call_a', { status: 'completed', result: 'done' })
    const { request } = thread.request()
    const before = JSON.stringify(request)

    mock.reply(
      () => {
        happens(thread)
        return AGAIN
      },
      AGAIN,
      'At last.',
    )
    await send(request, 2)

    const bodies = mock.requests.map(({ body }) => JSON.stringify(body))
    expect(bodies).toHaveLength(3)
    expect(new Set(bodies).size).toBe(1)
    expect(bodies[0]).toContain('done')
    expect(JSON.stringify(request)).toBe(before)
    mock.expectAccepted()
  })

  it('and the next request has what happened in between', async () => {
    const thread = openThread(api, { start: START })
    thread.push(CALLS)
    thread.settle('call_a', { status: 'completed', result: 'done' })
    const { request } = thread.request()
    mock.reply(() => {
      thread.settle('call_b', { status: 'completed', result: 'the late result' })
      return AGAIN
    })
    await send(request, 1)
    await send(thread.request().request, 0)
    const [first, again, next] = mock.requests.map(({ body }) => JSON.stringify(body))
    expect(again).toBe(first)
    expect(first).not.toContain('the late result')
    expect(next).toContain('the late result')
    mock.expectAccepted()
  })
})
