import { describe, expect, it } from 'vitest'
import {
  type OpenAIChatOptions,
  type OpenAIResponsesOptions,
  type Session,
  toOpenAIChat,
  toOpenAIResponses,
} from '../../src/index.ts'
import { assistant, call, done, session, user } from './say.ts'

const image = { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'iVBORw0KGgo=' } } as const

const chat = (input: Session, options?: OpenAIChatOptions) => {
  const { request, changes } = toOpenAIChat(input, options)
  return { ...request, codes: changes.map((change) => change.code) }
}

const responses = (input: Session, options?: OpenAIResponsesOptions) => {
  const { request, changes } = toOpenAIResponses(input, options)
  return { ...request, codes: changes.map((change) => change.code) }
}

describe('chat', () => {
  it('puts every result behind its call, and instructions and media behind all results', () => {
    const instruction = {
      role: 'instruction',
      authority: 'system',
      parts: [{ type: 'text', text: 'be brief' }],
    } as const
    const results = [
      call('1', done('one')),
      call('2', { status: 'completed', result: [image] }),
      call('3', { status: 'interrupted' }),
    ]
    const request = chat(session(user('x'), assistant('ok', ...results), instruction, user('y')))
    expect(request.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'tool',
      'user',
      'system',
      'user',
    ])
    expect(request.codes).toEqual(['media-moved', 'call-closed'])
    expect(request.messages[3]?.content).toEqual([expect.objectContaining({ type: 'text' })])
    expect(request.messages[5]?.content).toMatchObject([
      { type: 'text' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
    ])
  })

  it('tells a failure in words, since the API has no flag', () => {
    const request = chat(session(user('x'), assistant(call('1', { status: 'failed', error: 'boom' }))))
    expect(request.messages[2]).toMatchObject({ role: 'tool', content: 'This tool call failed: boom' })
    expect(request.codes).toEqual(['error-flag-as-text'])
  })

  it('sends stored argument text as it is', () => {
    const text = '{ "n": 1.0 }'
    const request = chat(session(user('x'), assistant(call('1', done(''), { args: { n: 1 }, argsText: text }))))
    expect(request.messages[1]).toMatchObject({ content: null, tool_calls: [{ function: { arguments: text } }] })
  })

  it('keeps calls with free text', () => {
    const request = chat(session(user('x'), assistant(call('1', done(''), { kind: 'custom', args: 'patch' }))))
    expect(request.messages[1]).toMatchObject({
      tool_calls: [{ type: 'custom', custom: { name: 'run', input: 'patch' } }],
    })
  })

  it('takes 128 calls at most in one message', () => {
    const calls = Array.from({ length: 130 }, (_, index) => call(`c${index}`))
    const roles = chat(session(user('x'), assistant('ok', ...calls))).messages.map((message) => message.role)
    expect(roles.indexOf('assistant', 2)).toBe(130)
    expect(roles.filter((role) => role === 'tool')).toHaveLength(130)
  })

  it.each([
    ['gpt-4o', 'developer', 'developer'],
    ['gpt-3.5-turbo', 'developer', 'system'],
    ['o1-mini', 'system', 'user'],
    ['some-model', 'system', 'system'],
    [undefined, 'developer', 'system'],
  ] as const)('%s takes an instruction of a %s as %s', (model, authority, role) => {
    const instruction = { role: 'instruction', authority, parts: [{ type: 'text', text: 'be brief' }] } as const
    expect(chat(session(user('x'), instruction, user('y')), { model }).messages[1]?.role).toBe(role)
  })

  it('never takes reasoning', () => {
    const thought = { type: 'reasoning', text: 'hm' } as const
    expect(chat(session(user('x'), assistant(thought, 'ok'))).codes).toEqual(['reasoning-left-out'])
  })

  it('keeps a message whose content stands in its own slot only', () => {
    const refusal: Session['messages'][number] = {
      role: 'assistant',
      parts: [],
      extra: { 'openai-chat': { refusal: 'No.' } },
    }
    expect(chat(session(user('x'), refusal, user('y'))).messages[1]).toEqual({
      role: 'assistant',
      content: null,
      refusal: 'No.',
    })
  })

  it('leaves an empty list of tools out', () => {
    expect(chat({ ...session(user('x')), tools: [] })).not.toHaveProperty('tools')
  })
})

