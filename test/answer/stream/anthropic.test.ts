import { describe, expect, it } from 'vitest'
import { collector } from '../../../src/answer/collector.ts'

const start = (message = {}) => ({
  type: 'message_start',
  message: { id: 'msg_1', role: 'assistant', model: 'claude-opus-5', content: [], stop_reason: null, ...message },
})
const begin = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
const delta = (index: number, of: object) => ({ type: 'content_block_delta', index, delta: of })
const json = (index: number, partial_json: string) => delta(index, { type: 'input_json_delta', partial_json })
const stop = (index: number) => ({ type: 'content_block_stop', index })
const ended = (stop_reason: string) => ({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 9 } })
const TOOL = { type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} }

function collected(...events: readonly object[]) {
  const into = collector('anthropic')
  for (const event of events) into.push(event)
  return into.message()
}

describe('a broken stream of the Messages API', () => {
  it('keeps the text of arguments that were still coming, and says that the call was not run', () => {
    const message = collected(start(), begin(0, TOOL), json(0, '{"command":'), json(0, '"rm -r'))
    expect(message).toEqual({
      role: 'assistant',
      id: 'msg_1',
      by: { provider: 'anthropic', api: 'anthropic', model: 'claude-opus-5' },
      stop: 'aborted',
      parts: [
        {
          type: 'tool-call',
          id: 'toolu_1',
          name: 'bash',
          args: '{"command":"rm -r',
          state: { status: 'interrupted', dispatched: false },
        },
      ],
    })
  })

  it('lets a call wait that is whole', () => {
    const second = { ...TOOL, id: 'toolu_2' }
    const { parts } = collected(start(), begin(0, TOOL), json(0, '{"a":1}'), stop(0), begin(1, second))
    expect(parts).toMatchObject([
      { args: { a: 1 }, state: { status: 'pending' } },
      { args: '', state: { status: 'interrupted', dispatched: false } },
    ])
  })

  it('leaves thinking unsigned until its signature has come', () => {
    const thinking = [
      start(),
      begin(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'hm' }),
    ]
    expect(collected(...thinking).parts).toEqual([{ type: 'reasoning', text: 'hm' }])
    const signed = delta(0, { type: 'signature_delta', signature: 'sig' })
    expect(collected(...thinking, signed).parts).toEqual([
      { type: 'reasoning', text: 'hm', extra: { anthropic: { signature: 'sig' } } },
    ])
  })

  it('does not know of a call that the API was running', () => {
    const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }
    const events = [start(), begin(0, search), json(0, '{"query":"a"}'), stop(0)]
    expect(collected(...events).parts).toMatchObject([{ executor: 'provider', state: { status: 'interrupted' } }])
    expect(collected(...events).parts).not.toHaveProperty('0.state.dispatched')
    // Where the API itself paused, it goes on.
    expect(collected(...events, ended('pause_turn')).parts).toMatchObject([{ state: { status: 'pending' } }])
  })

  it('says when the API failed', () => {
    const failed = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    const text = begin(0, { type: 'text', text: '' })
    const { parts, stop: reason } = collected(start(), text, delta(0, { type: 'text_delta', text: 'a' }), failed)
    expect([parts, reason]).toEqual([[{ type: 'text', text: 'a' }], 'error'])
  })
})

describe('a stream of the Messages API', () => {
  it('collects citations and the last counts', () => {
    const { parts, usage } = collected(
      start({ usage: { input_tokens: 3, output_tokens: 1, cache_read_input_tokens: 4 } }),
      begin(0, { type: 'text', text: '', citations: [] }),
      delta(0, { type: 'text_delta', text: 'a' }),
      delta(0, { type: 'citations_delta', citation: { type: 'char_location', cited_text: 'b' } }),
      stop(0),
      ended('end_turn'),
    )
    expect(parts).toEqual([
      { type: 'text', text: 'a', extra: { anthropic: { citations: [{ type: 'char_location', cited_text: 'b' }] } } },
    ])
    expect(usage).toEqual({ inputTokens: 3, outputTokens: 9, cacheReadTokens: 4 })
  })

  it('pairs a result of a tool that the API ran', () => {
    const { parts } = collected(
      start(),
      begin(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      json(0, '{"query":"a"}'),
      stop(0),
      begin(1, { type: 'web_search_tool_result', tool_use_id: 's', content: [] }),
      stop(1),
      ended('end_turn'),
    )
    expect(parts).toMatchObject([{ args: { query: 'a' }, state: { status: 'completed', result: '' } }])
  })

  it('takes the whole of a compaction, and the model that a fallback names', () => {
    const { parts, by } = collected(
      start(),
      begin(0, { type: 'compaction', content: null }),
      delta(0, { type: 'compaction_delta', content: 'So far.' }),
      begin(1, { type: 'fallback', to: { model: 'claude-sonnet-5' } }),
      ended('end_turn'),
    )
    expect(parts[0]).toMatchObject({ type: 'native', value: { type: 'compaction', content: 'So far.' } })
    expect(by?.model).toBe('claude-sonnet-5')
  })

  it('understands gateways that count every block as the first, begin none, or begin anew', () => {
    const twice = [
      begin(0, TOOL),
      json(0, '{"a":1}'),
      stop(0),
      begin(0, { ...TOOL, id: 'toolu_2' }),
      json(0, '{"b":2}'),
      stop(0),
    ]
    expect(collected(start(), ...twice, ended('tool_use')).parts).toMatchObject([
      { id: 'toolu_1', args: { a: 1 } },
      { id: 'toolu_2', args: { b: 2 } },
    ])
    expect(collected(delta(0, { type: 'text_delta', text: 'a' })).parts).toEqual([{ type: 'text', text: 'a' }])
    const again = collected(start(), ...twice, start({ id: 'msg_2' }), delta(0, { type: 'text_delta', text: 'a' }))
    expect(again).toMatchObject({ id: 'msg_2', parts: [{ type: 'text', text: 'a' }] })
  })

  it('keeps arguments as text that are no JSON, or nested too deeply', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    for (const text of ['{"command": "ls', `{"a":${deep}}`]) {
      const { parts } = collected(start(), begin(0, TOOL), json(0, text), stop(0), ended('tool_use'))
      expect(parts).toMatchObject([{ args: text, state: { status: 'pending' } }])
    }
  })
})
