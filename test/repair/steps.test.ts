import { describe, expect, it } from 'vitest'
import { check } from '../../src/check/index.ts'
import { type Json, type Message, repairSession, type Session, toAnthropic, type WritableApi } from '../../src/index.ts'
import { assistant, call, done, session, user } from '../write/say.ts'

type Options = Parameters<typeof repairSession<'anthropic'>>[2]

function repaired(input: Session, options: Options = {}, api: WritableApi = 'anthropic') {
  const { session: output, changes } = repairSession(input, api, options as never)
  // Repairing once is enough, for every step.
  expect(repairSession(output, api, options as never).changes).toEqual([])
  return { messages: output.messages, codes: changes.map((change) => change.code), changes, output }
}

const ids = (messages: readonly Message[]): string[] =>
  messages.flatMap((message) => message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])))

describe('a clean session', () => {
  it('is given back as the same object', () => {
    const input = session(user('hi'), assistant('ok', call('a')), user('go'))
    expect(repairSession(input, 'anthropic').session).toBe(input)
  })
})

describe('strings', () => {
  it('replaces lone surrogates and NUL in texts, results, ids, names, keys and values', () => {
    const input = session(
      user('cut \ud83d'),
      assistant(call('i\udc00d', done('a\0b'), { name: 'n\ud800', args: { 'k\ud800': ['\udfff'] } })),
    )
    const { messages, codes } = repaired(input)
    expect(codes.filter((code) => code === 'text-ill-formed')).toHaveLength(2)
    expect(JSON.stringify(messages)).not.toMatch(/\\ud[89a-f]|\\u0000/)
    expect(messages[0]?.parts[0]).toEqual({ type: 'text', text: 'cut \ufffd' })
  })

  it.each([256, 257, 20_000])('keeps definitions nested %d levels deep, once repaired, as they are', (levels) => {
    let parameters: Json = {}
    for (let level = 1; level < levels; level++) parameters = { inner: parameters }
    const { changes } = repaired({ ...session(user('x')), tools: [{ name: 'run', parameters: parameters as never }] })
    expect(changes.length).toBeLessThanOrEqual(1)
  })

  it('loses no value when two keys become one', () => {
    const input = session(
      user('x'),
      assistant(call('a', done(''), { args: { 'k\ud800': 1, 'k\ud801': 2, 'k\ufffd': 3 } })),
    )
    const part = repaired(input).messages[1]?.parts[0]
    expect(part?.type === 'tool-call' && Object.values(part.args as object).sort()).toEqual([1, 2, 3])
  })

  it('keeps arguments nested over 256 levels as text', () => {
    let deep: unknown = 1
    for (let level = 0; level < 20_000; level++) deep = [deep]
    const { messages, codes } = repaired(
      session(user('x'), assistant(call('a', done(''), { args: { deep } as never }))),
    )
    const part = messages[1]?.parts[0]
    expect(part?.type === 'tool-call' && Object.keys(part.args as object)).toEqual(['_raw'])
    expect(codes).toContain('value-too-deep')
  })
})

