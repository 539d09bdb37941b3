import { describe, expect, it } from 'vitest'
import { type AnthropicOptions, ConvertError, openThread, type Session, toAnthropic } from '../../src/index.ts'
import { assistant, call, done, session, user } from './say.ts'

const written = (input: Session, options?: AnthropicOptions) => {
  const { request, changes } = toAnthropic(input, options)
  return { ...request, codes: changes.map((change) => change.code) }
}

/** Roles and kinds of blocks, one word a message. */
const shape = (request: ReturnType<typeof written>): string[] =>
  request.messages.map(
    (message) =>
      `${message.role}: ${typeof message.content === 'string' ? 'text' : message.content.map((block) => block.type).join(' ')}`,
  )

const tools = [{ name: 'run' }]

describe('pairs', () => {
  it('puts results directly behind their calls, before what the user says', () => {
    const request = written({ ...session(user('x'), assistant('ok', call('1'), call('2')), user('y')), tools })
    expect(shape(request)).toEqual([
      'user: text',
      'assistant: text tool_use tool_use',
      'user: tool_result tool_result text',
    ])
    expect(request.codes).toEqual([])
  })

  it('keeps the stored order of results', () => {
    const parts = [call('1', done('one'), { resultOrder: 1 }), call('2', done('two'), { resultOrder: 0 })]
    const [, , turn] = written(session(user('x'), assistant(...parts))).messages
    expect(turn?.content).toMatchObject([{ tool_use_id: '2' }, { tool_use_id: '1' }])
  })

  it.each([
    ['interrupted', { status: 'interrupted' }, /outcome is unknown/, true, ['call-closed']],
    [
      'interrupted, never started',
      { status: 'interrupted', dispatched: false },
      /before it started; it was not run/,
      true,
      ['call-closed'],
    ],
    [
      'interrupted with output',
      { status: 'interrupted', partial: 'half' },
      /unknown[\s\S]*half$/,
      true,
      ['call-closed'],
    ],
    ['failed', { status: 'failed', error: 'boom' }, /^boom$/, true, []],
    [
      'refused with a reason',
      { status: 'failed', error: 'Not on production', denied: true },
      /refused and not run: Not on production$/,
      true,
      [],
    ],
    ['refused without a word', { status: 'failed', error: '', denied: true }, /refused and not run/, true, []],
    [
      'waiting for approval',
      { status: 'pending', reason: 'approval' },
      /waiting for approval/,
      undefined,
      ['call-pending'],
    ],
    ['running', { status: 'pending' }, /no result yet/, undefined, ['call-pending']],
    ['completed with nothing', { status: 'completed', result: '' }, /^$/, undefined, []],
  ] as const)('a call that %s', (_name, state, text, error, codes) => {
    const request = written({ ...session(user('x'), assistant(call('1', state))), tools })
    const [, , turn] = request.messages
    expect(turn?.content).toMatchObject([
      { type: 'tool_result', tool_use_id: '1', content: expect.stringMatching(text) },
    ])
    expect((turn!.content as { is_error?: boolean }[])[0]?.is_error).toBe(error)
    expect(request.codes).toEqual(codes)
  })

  it('leaves a refusal of its own transcript as the model saw it', () => {
    const by = { provider: 'anthropic', api: 'anthropic', model: 'claude-sonnet-4-6' } as const
    const refused = call('1', { status: 'failed', error: "The user doesn't want this.", denied: true })
    const [, , turn] = written({ ...session(user('x'), { ...assistant(refused), by }), tools }).messages
    expect(turn?.content).toMatchObject([{ content: "The user doesn't want this.", is_error: true }])
  })

  it('never tells the model that it may simply retry', () => {
    const texts = JSON.stringify(written(session(user('x'), assistant(call('1', { status: 'interrupted' })))).messages)
    expect(texts).not.toMatch(/retry|try again/i)
  })

  it('lifts media of a failed result behind all results', () => {
    const image = { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'iVBORw0KGgo=' } } as const
    const failed = call('1', { status: 'failed', error: [{ type: 'text', text: 'no' }, image] })
    const request = written({ ...session(user('x'), assistant(failed, call('2'))), tools })
    expect(shape(request)[2]).toBe('user: tool_result tool_result text image')
    expect(request.codes).toEqual(['media-moved'])
  })
})

