import { describe, expect, it } from 'vitest'
import { fromOpenAIChat } from '../../src/answer/openai-chat.ts'
import { ReadError } from '../../src/model/error.ts'
import { nested, recorded } from '../read/bodies.ts'

const completion = (message: unknown, more = {}, choice = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'gpt-5',
  choices: [{ index: 0, message, finish_reason: 'stop', ...choice }],
  ...more,
})
const slot = (value: object) => ({ extra: { 'openai-chat': value } })

describe('fromOpenAIChat', () => {
  it('gives a message whose calls wait', () => {
    const message = fromOpenAIChat(
      completion(
        {
          role: 'assistant',
          content: null,
          refusal: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } },
            { id: 'call_2', type: 'function', function: { name: 'bash', arguments: '{"comm' } },
          ],
        },
        {
          usage: {
            prompt_tokens: 10,
            completion_tokens: 20,
            prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 4 },
            completion_tokens_details: { reasoning_tokens: 5 },
          },
        },
        { finish_reason: 'tool_calls' },
      ),
    )
    expect(message).toEqual({
      role: 'assistant',
      id: 'chatcmpl-1',
      by: { provider: 'openai', api: 'openai-chat', model: 'gpt-5' },
      stop: 'tool-calls',
      usage: {
        inputTokens: 10,
        outputTokens: 20,
        cacheReadTokens: 3,
        cacheWriteTokens: 4,
        reasoningTokens: 5,
        ...slot({
          prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 4 },
          completion_tokens_details: { reasoning_tokens: 5 },
        }),
      },
      parts: [
        {
          type: 'tool-call',
          id: 'call_1',
          name: 'bash',
          args: { command: 'ls' },
          argsText: '{"command":"ls"}',
          state: { status: 'pending' },
        },
        {
          type: 'tool-call',
          id: 'call_2',
          name: 'bash',
          args: '{"comm',
          argsText: '{"comm',
          state: { status: 'pending' },
        },
      ],
    })
  })

  it.each([
    ['stop', 'end'],
    ['tool_calls', 'tool-calls'],
    ['function_call', 'tool-calls'],
    ['length', 'length'],
    ['content_filter', 'filtered'],
    ['constructor', undefined],
    [null, undefined],
  ])('reads finish_reason %s as %s', (finish_reason, stop) => {
    expect(fromOpenAIChat(completion({ content: 'a' }, {}, { finish_reason })).stop).toBe(stop)
  })

  it('keeps a refusal and says so', () => {
    const message = fromOpenAIChat(completion({ role: 'assistant', content: null, refusal: 'No.' }))
    expect(message).toMatchObject({ stop: 'refusal', parts: [], ...slot({ refusal: 'No.' }) })
  })

  it('keeps reasoning of compatible servers', () => {
    const message = fromOpenAIChat(completion({ content: 'a', reasoning_content: 'hm' }), { dialect: 'deepseek' })
    expect(message.by).toEqual({ provider: 'deepseek', api: 'openai-chat', dialect: 'deepseek', model: 'gpt-5' })
    expect(message.parts).toEqual([
      { type: 'reasoning', text: 'hm', ...slot({ field: 'reasoning_content' }) },
      { type: 'text', text: 'a' },
    ])
  })

  it('keeps too deep arguments as text', () => {
    const call = { id: 'a', type: 'function', function: { name: 'b', arguments: nested(20_000) } }
    const { parts } = fromOpenAIChat(completion({ content: null, tool_calls: [call] }))
    expect(parts[0]?.type === 'tool-call' && typeof parts[0].args).toBe('string')
  })

  it.each([
    [{}],
    [[]],
    [null],
    ['x'],
    [{ error: {} }],
    [{ choices: [] }],
    [{ choices: [{ delta: {} }] }],
    [{ choices: 'no' }],
  ])('throws on %j', (value) => expect(() => fromOpenAIChat(value as unknown as object)).toThrow(ReadError))

  it('reads recorded answers', () => {
    const rows = recorded('chat').filter((row) => row.status === 200 && row.answer !== null)
    for (const { server, answer } of rows) {
      const message = fromOpenAIChat(answer as object, { dialect: server })
      expect(message.by?.model).toBe(answer?.model)
      expect(message.stop).toBeDefined()
      const [choice] = (answer as { choices: { message: { tool_calls?: unknown[] } }[] }).choices
      const waiting = message.parts.filter((part) => part.type === 'tool-call' && part.state.status === 'pending')
      expect(waiting).toHaveLength(choice?.message.tool_calls?.length ?? 0)
    }
    console.log(`chat: ${rows.length} recorded answers`)
  })
})