describe('ids', () => {
  it.each([
    ['characters that the API refuses', ['a.b', 'c:d'], ['a_b', 'c_d']],
    ['ids that are fine', ['toolu_1', 'call-2'], ['toolu_1', 'call-2']],
  ])('%s', (_name, given, expected) => {
    expect(ids(repaired(session(user('x'), assistant(...given.map((id) => call(id))))).messages)).toEqual(expected)
  })

  it('keeps two ids two that look alike once mended', () => {
    const long = 'x'.repeat(70)
    const given = ['a.b', 'a:b', `${long}1`, `${long}2`, '', '']
    const mended = ids(repaired(session(user('x'), assistant(...given.map((id) => call(id))))).messages)
    expect(new Set(mended).size).toBe(6)
    for (const id of mended) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  })

  it('gives the second use of an id in a later turn another id, and leaves the first', () => {
    const input = session(user('x'), assistant(call('c', done('one'))), user('y'), assistant(call('c', done('two'))))
    const mended = ids(repaired(input).messages)
    expect(mended[0]).toBe('c')
    expect(mended[1]).not.toBe('c')
  })

  it('never lets a made-up id take one that stands in the same message', () => {
    const [made] = ids(repaired(session(user('x'), assistant(call('a.b'), call('a_c')))).messages)
    const mended = ids(repaired(session(user('x'), assistant(call('a.b'), call(made!)))).messages)
    expect(mended[1]).toBe(made)
    expect(new Set(mended).size).toBe(2)
  })

  it('derives an id from nothing that comes later', () => {
    const start = [user('x'), assistant(call(''), call('a.b'))] as const
    const short = ids(repaired(session(...start)).messages)
    const long = ids(repaired(session(...start, user('y'), assistant(call(short[0]!), call('')))).messages)
    expect(long.slice(0, 2)).toEqual(short)
    expect(new Set(long).size).toBe(4)
  })

  it('accepts a reuse in another turn at level live', () => {
    const input = session(user('x'), assistant(call('c')), user('y'), assistant(call('c')))
    expect(repaired(input, { level: 'live' }).codes).toEqual([])
  })

  it.each([
    ['anthropic', 64],
    ['openai-chat', 40],
    ['openai-responses', 64],
  ] as const)('keeps ids of %s within %i characters', (api, most) => {
    const mended = ids(repaired(session(user('x'), assistant(call('y'.repeat(200)))), {}, api).messages)
    expect(mended[0]!.length).toBeLessThanOrEqual(most)
  })
})

describe('names', () => {
  it('are changed in calls and definitions alike, and two never become one', () => {
    const input: Session = {
      ...session(
        user('x'),
        assistant(
          call('a', done(''), { name: 'mcp.read' }),
          call('b', done(''), { name: 'mcp:read' }),
          call('c', done(''), { name: '' }),
        ),
      ),
      tools: [{ name: 'mcp.read' }, { name: 'mcp_read' }],
    }
    const { output } = repaired(input)
    const called = output.messages[1]!.parts.map((part) => part.type === 'tool-call' && part.name)
    const defined = output.tools!.map((tool) => tool.name)
    expect(called[0]).toBe(defined[0])
    expect(new Set([...called, ...defined]).size).toBe(4)
    for (const name of [...called, ...defined]) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  })
})

describe('args', () => {
  it.each([
    ['cut JSON', '{"path":"x', { _raw: '{"path":"x' }],
    ['JSON twice encoded', '{"path":"x"}', { path: 'x' }],
    ['nothing', '', {}],
    ['null', null, {}],
    ['a list', [1, 2], { value: [1, 2] }],
    ['a number', 7, { value: 7 }],
  ])('%s becomes an object', (_name, given, expected) => {
    const { messages, codes } = repaired(session(user('x'), assistant(call('a', done(''), { args: given }))))
    expect(messages[1]?.parts[0]).toMatchObject({ args: expected })
    expect(codes.filter((code) => code.startsWith('args'))).toHaveLength(1)
  })

  it('gives free text an object where the API has no such calls', () => {
    const input = session(user('x'), assistant(call('a', done(''), { kind: 'custom', args: '*** Begin' })))
    expect(repaired(input).messages[1]?.parts[0]).toMatchObject({ args: { input: '*** Begin' } })
    expect(repaired(input, {}, 'openai-chat').codes).toEqual([])
  })

  it('does not send a stored text that is not the stored value', () => {
    const input = session(user('x'), assistant(call('a', done(''), { args: { a: 1 }, argsText: '{"a":2}' })))
    const { messages, codes } = repaired(input, {}, 'openai-chat')
    expect(codes).toEqual(['args-rewritten'])
    expect(messages[1]?.parts[0]).not.toHaveProperty('argsText')
  })
})

describe('blank text', () => {
  it('goes, and with it a message that has nothing else', () => {
    const { messages, codes } = repaired(
      session(user('hi'), assistant('\n\n'), user('', 'there'), assistant('', call('a'))),
    )
    expect(messages.map((message) => message.parts.length)).toEqual([1, 1, 1])
    expect(codes).toEqual(['text-empty', 'message-empty', 'text-empty', 'text-empty'])
  })

  it('may stand beside other text at level live', () => {
    expect(repaired(session(user('hi', ' ')), { level: 'live' }).codes).toEqual([])
    expect(repaired(session(user('hi', '')), { level: 'live' }).codes).toEqual(['text-empty'])
  })
})