describe('turns', () => {
  it('begins with the user and merges what stands apart', () => {
    const request = written(session(assistant('hi'), assistant('there'), user('x'), user('y')), { next: 'go' })
    expect(shape(request)).toEqual(['user: text', 'assistant: text text', 'user: text text text'])
    expect(request.codes).toContain('first-turn-made')
  })

  it('leaves the first turn alone at level live', () => {
    expect(shape(written(session(assistant('hi'), user('x')), { level: 'live' }))).toEqual([
      'assistant: text',
      'user: text',
    ])
  })

  it('stays empty when it is empty', () => {
    expect(written(session()).messages).toEqual([])
  })

  it('ends a history that ends with an assistant without white space', () => {
    const request = written(session(user('x'), assistant('Answer: ')))
    expect(request.messages.at(-1)?.content).toMatchObject([{ text: 'Answer:' }])
    expect(request.codes).toEqual(['end-trimmed'])
    expect(written(session(user('x'), assistant('Answer: ')), { next: 'go' }).messages[1]?.content).toMatchObject([
      { text: 'Answer: ' },
    ])
  })

  it('puts an exchange behind results that manual thinking would refuse', () => {
    const input = { ...session(user('x'), assistant(call('1'))), tools }
    const on = written(input, { thinking: true, model: 'claude-sonnet-4-5', next: 'go' })
    expect(shape(on)).toEqual([
      'user: text',
      'assistant: tool_use',
      'user: tool_result',
      'assistant: text',
      'user: text',
    ])
    expect(on.codes).toEqual(['thinking-bridge'])
    expect(written(input, { thinking: true, model: 'claude-opus-4-8' }).codes).toEqual([])
  })
})

describe('instructions', () => {
  const instruction = { role: 'instruction', authority: 'system', parts: [{ type: 'text', text: 'be brief' }] } as const

  it('leading ones belong to the system prompt', () => {
    const request = written({ ...session(instruction, user('x')), instructions: [{ type: 'text', text: 'base' }] })
    expect(request.system).toEqual([
      { type: 'text', text: 'base' },
      { type: 'text', text: 'be brief' },
    ])
    expect(request.codes).toEqual(['instruction-hoisted'])
  })

  it('stand behind the user turn where the model takes them', () => {
    const request = written(session(user('x'), instruction, user('y'), assistant('ok'), user('z')), {
      model: 'claude-opus-4-8',
    })
    expect(shape(request)).toEqual(['user: text text', 'system: text', 'assistant: text', 'user: text'])
    expect(request.codes).toEqual(['instruction-moved', 'messages-merged'])
  })

  it('are user text elsewhere, never between a call and its result', () => {
    const request = written(
      { ...session(user('x'), assistant(call('1')), instruction), tools },
      { model: 'claude-haiku-4-5' },
    )
    expect(shape(request)).toEqual(['user: text', 'assistant: tool_use', 'user: tool_result text'])
    expect(request.codes).toEqual(['instruction-as-user'])
  })

  it('of the session are replaced or dropped when asked, with a report', () => {
    const input: Session = { ...session(user('x')), instructions: [{ type: 'text', text: 'base' }] }
    expect(written(input, { instructions: 'other' })).toMatchObject({
      system: [{ text: 'other' }],
      codes: ['instructions-replaced'],
    })
    expect(written(input, { instructions: 'drop' })).not.toHaveProperty('system')
    expect(written(input, { instructions: 'base' }).codes).toEqual([])
  })
})

describe('cache markers', () => {
  const marked = (text: string, ttl?: '1h') =>
    ({
      type: 'text',
      text,
      extra: { anthropic: { cache_control: { type: 'ephemeral', ...(ttl ? { ttl } : {}), scope: 'global' } } },
    }) as const
  const markers = (value: unknown): number => JSON.stringify(value).split('cache_control').length - 1

  it('are four at most, the last ones of the messages', () => {
    const input: Session = {
      ...session(...['a', 'b', 'c', 'd', 'e'].map((text) => ({ role: 'user', parts: [marked(text)] }) as const)),
      instructions: [marked('sys')],
    }
    const request = written(input)
    expect(markers(request)).toBe(4)
    expect(markers(request.system)).toBe(1)
    expect(JSON.stringify(request)).not.toContain('scope')
    expect(request.codes.filter((code) => code === 'cache-marker-left-out')).toHaveLength(2)
  })

  it('for an hour never stand behind one for five minutes', () => {
    const request = written(session({ role: 'user', parts: [marked('a'), marked('b', '1h')] }))
    expect(JSON.stringify(request)).not.toContain('1h')
  })

  it('are placed and dropped when asked', () => {
    const input: Session = {
      ...session(user('x'), assistant('ok'), user('y')),
      instructions: [{ type: 'text', text: 's' }],
      tools,
    }
    expect(markers(written(input, { cache: 'auto' }))).toBe(4)
    expect(markers(written(session({ role: 'user', parts: [marked('a')] }), { cache: 'drop' }))).toBe(0)
  })
})

describe('tools', () => {
  it('are stubbed from the history where the API wants some', () => {
    const request = written(session(user('x'), assistant(call('1', done(''), { name: 'a.b' }))))
    expect(request.tools?.map((tool) => tool.name)).toEqual(['a_b'])
    expect(request.codes).toContain('tools-stubbed')
    expect(written(session(user('x'), assistant(call('1'))), { level: 'live' })).not.toHaveProperty('tools')
  })

  it('that the history calls and nobody defines are reported', () => {
    expect(written({ ...session(user('x'), assistant(call('1'))), tools: [{ name: 'other' }] }).codes).toEqual([
      'tool-undefined',
    ])
  })
})

