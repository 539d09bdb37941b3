import type Anthropic from '@anthropic-ai/sdk'
import type OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { fromAnthropic } from '../../src/answer/anthropic.ts'
import { fromOpenAIChat } from '../../src/answer/openai-chat.ts'
import { fromOpenAIResponses } from '../../src/answer/openai-responses.ts'
import type { AssistantMessage, Session, ToolCallEntry, ToolCallState } from '../../src/model/session.ts'
import { readSession } from '../../src/read/index.ts'
import { toAnthropic } from '../../src/write/anthropic/index.ts'
import { toOpenAIChat } from '../../src/write/openai-chat/index.ts'
import { toOpenAIResponses } from '../../src/write/openai-responses/index.ts'
import { claude, mocked, openai, thrown } from './server.ts'

/** A session goes through the writers and the vendors' own clients, and is accepted even by the least tolerant model. */
const mock = mocked({ level: 'strict' })

const call = (id: string, state: ToolCallState): ToolCallEntry => ({
  type: 'tool-call',
  id,
  name: 'run',
  args: { command: `step ${id}` },
  state,
})

const SESSION: Session = {
  version: 1,
  instructions: [{ type: 'text', text: 'You run commands.' }],
  tools: [{ name: 'run', description: 'Runs a command.', parameters: { type: 'object' } }],
  messages: [
    { role: 'user', parts: [{ type: 'text', text: 'Do the three steps.' }] },
    {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'All three at once.' },
        call('call_done', { status: 'completed', result: 'step one is done' }),
        call('call_failed', { status: 'failed', error: 'no such file' }),
        call('call_lost', { status: 'interrupted', partial: 'half of the output' }),
      ],
    },
    { role: 'user', parts: [{ type: 'text', text: 'The machine crashed. Go on.' }] },
  ],
}

type ChatBody = Pick<OpenAI.ChatCompletionCreateParamsNonStreaming, 'model' | 'messages' | 'tools'>
type ResponseBody = Pick<
  OpenAI.Responses.ResponseCreateParamsNonStreaming,
  'model' | 'instructions' | 'input' | 'tools' | 'store' | 'include'
>

const CLAUDE = { model: 'claude-opus-4-8', max_tokens: 64 }

/** What an agent would send that takes no notice of the crash: the last call has no result. */
const UNREPAIRED_CLAUDE: Anthropic.MessageCreateParamsNonStreaming = {
  ...CLAUDE,
  messages: [
    { role: 'user', content: 'Do the three steps.' },
    {
      role: 'assistant',
      content: ['call_done', 'call_failed', 'call_lost'].map((id) => ({
        type: 'tool_use',
        id,
        name: 'run',
        input: {},
      })),
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call_done', content: 'step one is done' },
        { type: 'tool_result', tool_use_id: 'call_failed', content: 'no such file', is_error: true },
        { type: 'text', text: 'The machine crashed. Go on.' },
      ],
    },
  ],
  tools: [{ name: 'run', input_schema: { type: 'object' } }],
}

const UNREPAIRED_CHAT: ChatBody = {
  model: 'gpt-4o',
  messages: [
    { role: 'user', content: 'Do the three steps.' },
    {
      role: 'assistant',
      tool_calls: ['call_done', 'call_failed', 'call_lost'].map((id) => ({
        id,
        type: 'function',
        function: { name: 'run', arguments: '{}' },
      })),
    },
    { role: 'tool', tool_call_id: 'call_done', content: 'step one is done' },
    { role: 'tool', tool_call_id: 'call_failed', content: 'no such file' },
    { role: 'user', content: 'The machine crashed. Go on.' },
  ],
  tools: [{ type: 'function', function: { name: 'run', parameters: { type: 'object' } } }],
}

const UNREPAIRED_RESPONSE: ResponseBody = {
  model: 'gpt-5',
  input: [
    { role: 'user', content: 'Do the three steps.' },
    ...['call_done', 'call_failed', 'call_lost'].map((call_id) => ({
      type: 'function_call' as const,
      call_id,
      name: 'run',
      arguments: '{}',
    })),
    { type: 'function_call_output', call_id: 'call_done', output: 'step one is done' },
    { type: 'function_call_output', call_id: 'call_failed', output: 'no such file' },
    { role: 'user', content: 'The machine crashed. Go on.' },
  ],
  tools: [{ type: 'function', name: 'run', parameters: { type: 'object' }, strict: false }],
}