describe('text behind calls', () => {
  it('comes in front, calls keep their order', () => {
    const { messages, codes } = repaired(session(user('x'), assistant('a', call('1'), 'b', call('2'), 'c')))
    expect(
      messages[1]?.parts.map((part) => (part.type === 'text' ? part.text : part.type === 'tool-call' && part.id)),
    ).toEqual(['a', 'b', 'c', '1', '2'])
    expect(codes).toEqual(['text-moved', 'text-moved'])
  })

  it('stays at level live', () => {
    expect(repaired(session(user('x'), assistant(call('1'), 'b')), { level: 'live' }).codes).toEqual([])
  })
})

describe('reasoning', () => {
  const model = 'claude-sonnet-4-6'
  const by = { provider: 'anthropic', api: 'anthropic', model } as const
  const thought = { type: 'reasoning', text: 'hm', extra: { anthropic: { signature: 's' } } } as const
  const signed = (...parts: Parameters<typeof assistant>) => ({ ...assistant(thought, ...parts), by })

  it('is replayed to the model that signed it', () => {
    const input = session(user('x'), signed('ok'), user('y'))
    expect(repairSession(input, 'anthropic', { model }).session).toBe(input)
    expect(repaired(input, { model: `${model}-20260101` }).codes).toEqual([])
  })

  it.each([
    ['another model', signed('ok'), 'claude-opus-4-8'],
    [
      'no signature',
      {
        ...signed('ok'),
        parts: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'ok' },
        ],
      } as Message,
      model,
    ],
    ['another API', { ...signed('ok'), by: { provider: 'openai', api: 'openai-chat', model } } as Message, model],
    ['an aborted turn', { ...signed(), stop: 'aborted' } as Message, model],
    ['a target that is not named', signed('ok'), undefined],
  ])('is left out and reported: %s', (_name, message, target) => {
    const { codes } = repaired(session(user('x'), message, user('y')), { model: target })
    expect(codes[0]).toBe('reasoning-left-out')
  })

  it('goes as a whole when a part between two of its blocks is gone', () => {
    const input = session(user('x'), { ...assistant(thought, ' ', thought, call('a')), by })
    expect(repaired(input, { model }).codes).toEqual(['text-empty', 'reasoning-left-out', 'reasoning-left-out'])
  })

  it('bound to its prefix is left out behind the first difference only', () => {
    const bound = 'claude-opus-5-5'
    const own = (...parts: Parameters<typeof assistant>) => ({ ...signed(...parts), by: { ...by, model: bound } })
    const input = {
      ...session(user('x'), own('one'), user('', 'y'), own('two', call('a_b')), user('z'), own('three')),
      tools: [{ name: 'read' }],
    }
    const clean = repairSession(input, 'anthropic', { model: bound })
    expect(clean.changes.filter((change) => change.code === 'reasoning-left-out')).toEqual([])
    const broken = { ...input, messages: input.messages.with(2, user('y\ud800')) }
    const places = repaired(broken, { model: bound }).changes.filter((change) => change.code === 'reasoning-left-out')
    expect(places.map((change) => change.at.message)).toEqual([3, 5])
  })

  it('becomes text only when asked for', () => {
    const { messages, codes } = repaired(session(user('x'), signed('ok')), { model, reasoning: 'text' })
    expect(messages[1]?.parts).toEqual([
      { type: 'text', text: 'hm' },
      { type: 'text', text: 'ok' },
    ])
    expect(codes).toEqual(['reasoning-as-text'])
  })
})

