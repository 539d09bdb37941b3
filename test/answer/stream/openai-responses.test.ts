import { describe, expect, it } from 'vitest'
import { collector } from '../../../src/answer/collector.ts'

const RESPONSE = { id: 'resp_1', object: 'response', model: 'gpt-5.4', status: 'in_progress', output: [] }
const created = { type: 'response.created', response: RESPONSE }
const added = (output_index: number, item: object) => ({ type: 'response.output_item.added', output_index, item })
const done = (output_index: number, item: object) => ({ type: 'response.output_item.done', output_index, item })
const event = (type: string, output_index: number, more: object) => ({
  type: `response.${type}`,
  output_index,
  ...more,
})
const FUNCTION = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'bash',
  arguments: '',
  status: 'in_progress',
}
const REASONING = { type: 'reasoning', id: 'rs_1', summary: [] }

function collected(...events: readonly object[]) {
  const into = collector('openai-responses')
  for (const one of events) into.push(one)
  return into.message()
}

describe('a broken stream of the Responses API', () => {
  it('keeps the text of arguments that were still coming, without an id that the API never stored', () => {
    const message = collected(
      created,
      added(0, FUNCTION),
      event('function_call_arguments.delta', 0, { delta: '{"command":' }),
      event('function_call_arguments.delta', 0, { delta: '"rm -r' }),
    )
    expect(message).toEqual({
      role: 'assistant',
      id: 'resp_1',
      by: { provider: 'openai', api: 'openai-responses', model: 'gpt-5.4' },
      stop: 'aborted',
      parts: [
        {
          type: 'tool-call',
          id: 'call_1',
          name: 'bash',
          args: '{"command":"rm -r',
          argsText: '{"command":"rm -r',
          state: { status: 'interrupted', dispatched: false },
          extra: { 'openai-responses': { status: 'incomplete' } },
        },
      ],
    })
  })

  it('lets a call wait that is whole, and keeps the text so far', () => {
    const whole = { ...FUNCTION, arguments: '{"a":1}', status: 'completed' }
    const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] }
    const { parts } = collected(
      created,
      added(0, FUNCTION),
      done(0, whole),
      added(1, message),
      event('content_part.added', 1, { content_index: 0, part: { type: 'output_text', text: '' } }),
      event('output_text.delta', 1, { content_index: 0, delta: 'He' }),
      event('output_text.delta', 1, { content_index: 0, delta: 'llo' }),
    )
    expect(parts).toMatchObject([
      { args: { a: 1 }, state: { status: 'pending' } },
      { type: 'text', text: 'Hello' },
    ])
  })

  it('leaves reasoning without its encrypted content until all of it has come', () => {
    const summary = [
      created,
      added(0, { ...REASONING, encrypted_content: 'only the beginning' }),
      event('reasoning_summary_part.added', 0, { summary_index: 0, part: { type: 'summary_text', text: '' } }),
      event('reasoning_summary_text.delta', 0, { summary_index: 0, delta: 'hm' }),
    ]
    const [part] = collected(...summary).parts
    expect(part).toMatchObject({ type: 'reasoning', text: 'hm' })
    expect(JSON.stringify(part)).not.toMatch(/rs_1|only the beginning/)
    const whole = { ...REASONING, summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'blob' }
    expect(collected(...summary, done(0, whole)).parts[0]).toHaveProperty('extra.openai-responses.item', {
      id: 'rs_1',
      summary: whole.summary,
      encrypted_content: 'blob',
    })
    // What only the server would know was not stored.
    const { encrypted_content: _, ...bare } = whole
    expect(JSON.stringify(collected(...summary, done(0, bare)).parts)).not.toContain('rs_1')
  })

  it('does not know of a call that the API was running', () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'searching' }
    const { parts } = collected(created, added(0, { ...search, status: 'in_progress' }), done(0, search))
    expect(parts).toMatchObject([{ executor: 'provider', state: { status: 'interrupted' } }])
  })

  it('says when the API failed', () => {
    const failed = { type: 'error', code: 'server_error', message: 'The server had an error.', param: null }
    expect(collected(created, failed).stop).toBe('error')
  })
})

describe('a stream of the Responses API', () => {
  const text = (value: string) => ({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: value }],
  })

  it('takes items by their place, not by when they began', () => {
    const events = [created, added(1, text('b')), added(0, text('a')), done(1, text('b')), done(0, text('a'))]
    const completed = { type: 'response.completed', response: { ...RESPONSE, status: 'completed' } }
    const { parts, stop } = collected(...events, completed)
    expect(parts).toMatchObject([{ text: 'a' }, { text: 'b' }])
    expect(stop).toBe('end')
  })

  it('believes the whole response at the end', () => {
    const response = { ...RESPONSE, status: 'completed', output: [text('whole')] }
    const events = [created, done(0, text('who')), { type: 'response.completed', response }]
    expect(collected(...events)).toMatchObject({ stop: 'end', parts: [{ text: 'whole' }] })
  })

  it('collects what other items say in pieces', () => {
    const { parts } = collected(
      created,
      added(0, { type: 'custom_tool_call', call_id: 'a', name: 'note', input: '' }),
      event('custom_tool_call_input.delta', 0, { delta: 'Ro' }),
      event('custom_tool_call_input.done', 0, { input: 'Rome' }),
      added(1, { type: 'code_interpreter_call', id: 'ci_1', code: '', status: 'in_progress' }),
      event('code_interpreter_call_code.delta', 1, { delta: 'print(1)' }),
      added(2, { type: 'message', role: 'assistant', content: [] }),
      event('refusal.delta', 2, { content_index: 0, delta: 'No' }),
      event('refusal.delta', 2, { content_index: 0, delta: '.' }),
    )
    expect(parts).toMatchObject([
      { kind: 'custom', args: 'Rome', state: { dispatched: false } },
      { name: 'code_interpreter', args: { code: 'print(1)' } },
      { type: 'native', value: { type: 'refusal', refusal: 'No.' } },
    ])
  })

  it('bears places that are out of all bounds', () => {
    const { parts } = collected(
      created,
      added(0, { type: 'message', role: 'assistant', content: [] }),
      event('output_text.delta', 0, { content_index: 4e9, delta: 'a' }),
      event('output_text.delta', 0, { content_index: -1, delta: 'b' }),
      event('output_text.delta', 7, { content_index: 0, delta: 'c' }),
    )
    expect(parts.map((part) => part.type === 'text' && part.text)).toEqual(['ac', 'b'])
  })
})
