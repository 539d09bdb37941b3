import { describe, expect, it } from 'vitest'
import { collector } from '../../../src/answer/collector.ts'

const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  model: 'gpt-5',
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
})
const call = (index: number | undefined, id: string | undefined, name: string | undefined, text: string) => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: text } }],
})

function collected(...chunks: readonly object[]) {
  const into = collector('openai-chat')
  for (const one of chunks) into.push(one)
  return into.message()
}

describe('a broken stream of Chat Completions', () => {
  it('keeps the text of arguments that were still coming, and lets the whole call before it wait', () => {
    const message = collected(
      chunk({ role: 'assistant', content: null }),
      chunk(call(0, 'call_1', 'bash', '')),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] }),
      chunk(call(1, 'call_2', 'bash', '')),
      chunk({ tool_calls: [{ index: 1, function: { arguments: '{"command":"rm -r' } }] }),
    )
    expect(message).toEqual({
      role: 'assistant',
      id: 'chatcmpl-1',
      by: { provider: 'openai', api: 'openai-chat', model: 'gpt-5' },
      stop: 'aborted',
      parts: [
        {
          type: 'tool-call',
          id: 'call_1',
          name: 'bash',
          args: { a: 1 },
          argsText: '{"a":1}',
          state: { status: 'pending' },
        },
        {
          type: 'tool-call',
          id: 'call_2',
          name: 'bash',
          args: '{"command":"rm -r',
          argsText: '{"command":"rm -r',
          state: { status: 'interrupted', dispatched: false },
        },
      ],
    })
  })

  it('keeps a number that may be the beginning of a longer one as text', () => {
    const { parts } = collected(chunk({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '12' } }] }))
    expect(parts).toMatchObject([{ args: '12', state: { dispatched: false } }])
  })

  it('says when the server failed', () => {
    const { parts, stop } = collected(chunk({ content: 'a' }), { error: { message: 'Provider returned error' } })
    expect([parts, stop]).toEqual([[{ type: 'text', text: 'a' }], 'error'])
  })
})

describe('a stream of Chat Completions', () => {
  it('takes id, model and counts from the chunks that have them', () => {
    const counts = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } }
    const message = collected(
      { id: '', model: '', choices: [] },
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'a' }),
      chunk({}, 'stop'),
      chunk({}, null, counts),
    )
    expect(message).toEqual({
      role: 'assistant',
      id: 'chatcmpl-1',
      by: { provider: 'openai', api: 'openai-chat', model: 'gpt-5' },
      stop: 'end',
      usage: { inputTokens: 3, outputTokens: 4 },
      parts: [{ type: 'text', text: 'a' }],
    })
  })

  it('collects the first of several choices', () => {
    const other = { ...chunk({}), choices: [{ index: 1, delta: { content: 'b' }, finish_reason: 'length' }] }
    expect(collected(chunk({ content: 'a' }), other, chunk({}, 'stop'))).toMatchObject({
      stop: 'end',
      parts: [{ text: 'a' }],
    })
  })

  it('tells calls apart that a server counts as one, or does not count', () => {
    const wanted = [
      { id: 'a', args: { x: 1 } },
      { id: 'b', args: { y: 2 } },
    ]
    for (const index of [0, undefined]) {
      const chunks = [
        chunk(call(index, 'a', 'f', '{"x"')),
        chunk(call(index, 'a', 'f', ':1}')),
        chunk(call(index, 'b', 'f', '{"y":')),
        chunk(call(index, index === 0 ? '' : undefined, undefined, '2}')),
        chunk({}, 'tool_calls'),
      ]
      expect(collected(...chunks).parts).toMatchObject(wanted)
    }
  })

  it('collects custom tools and the legacy function call', () => {
    const custom = (input: string) => ({
      tool_calls: [{ index: 0, id: 'a', type: 'custom', custom: { name: 'note', input } }],
    })
    expect(collected(chunk(custom('Ro')), chunk(custom('me')), chunk({}, 'tool_calls')).parts).toMatchObject([
      { kind: 'custom', name: 'note', args: 'Rome', state: { status: 'pending' } },
    ])
    const legacy = (text: string) => chunk({ function_call: { name: 'f', arguments: text } })
    expect(collected(legacy('{"a"'), legacy(':1}'), chunk({}, 'function_call')).parts).toMatchObject([
      { name: 'f', args: { a: 1 }, state: { status: 'pending' } },
    ])
  })

  it('collects reasoning in all the forms of servers', () => {
    expect(
      collected(
        chunk({ reasoning_content: 'h' }),
        chunk({ reasoning_content: 'm' }),
        chunk({ content: 'a' }),
        chunk({}, 'stop'),
      ).parts,
    ).toEqual([
      { type: 'reasoning', text: 'hm', extra: { 'openai-chat': { field: 'reasoning_content' } } },
      { type: 'text', text: 'a' },
    ])
    const detail = (fields: object) => chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, ...fields }] })
    const { extra } = collected(
      detail({ text: 'h' }),
      detail({ text: 'm', signature: null }),
      detail({ signature: 'sig' }),
      chunk({ reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'blob' }] }),
      chunk({ content: 'a' }, 'stop'),
    )
    expect(extra).toEqual({
      'openai-chat': {
        reasoning_details: [
          { type: 'reasoning.text', index: 0, text: 'hm', signature: 'sig' },
          { type: 'reasoning.encrypted', index: 1, data: 'blob' },
        ],
      },
    })
  })

  it('joins the listed pieces of Mistral', () => {
    const thought = (text: string) => ({ type: 'thinking', thinking: [{ type: 'text', text }] })
    const { parts } = collected(
      chunk({ content: [thought('h')] }),
      chunk({ content: [thought('m')] }),
      chunk({ content: 'a' }),
      chunk({ content: 'b' }),
      chunk({}, 'stop'),
    )
    expect(parts).toEqual([
      { type: 'native', api: 'openai-chat', value: thought('hm') },
      { type: 'text', text: 'ab' },
    ])
  })

  it('collects audio by its id and transcript', () => {
    const { extra } = collected(
      chunk({ audio: { id: 'audio_1', transcript: 'He' } }),
      chunk({ audio: { data: 'AAAA' } }),
      chunk({ audio: { transcript: 'llo' } }),
      chunk({}, 'stop'),
    )
    expect(extra).toEqual({ 'openai-chat': { audio: { id: 'audio_1' }, transcript: 'Hello' } })
  })
})