interface Api {
  readonly name: string
  readonly unrepaired: object
  readonly words: string
  /** Writes a session, sends it, and reads the answer. */
  run(session: Session): Promise<AssistantMessage>
  stream(session: Session): Promise<AssistantMessage>
  /** Sends the unrepaired body. */
  send(stream: boolean): PromiseLike<unknown>
}

const anthropicBody = (session: Session): Anthropic.MessageCreateParamsNonStreaming => ({
  ...toAnthropic(session, CLAUDE).request,
  ...CLAUDE,
})
const chatBody = (session: Session): ChatBody => ({
  ...toOpenAIChat(session, { model: 'gpt-4o' }).request,
  model: 'gpt-4o',
})
const responseBody = (session: Session): ResponseBody => ({
  ...toOpenAIResponses(session, { model: 'gpt-5' }).request,
  model: 'gpt-5',
})

const APIS: readonly Api[] = [
  {
    name: 'anthropic',
    unrepaired: UNREPAIRED_CLAUDE,
    words:
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: call_lost. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    run: async (session) => fromAnthropic(await claude.messages.create(anthropicBody(session))),
    stream: async (session) => fromAnthropic(await claude.messages.stream(anthropicBody(session)).finalMessage()),
    send: (stream) => claude.messages.create({ ...UNREPAIRED_CLAUDE, stream }),
  },
  {
    name: 'openai-chat',
    unrepaired: UNREPAIRED_CHAT,
    words:
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_lost",
    run: async (session) => fromOpenAIChat(await openai.chat.completions.create(chatBody(session))),
    stream: async (session) =>
      fromOpenAIChat(await openai.chat.completions.stream(chatBody(session)).finalChatCompletion()),
    send: (stream) => openai.chat.completions.create({ ...UNREPAIRED_CHAT, stream }),
  },
  {
    name: 'openai-responses',
    unrepaired: UNREPAIRED_RESPONSE,
    words: 'No tool output found for function call call_lost.',
    run: async (session) => fromOpenAIResponses(await openai.responses.create(responseBody(session))),
    stream: async (session) =>
      fromOpenAIResponses(await openai.responses.stream(responseBody(session)).finalResponse()),
    send: (stream) => openai.responses.create({ ...UNREPAIRED_RESPONSE, stream }),
  },
]

describe.each(APIS)('a session with a lost call, sent to $name', (api) => {
  it('is accepted once written', async () => {
    const message = await api.run(SESSION)
    expect(message).toMatchObject({ role: 'assistant', stop: 'end' })
    mock.expectAccepted()
    const sent = JSON.stringify(mock.requests[0]?.body)
    for (const text of ['step one is done', 'no such file', 'half of the output', 'Go on.'])
      expect(sent).toContain(text)
  })

  it.each([false, true])('is refused unrepaired, in the words of the API (stream: %s)', async (stream) => {
    const error = (await thrown(api.send(stream))) as Error & { readonly status: number }
    expect(error.status).toBe(400)
    expect(mock.requests[0]?.violations[0]?.message).toBe(api.words)
    expect(error.message).toContain(api.words)
    expect(() => mock.expectAccepted()).toThrow(api.words)
  })

  it('is accepted when the unrepaired body is read and written again', async () => {
    const { session } = readSession(api.unrepaired)
    await api.run(session)
    mock.expectAccepted()
  })

  it('goes on over several turns, plain and as a stream', async () => {
    let session = SESSION
    for (const ask of [api.run, api.stream, api.run, api.stream]) {
      mock.reply({
        reasoning: 'What is left to do.',
        text: 'Two more.',
        toolCalls: [
          { name: 'run', args: { command: 'a' } },
          { name: 'run', args: { command: 'b' } },
        ],
      })
      const message = await ask(session)
      expect(message.stop).toBe('tool-calls')
      expect(message.parts.filter((part) => part.type === 'tool-call')).toHaveLength(2)
      session = { ...session, messages: [...session.messages, settled(message)] }
    }
    await api.run(session)
    mock.expectAccepted()
    expect(mock.requests).toHaveLength(5)
  })
})

/** The first call is done, the second one is lost. */
function settled(message: AssistantMessage): AssistantMessage {
  let count = 0
  const parts = message.parts.map((part): AssistantMessage['parts'][number] => {
    if (part.type !== 'tool-call') return part
    count += 1
    return { ...part, state: count === 1 ? { status: 'completed', result: 'done' } : { status: 'interrupted' } }
  })
  return { ...message, parts }
}
