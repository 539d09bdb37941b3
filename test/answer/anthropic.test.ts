import { describe, expect, it } from 'vitest'
import { fromAnthropic } from '../../src/answer/anthropic.ts'
import { ReadError } from '../../src/model/error.ts'
import { nested, recorded } from '../read/bodies.ts'

const response = (content: unknown, more = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-opus-5',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  ...more,
})

describe('fromAnthropic', () => {
  it('gives a message whose calls wait', () => {
    const message = fromAnthropic(
      response(
        [
          { type: 'thinking', thinking: 'hm', signature: 'sig' },
          { type: 'text', text: 'Running.', citations: null },
          { type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'ls' }, caller: { type: 'direct' } },
        ],
        {
          stop_reason: 'tool_use',
          usage: {
            input_tokens: 10,
            output_tokens: 20,
            cache_read_input_tokens: 30,
            cache_creation_input_tokens: 40,
            output_tokens_details: { thinking_tokens: 5 },
            service_tier: 'standard',
            server_tool_use: null,
          },
        },
      ),
    )
    expect(message).toEqual({
      role: 'assistant',
      id: 'msg_1',
      by: { provider: 'anthropic', api: 'anthropic', model: 'claude-opus-5' },
      stop: 'tool-calls',
      usage: {
        inputTokens: 10,
        outputTokens: 20,
        cacheReadTokens: 30,
        cacheWriteTokens: 40,
        reasoningTokens: 5,
        extra: { anthropic: { output_tokens_details: { thinking_tokens: 5 }, service_tier: 'standard' } },
      },
      parts: [
        { type: 'reasoning', text: 'hm', extra: { anthropic: { signature: 'sig' } } },
        { type: 'text', text: 'Running.' },
        {
          type: 'tool-call',
          id: 'toolu_1',
          name: 'bash',
          args: { command: 'ls' },
          state: { status: 'pending' },
          extra: { anthropic: { caller: { type: 'direct' } } },
        },
      ],
    })
  })

  it.each([
    ['end_turn', 'end'],
    ['stop_sequence', 'end'],
    ['tool_use', 'tool-calls'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'refusal'],
    ['pause_turn', 'paused'],
    ['unheard_of', undefined],
    ['constructor', undefined],
    [null, undefined],
  ])('reads stop_reason %s as %s', (stop_reason, stop) => {
    expect(fromAnthropic(response([], { stop_reason })).stop).toBe(stop)
  })

  it('keeps provider-run calls with their results, and lets a paused one wait', () => {
    const use = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'q' } }
    const result = { type: 'web_search_tool_result', tool_use_id: 's1', content: [] }
    const { parts } = fromAnthropic(response([use, result, { ...use, id: 's2' }], { stop_reason: 'pause_turn' }))
    expect(parts.map((part) => part.type === 'tool-call' && [part.executor, part.state])).toEqual([
      ['provider', { status: 'completed', result: '' }],
      ['provider', { status: 'pending' }],
    ])
  })

  it('keeps results whose calls stand in an earlier, paused answer, and pairs those under another id by their place', () => {
    const use = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'q' } }
    const found = (tool_use_id: string) => ({ type: 'web_search_tool_result', tool_use_id, content: [] })
    const said = { type: 'text', text: 'a' }
    const late = fromAnthropic(response([said, found('s8'), found('s9'), said, use, found('other'), said, found('s7')]))
    expect(late.parts).toMatchObject([
      { type: 'text' },
      { type: 'native', api: 'anthropic', value: found('s8') },
      { type: 'native', value: found('s9') },
      { type: 'text' },
      { type: 'tool-call', id: 's1', state: { status: 'completed' } },
      { type: 'text' },
      { type: 'native', value: found('s7') },
    ])
  })

  it('names the dialect as the provider', () => {
    expect(fromAnthropic(response([]), { dialect: 'minimax' }).by).toEqual({
      provider: 'minimax',
      api: 'anthropic',
      dialect: 'minimax',
      model: 'claude-opus-5',
    })
  })

  it('keeps an answer without a model without an author', () => {
    expect(fromAnthropic({ role: 'assistant', content: 'a' })).toEqual({
      role: 'assistant',
      parts: [{ type: 'text', text: 'a' }],
    })
  })

  it('keeps too deep input as text', () => {
    const { parts } = fromAnthropic(response([{ type: 'tool_use', id: 'a', name: 'b', input: nested(20_000) }]))
    expect(parts[0]?.type === 'tool-call' && typeof parts[0].args).toBe('string')
  })

  it.each([
    [{}],
    [[]],
    [null],
    ['x'],
    [{ type: 'error', error: {} }],
    [{ role: 'user', content: [] }],
    [{ role: 'assistant' }],
  ])('throws on %j', (value) => expect(() => fromAnthropic(value as unknown as object)).toThrow(ReadError))

  it('reads recorded answers', () => {
    const answers = recorded('anthropic').flatMap((row) => (row.status === 200 && row.answer ? [row.answer] : []))
    for (const answer of answers) {
      const message = fromAnthropic(answer)
      expect(message.by?.model).toBe(answer.model)
      expect(message.stop).toBeDefined()
      const wanted = (answer.content as { type: string }[]).filter((block) => block.type === 'tool_use').length
      const waiting = message.parts.filter(
        (part) => part.type === 'tool-call' && part.executor === undefined && part.state.status === 'pending',
      )
      expect(waiting).toHaveLength(wanted)
    }
    console.log(`anthropic: ${answers.length} recorded answers`)
  })
})
