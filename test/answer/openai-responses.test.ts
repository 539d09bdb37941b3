import { describe, expect, it } from 'vitest'
import { fromOpenAIResponses } from '../../src/answer/openai-responses.ts'
import { ReadError } from '../../src/model/error.ts'
import { nested, recorded } from '../read/bodies.ts'

const response = (output: unknown, more = {}) => ({
  id: 'resp_1',
  object: 'response',
  model: 'gpt-5.4',
  status: 'completed',
  output,
  ...more,
})
const slot = (value: object) => ({ extra: { 'openai-responses': value } })
const said = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
})
const call = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{}', status: 'completed' }

describe('fromOpenAIResponses', () => {
  it('gives a message whose calls wait', () => {
    const reasoning = { id: 'rs_1', summary: [], encrypted_content: 'blob' }
    const message = fromOpenAIResponses(
      response([{ type: 'reasoning', ...reasoning }, said('Running.'), { ...call, parsed_arguments: {} }], {
        usage: {
          input_tokens: 10,
          output_tokens: 20,
          input_tokens_details: { cached_tokens: 3, cache_write_tokens: 4 },
          output_tokens_details: { reasoning_tokens: 5 },
        },
      }),
    )
    expect(message).toEqual({
      role: 'assistant',
      id: 'resp_1',
      by: { provider: 'openai', api: 'openai-responses', model: 'gpt-5.4' },
      stop: 'tool-calls',
      usage: {
        inputTokens: 10,
        outputTokens: 20,
        cacheReadTokens: 3,
        cacheWriteTokens: 4,
        reasoningTokens: 5,
        ...slot({
          input_tokens_details: { cached_tokens: 3, cache_write_tokens: 4 },
          output_tokens_details: { reasoning_tokens: 5 },
        }),
      },
      parts: [
        { type: 'reasoning', text: '', redacted: true, ...slot({ item: reasoning }) },
        { type: 'text', text: 'Running.', ...slot({ item: { id: 'msg_1', status: 'completed' } }) },
        {
          type: 'tool-call',
          id: 'c',
          name: 'f',
          args: {},
          argsText: '{}',
          state: { status: 'pending' },
          ...slot({ id: 'fc_1', status: 'completed' }),
        },
      ],
    })
  })

  it.each([
    [[said('a')], {}, 'end'],
    [[call], {}, 'tool-calls'],
    [[{ type: 'shell_call', call_id: 's', action: {} }], {}, 'tool-calls'],
    [[{ type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }], {}, 'refusal'],
    [[said('a')], { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
    [[said('a')], { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }, 'filtered'],
    [[said('a')], { status: 'incomplete', incomplete_details: { reason: 'constructor' } }, undefined],
    [[], { status: 'failed' }, 'error'],
    [[], { status: 'cancelled' }, 'aborted'],
    [[], { status: 'in_progress' }, undefined],
  ])('reads the end of %j %j as %s', (output, more, stop) => {
    expect(fromOpenAIResponses(response(output, more)).stop).toBe(stop)
  })

  it('is one message also where a shell of the API’s own gave its output', () => {
    const shell = { type: 'shell_call', call_id: 's', action: { commands: ['ls'] } }
    const out = {
      type: 'shell_call_output',
      call_id: 's',
      output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    }
    const message = fromOpenAIResponses(response([shell, out, said('a')]))
    expect(message.parts.map((part) => part.type)).toEqual(['tool-call', 'text'])
    expect(message.parts[0]).toHaveProperty('state', { status: 'completed', result: 'a', ...slot({ item: out }) })
    expect(message.stop).toBe('end')
  })

  it('lets approval requests wait', () => {
    const request = { type: 'mcp_approval_request', id: 'r', name: 'rm', server_label: 's', arguments: '{}' }
    expect(fromOpenAIResponses(response([request])).parts[0]).toHaveProperty('state', {
      status: 'pending',
      reason: 'approval',
    })
  })

  it('keeps the author of an empty answer', () => {
    expect(fromOpenAIResponses(response([]), { dialect: 'xai' })).toEqual({
      role: 'assistant',
      parts: [],
      id: 'resp_1',
      stop: 'end',
      by: { provider: 'xai', api: 'openai-responses', dialect: 'xai', model: 'gpt-5.4' },
    })
  })

  it('keeps too deep arguments as text', () => {
    const { parts } = fromOpenAIResponses(response([{ ...call, arguments: nested(20_000) }], { usage: nested(20_000) }))
    expect(parts[0]?.type === 'tool-call' && typeof parts[0].args).toBe('string')
  })

  it.each([[{}], [[]], [null], ['x'], [{ error: {} }], [{ output: 'x' }]])('throws on %j', (value) =>
    expect(() => fromOpenAIResponses(value as unknown as object)).toThrow(ReadError),
  )

  it('reads recorded answers', () => {
    const rows = recorded('responses').filter((row) => row.status === 200 && row.answer !== null)
    for (const { server, answer } of rows) {
      const message = fromOpenAIResponses(answer as object, { dialect: server })
      expect(message.by?.model).toBe(answer?.model)
      expect(message.stop).toBeDefined()
      const output = (answer as { output: { type: string }[] }).output
      const waiting = message.parts.filter((part) => part.type === 'tool-call' && part.state.status === 'pending')
      expect(waiting).toHaveLength(output.filter((item) => item.type === 'function_call').length)
    }
    console.log(`responses: ${rows.length} recorded answers`)
  })
})