describe('media', () => {
  const png = 'iVBORw0KGgoAAAANSUhEUg=='
  const image = (more: object) =>
    ({ type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: png }, ...more }) as const

  it.each([
    [
      'a type that the bytes do not bear out',
      image({ mediaType: 'image/jpeg' }),
      { mediaType: 'image/png' },
      'media-type-changed',
    ],
    [
      'a data URL',
      image({ source: { base64: `data:image/png;base64,${png}` } }),
      { source: { base64: png } },
      'media-type-changed',
    ],
    [
      'a type that no API takes',
      image({ mediaType: 'image/svg+xml', source: { base64: 'PHN2Zz4=' } }),
      { type: 'text' },
      'media-left-out',
    ],
    ['no data', image({ source: { base64: '' } }), { type: 'text' }, 'media-left-out'],
    ["another API's file", image({ source: { api: 'openai-chat', fileId: 'f' } }), { type: 'text' }, 'media-left-out'],
    ['video', image({ kind: 'video', mediaType: 'video/mp4' }), { type: 'text' }, 'media-left-out'],
  ])('%s', (_name, part, expected, code) => {
    const { messages, codes } = repaired(session({ role: 'user', parts: [part as never] }))
    expect(messages[0]?.parts[0]).toMatchObject(expected)
    expect(codes).toEqual([code])
  })

  it('sends a text file as text', () => {
    const part = {
      type: 'media',
      kind: 'file',
      mediaType: 'text/markdown',
      name: 'a.md',
      source: { base64: 'IyBoaQ==' },
    } as const
    expect(repaired(session({ role: 'user', parts: [part] })).messages[0]?.parts[0]).toMatchObject({
      source: { text: '# hi' },
    })
    expect(repaired(session({ role: 'user', parts: [part] }), {}, 'openai-chat').messages[0]?.parts[0]).toEqual({
      type: 'text',
      text: '[a.md]\n# hi',
    })
  })
})