describe('responses', () => {
  const by = { provider: 'openai', api: 'openai-responses', model: 'gpt-5.2' } as const
  const slot = (value: object) => ({ 'openai-responses': value }) as never

  it('puts calls first and then their outputs', () => {
    const request = responses(
      session(
        user('x'),
        assistant(call('1', done('one')), call('2', { status: 'completed', result: [image] })),
        user('y'),
      ),
    )
    expect(request.input.map((item) => item.type)).toEqual([
      'message',
      'function_call',
      'function_call',
      'function_call_output',
      'function_call_output',
      'message',
    ])
    expect(request.input[4]).toMatchObject({
      call_id: '2',
      output: [{ type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' }],
    })
    expect(request).toMatchObject({ store: false, codes: [] })
  })

  it('replays reasoning with its item, and asks for more of it where nothing is stored', () => {
    const item = { id: 'rs_1', summary: [], encrypted_content: 'e' }
    const thought = {
      type: 'reasoning',
      text: '',
      extra: slot({ item: { ...item, status: 'completed', content: [] } }),
    } as const
    const input = session(user('x'), {
      ...assistant(thought, call('1', done(''), { extra: slot({ id: 'fc_1', status: 'completed' }) })),
      by,
    })
    const request = responses(input, { model: 'gpt-5.2' })
    expect(request.input[1]).toEqual({ type: 'reasoning', ...item })
    expect(request.input[2]).toMatchObject({ type: 'function_call', id: 'fc_1', status: 'completed', call_id: '1' })
    expect(request.include).toEqual(['reasoning.encrypted_content'])
    expect(responses(input, { model: 'gpt-4o' })).not.toHaveProperty('include')
  })

  it('keeps the borders of message items', () => {
    const first = {
      type: 'text',
      text: 'a',
      extra: slot({ item: { id: 'msg_1', status: 'completed' }, annotations: [] }),
    } as const
    const joined = { type: 'text', text: 'b', extra: slot({ joined: true }) } as const
    const input = session(user('x'), { ...assistant(first, joined, 'c'), by }, user('y'))
    const request = responses(input, { model: 'gpt-5.2' })
    expect(request.input[1]).toMatchObject({ id: 'msg_1', content: [{ text: 'a' }, { text: 'b' }] })
    expect(request.input[2]).toEqual({ type: 'message', role: 'assistant', content: 'c' })
  })

  it("replays a call of the API's own with both items, and as a function call where it has no output", () => {
    const item = { type: 'shell_call', call_id: '1', action: { commands: ['ls'] }, status: 'completed' }
    const output = { type: 'shell_call_output', call_id: '1', output: [] }
    const shell = (state: Parameters<typeof call>[1]) => call('1', state, { name: 'shell', extra: slot({ item }) })
    const whole = responses(
      session(user('x'), {
        ...assistant(shell({ status: 'completed', result: '', extra: slot({ item: output }) })),
        by,
      }),
      { model: 'gpt-5.2' },
    )
    expect(whole.input.slice(1)).toEqual([item, output])
    const cut = responses(session(user('x'), { ...assistant(shell({ status: 'interrupted' })), by }), {
      model: 'gpt-5.2',
    })
    expect(cut.input.slice(1).map((one) => one.type)).toEqual(['function_call', 'function_call_output'])
  })

  it('sends the system prompt as instructions', () => {
    const input: Session = {
      ...session(user('x')),
      instructions: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    }
    expect(responses(input).instructions).toBe('a\n\nb')
  })
})