describe('loss', () => {
  it('throws when asked to, with all changes', () => {
    const input = session(user('x'), { ...assistant({ type: 'reasoning', text: 'hm' }, 'ok') })
    expect(() => toAnthropic(input, { onLoss: 'throw' })).toThrowError(expect.toSatisfy(ConvertError.is))
  })
})

describe('origin', () => {
  it('names the place in the session', () => {
    const input = { ...session(user('x'), assistant('ok', call('a.b')), user('y')), tools }
    const { origin } = toAnthropic(input)
    expect(origin('messages.0.content.0')).toEqual({ message: 0, part: 0 })
    expect(origin('messages.1.content.1.tool_use.id')).toEqual({ message: 1, part: 1, callId: 'a.b' })
    expect(origin('messages.2.content.0')).toEqual({ message: 1, part: 1, callId: 'a.b' })
    expect(origin('messages.2.content.1')).toEqual({ message: 2, part: 0 })
    expect(origin('messages.9')).toBeUndefined()
    expect(origin('__proto__')).toBeUndefined()
  })
})

describe('a thread', () => {
  it('gives what the whole gives, and leaves taken requests alone', () => {
    const messages = [user('x'), assistant('ok', call('1', { status: 'pending' })), user('y'), assistant('fine')]
    const thread = openThread('anthropic', { start: { ...session(), tools } })
    thread.push(messages[0]!)
    thread.push(messages[1]!)
    const early = JSON.stringify(thread.request({ next: 'now?' }).request)
    thread.settle('1', done('late'))
    thread.push(messages[2]!)
    thread.push(messages[3]!)
    const whole = toAnthropic({
      ...session(user('x'), assistant('ok', call('1', done('late'))), user('y'), assistant('fine')),
      tools,
    })
    expect(thread.request().request).toEqual(whole.request)
    expect(early).toContain('no result yet')
  })

  it('changes the prefix for a result that comes behind the open end, and says so', () => {
    const thread = openThread('anthropic', {
      start: {
        ...session(user('x'), assistant(call('1', { status: 'pending' })), user('y'), assistant('ok'), user('z')),
        tools,
      },
    })
    thread.settle('1', done('late'))
    const { request, changes } = thread.request()
    expect(JSON.stringify(request)).toContain('late')
    expect(changes.map((change) => change.code)).toEqual(['prefix-changed'])
  })

  it('settles the nearest turn first, and of it the oldest call', () => {
    const open = { status: 'pending' } as const
    const thread = openThread('anthropic', {
      level: 'live',
      start: {
        ...session(user('x'), assistant(call('1', open)), user('y'), assistant(call('1', open), call('1', open))),
        tools,
      },
    })
    thread.settle('1', done('second'))
    const results = thread
      .request()
      .request.messages.flatMap((message) =>
        typeof message.content === 'string' ? [] : message.content.filter((block) => block.type === 'tool_result'),
      )
    expect(results.map((block) => JSON.stringify(block).includes('second'))).toEqual([false, true, false])
  })

  it('reports an outcome that no open call waits for', () => {
    const thread = openThread('anthropic', { start: session(user('x')) })
    thread.settle('nobody', done('?'))
    expect(thread.request().changes.map((change) => change.code)).toEqual(['duplicate-result'])
  })
})

describe('a search that goes on in the next message', () => {
  const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
  const search = call(
    'srvtoolu_1',
    { status: 'pending' },
    { name: 'web_search', executor: 'provider', extra: { anthropic: { use } } },
  )
  const late = {
    type: 'native',
    api: 'anthropic',
    value: { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
  } as const
  const first = assistant(search, call('c'))

  it('keeps its call, with the same beginning as before', () => {
    const thread = openThread('anthropic', { start: { ...session(user('x'), first), tools } })
    const early = thread.request().request.messages
    thread.push(assistant(late, 'ok'))
    const { request, changes } = thread.request({ next: 'go' })
    expect(request.messages.slice(0, 3)).toEqual(early)
    expect(changes).toEqual([])
    expect(JSON.stringify(request.messages[3])).toContain('web_search_tool_result')
  })

  it('keeps its call when the two answers are written as one turn', () => {
    const { request, changes } = toAnthropic(session(user('x'), assistant(search), assistant(late, 'ok'), user('y')))
    expect(request.messages[1]?.content).toMatchObject([use, { type: 'web_search_tool_result' }, { type: 'text' }])
    expect(changes.map((change) => change.code)).toEqual(['messages-merged'])
  })

  it('is left out with its result when the user speaks in between', () => {
    const codes = toAnthropic({
      ...session(user('x'), first, user('y'), assistant(late, 'ok'), user('z')),
      tools,
    }).changes.map((change) => change.code)
    expect(codes).toContain('native-left-out')
    expect(codes).toContain('provider-call-left-out')
  })
})