describe('native blocks and provider-run calls', () => {
  it('of another API become their text, or are left out and reported', () => {
    const native = (text?: string) =>
      ({ type: 'native', api: 'openai-responses', value: { type: 'compaction' }, text }) as const
    const { messages, codes } = repaired(session(user('x'), assistant(native('sum'), native(), 'ok')))
    expect(messages[1]?.parts).toEqual([
      { type: 'text', text: 'sum' },
      { type: 'text', text: 'ok' },
    ])
    expect(codes).toEqual(['native-as-text', 'native-left-out'])
  })

  const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
  const search = (extra: object, state = done('found')) =>
    call('srvtoolu_1', state, { name: 'web_search', executor: 'provider', extra: extra as never })

  it('a search without its result is left out; with it, it is replayed', () => {
    const result = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
    expect(repaired(session(user('x'), assistant(search({ anthropic: { use, result } }), 'ok'))).codes).toEqual([])
    expect(
      repaired(session(user('x'), assistant(search({ anthropic: { use } }, { status: 'interrupted' }), 'ok'))).codes,
    ).toEqual(['provider-call-left-out'])
  })

  it('a late result stays only behind its call', () => {
    const result = {
      type: 'native',
      api: 'anthropic',
      value: { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
    } as const
    const late = assistant(search({ anthropic: { use, late: true } }), call('c'))
    expect(repaired(session(user('x'), late, assistant(result, 'ok'))).codes).toEqual([])
    expect(repaired(session(user('x'), assistant(result, 'ok'))).codes).toEqual(['native-left-out'])
  })

  it.each([
    ['a user stands between', [user('y')]],
    ['an answer with calls of its own stands between', [assistant(call('d'))]],
  ])('a late result goes back behind its call when %s', (_, between) => {
    const block = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
    const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
    const late = assistant(search({ anthropic: { use, result: block, late: true } }), call('c'))
    const back = assistant({ type: 'native', api: 'anthropic', value: block }, 'ok')
    const { request, changes } = toAnthropic(session(user('x'), late, ...between, back), { onLoss: 'throw' })
    expect(request.messages[1]?.content).toMatchObject([use, block, { type: 'tool_use' }])
    expect(request.messages.at(-1)?.content).toEqual([{ type: 'text', text: 'ok' }])
    expect(changes.map((one) => one.code)).toEqual(['result-moved', 'tools-stubbed'])
    const body = { model: 'claude-sonnet-4-5', max_tokens: 100, ...request }
    expect(check('anthropic', body)).toEqual([])
  })

  it('without the late result itself a call is left out when a user stands between', () => {
    const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
    const late = assistant(search({ anthropic: { use, late: true } }), call('c'))
    const { request, changes } = toAnthropic(session(user('x'), late, user('y'), assistant('ok')))
    expect(request.messages[1]?.content).toMatchObject([{ type: 'tool_use' }])
    expect(changes.map((one) => one.code)).toEqual(['provider-call-left-out', 'tools-stubbed'])
  })

  it('of another API become text', () => {
    const { messages, codes } = repaired(session(user('x'), assistant(search({ 'openai-responses': {} }), 'ok')))
    expect(codes).toEqual(['provider-call-as-text'])
    expect(messages[1]?.parts[0]).toMatchObject({ type: 'text', text: expect.stringContaining('found') })
  })
})

describe('item ids of Responses', () => {
  const by = { provider: 'openai', api: 'openai-responses', model: 'gpt-5.2' } as const
  const item = (id: string) => ({ 'openai-responses': { item: { id, status: 'completed' } } }) as const
  const thought = {
    type: 'reasoning',
    text: '',
    extra: { 'openai-responses': { item: { id: 'rs_1', summary: [], encrypted_content: 'e' } } },
  } as const
  const text = (id: string) => ({ type: 'text', text: 'ok', extra: item(id) }) as const

  it('stay with the model that made them, once each, with their prefix', () => {
    const input = session(user('x'), { ...assistant(thought, text('msg_1')), by }, user('y'))
    expect(repaired(input, { model: 'gpt-5.2' }, 'openai-responses').codes).toEqual([])
    expect(repaired(input, { model: 'gpt-5.4' }, 'openai-responses').codes).toEqual([
      'reasoning-left-out',
      'item-id-left-out',
    ])
    const twice = session(user('x'), { ...assistant(text('msg_1')), by }, user('y'), {
      ...assistant(text('msg_1'), text('m 2')),
      by,
    })
    expect(repaired(twice, { model: 'gpt-5.2' }, 'openai-responses').codes).toEqual([
      'item-id-left-out',
      'item-id-left-out',
    ])
  })

  it('go when the reasoning they belong to goes', () => {
    const { encrypted_content: _, ...bare } = thought.extra['openai-responses'].item
    const stale = { ...thought, extra: { 'openai-responses': { item: bare } } }
    const input = session(user('x'), { ...assistant(stale, text('msg_1')), by }, user('y'))
    expect(repaired(input, { model: 'gpt-5.2' }, 'openai-responses').codes).toEqual([
      'reasoning-left-out',
      'item-id-left-out',
    ])
    expect(repaired(input, { model: 'gpt-5.2', store: true } as never, 'openai-responses').codes).toEqual([])
  })
})

describe('fields', () => {
  it.each([
    [
      'anthropic',
      {
        type: 'text',
        text: 'a',
        extra: { anthropic: { id: 'x', cache_control: { type: 'ephemeral', scope: 'global' } } },
      },
      { anthropic: { cache_control: { type: 'ephemeral' } } },
    ],
    [
      'anthropic',
      { type: 'text', text: 'a', extra: { anthropic: { citations: [{ type: 'char_location', file_id: null }] } } },
      { anthropic: { citations: [{ type: 'char_location' }] } },
    ],
    ['openai-chat', call('c', done('r'), { extra: { 'openai-chat': { index: 0 } } }), { 'openai-chat': {} }],
    [
      'openai-responses',
      call('c', done('r'), { extra: { 'openai-responses': { namespace: 'n', parsed_arguments: {} } } }),
      { 'openai-responses': { namespace: 'n' } },
    ],
  ] as const)('of %s that requests cannot have are left out and reported', (api, part, extra) => {
    const { messages, codes } = repaired(session(user('x'), assistant(part as never), user('y')), {}, api)
    expect(messages[1]?.parts[0]?.extra).toEqual(extra)
    expect(codes).toEqual(['extra-left-out'])
  })

  it('of texts in a result are left out too', () => {
    const text = { type: 'text', text: 'a', extra: { anthropic: { odd: 1 } } } as const
    const { messages, codes } = repaired(
      session(user('x'), assistant(call('c', { status: 'completed', result: [text] }))),
    )
    expect(messages[1]?.parts[0]).toMatchObject({ state: { result: [{ text: 'a', extra: { anthropic: {} } }] } })
    expect(codes).toEqual(['extra-left-out'])
  })

  it('of other APIs are not looked at', () => {
    const part = { type: 'text', text: 'a', extra: { 'openai-chat': { odd: 1 } } } as const
    expect(repaired(session(user('x'), assistant(part), user('y'))).codes).toEqual([])
  })
})
