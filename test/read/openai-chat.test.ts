import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { reader } from '../../src/read/openai-chat/index.ts'
import { nested, outcomes, outline, PROTOTYPE_NAMES, reading, readingLines } from './bodies.ts'

const read = reading(reader)
const readLines = readingLines(reader)
const detect = (value: unknown) => reader.detect({ value, changes: [] })

const user = (content: unknown, more = {}) => ({ role: 'user', content, ...more })
const calling = (...tool_calls: unknown[]) => ({ role: 'assistant', content: null, tool_calls })
const call = (id: string, name = 'bash', args = '{}', more = {}) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
  ...more,
})
const tool = (tool_call_id: string, content: unknown = 'ok', more = {}) => ({
  role: 'tool',
  tool_call_id,
  content,
  ...more,
})
const slot = (value: object) => ({ extra: { 'openai-chat': value } })
const text = (value: string, more = {}) => ({ type: 'text', text: value, ...more })
const BREAK = { prompt_cache_breakpoint: { mode: 'explicit' } }

describe('a whole body', () => {
  const body = {
    model: 'gpt-5',
    tools: [
      {
        type: 'function',
        function: { name: 'bash', description: 'runs', parameters: { type: 'object' }, strict: true },
      },
      { type: 'custom', custom: { name: 'sql', description: 'asks', format: { type: 'text' } } },
      { type: 'builtin_function', function: { name: '$web_search' } },
    ],
    messages: [
      { role: 'developer', content: [text('Be brief.', BREAK)], name: 'boss' },
      { role: 'system', content: 'Be polite.' },
      user('list files', { name: 'ada' }),
      {
        role: 'assistant',
        content: 'Running.',
        tool_calls: [
          call('call_1', 'bash', '{ "command": "ls", "n": 1.0 }', { index: 0 }),
          { id: 'call_2', type: 'custom', custom: { name: 'sql', input: 'select 1' } },
        ],
      },
      tool('call_2', [text('1')], { name: 'sql' }),
      tool('call_1', 'a\nb'),
      { role: 'developer', content: 'Now French.' },
      {
        role: 'assistant',
        content: [text('Voilà.'), { type: 'refusal', refusal: 'Non.' }],
        name: 'bob',
        refusal: null,
      },
      { role: 'assistant', content: null, refusal: 'I will not.', audio: { id: 'audio_1' } },
    ],
  }

  it('becomes a session', () => {
    const { session, changes } = read(body)
    expect(changes).toEqual([])
    const by = { provider: 'openai', api: 'openai-chat', model: 'gpt-5' }
    expect(session).toEqual({
      version: 1,
      source: { format: 'openai-chat' },
      instructions: [text('Be brief.', slot({ ...BREAK, role: 'developer', name: 'boss' }))],
      tools: [
        { name: 'bash', description: 'runs', parameters: { type: 'object' }, ...slot({ strict: true }) },
        { name: 'sql', description: 'asks', kind: 'custom', ...slot({ format: { type: 'text' } }) },
        { name: '$web_search', ...slot({ raw: body.tools[2]! }) },
      ],
      messages: [
        { role: 'instruction', authority: 'system', parts: [text('Be polite.')] },
        { role: 'user', parts: [text('list files')], ...slot({ name: 'ada' }) },
        {
          role: 'assistant',
          by,
          parts: [
            text('Running.'),
            {
              type: 'tool-call',
              id: 'call_1',
              name: 'bash',
              args: { command: 'ls', n: 1 },
              argsText: '{ "command": "ls", "n": 1.0 }',
              state: { status: 'completed', result: 'a\nb' },
              resultOrder: 1,
              ...slot({ index: 0 }),
            },
            {
              type: 'tool-call',
              id: 'call_2',
              name: 'sql',
              kind: 'custom',
              args: 'select 1',
              state: { status: 'completed', result: [text('1')], ...slot({ name: 'sql' }) },
              resultOrder: 0,
            },
          ],
        },
        { role: 'instruction', authority: 'developer', parts: [text('Now French.')] },
        {
          role: 'assistant',
          by,
          parts: [
            text('Voilà.'),
            { type: 'native', api: 'openai-chat', value: { type: 'refusal', refusal: 'Non.' }, text: 'Non.' },
          ],
          ...slot({ name: 'bob' }),
        },
        { role: 'assistant', by, parts: [], ...slot({ refusal: 'I will not.', audio: { id: 'audio_1' } }) },
      ],
    })
  })

  it('names the dialect as the provider, and on native parts', () => {
    const video = { type: 'video_url', video_url: { url: 'https://v' } }
    const { messages } = read(
      { model: 'm', messages: [user([video]), { role: 'assistant', content: 'a' }] },
      { dialect: 'qwen' },
    )
    expect(messages).toEqual([
      { role: 'user', parts: [{ type: 'native', api: 'openai-chat', dialect: 'qwen', value: video }] },
      {
        role: 'assistant',
        by: { provider: 'qwen', api: 'openai-chat', dialect: 'qwen', model: 'm' },
        parts: [text('a')],
      },
    ])
  })

  it('takes a plain system message for the instructions, once', () => {
    const { session } = read([{ role: 'system', content: 'a' }, user('b'), { role: 'system', content: 'c' }])
    expect(session.instructions).toEqual([text('a')])
    expect(outline(session.messages)).toEqual(['user: text', 'instruction: text'])
    expect(read([user('b'), { role: 'system', content: 'c' }]).session.instructions).toBeUndefined()
  })

  it('reads legacy functions', () => {
    const { session, codes } = read({
      functions: [{ name: 'f', parameters: { type: 'object' } }],
      messages: [
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"x":1}' } },
        { role: 'function', name: 'f', content: 'done' },
      ],
    })
    expect(session.tools).toEqual([{ name: 'f', parameters: { type: 'object' } }])
    expect(session.messages).toEqual([
      {
        role: 'assistant',
        parts: [
          {
            type: 'tool-call',
            id: '',
            name: 'f',
            args: { x: 1 },
            argsText: '{"x":1}',
            state: { status: 'completed', result: 'done' },
          },
        ],
      },
    ])
    expect(codes).toEqual([
      'legacy-function-call',
      'legacy-function-call',
      'legacy-function-call',
      'result-paired-by-order',
    ])
  })
})

describe('other forms', () => {
  it('reads a completion, with its end, and names further choices', () => {
    const completion = {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      model: 'gpt-5',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'a', refusal: null, annotations: [] },
          finish_reason: 'length',
        },
        { index: 1, message: { role: 'assistant', content: 'b' }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, prompt_tokens_details: { cached_tokens: 1 } },
    }
    const { messages, codes } = read(completion)
    expect(messages).toEqual([
      {
        role: 'assistant',
        parts: [text('a')],
        by: { provider: 'openai', api: 'openai-chat', model: 'gpt-5' },
        stop: 'length',
        id: 'chatcmpl-1',
        usage: {
          inputTokens: 1,
          outputTokens: 2,
          cacheReadTokens: 1,
          ...slot({ total_tokens: 3, prompt_tokens_details: { cached_tokens: 1 } }),
        },
      },
    ])
    expect(codes).toEqual(['branch-left-out'])
  })

  it('reads JSON lines', () => {
    const { session, changes } = readLines([user('a'), calling(call('1')), 'junk', tool('1')])
    expect(outcomes(session)).toEqual(['1=ok'])
    expect(changes.map(({ code, at }) => [code, at.line])).toEqual([['record-invalid', 3]])
  })

  it('reads a single message', () => expect(read(user('a')).messages).toHaveLength(1))

  it.each([[null], [7], ['text'], [{}], [{ messages: 'no' }], [{ choices: [] }]])('throws on %j', (value) => {
    expect(() => read(value)).toThrow(ReadError)
  })
})

describe('turns', () => {
  it('leaves messages apart', () => {
    const { messages } = read([
      { role: 'assistant', content: 'a' },
      { role: 'assistant', content: 'b' },
    ])
    expect(messages).toHaveLength(2)
  })

  it('leaves calls at the end pending and others interrupted', () => {
    const { session, codes } = read([calling(call('1')), user('go on'), calling(call('2'), call('3')), tool('3')])
    expect(outcomes(session)).toEqual(['1=interrupted', '2=pending', '3=ok'])
    expect(codes).toEqual(['call-unfinished'])
  })
})

describe('content', () => {
  const parts = (content: unknown, role = 'user') => read([{ role, content }]).messages[0]?.parts

  it('keeps an empty text, which the API takes', () => expect(parts('', 'assistant')).toEqual([text('')]))

  it('drops an empty content beside calls', () => {
    expect(outline(read([{ ...calling(call('1')), content: '' }]).messages)).toEqual(['assistant: tool-call'])
  })

  it('reads images, audio and files', () => {
    expect(
      parts([
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA', detail: 'low' }, ...BREAK },
        { type: 'image_url', image_url: { url: 'https://x/y.png' } },
        { type: 'image_url', image_url: 'https://x/z.png' },
        { type: 'image_url', image_url: { url: 'data:image/svg+xml;utf8,<svg/>' } },
        { type: 'image_url', image_url: { url: 'data:image/svg+xml;charset=utf-8;base64,AA' } },
        { type: 'input_audio', input_audio: { data: 'BB', format: 'mp3' } },
        { type: 'file', file: { file_data: 'data:application/pdf;base64,CC', filename: 'a.pdf' }, ...BREAK },
        { type: 'file', file: { file_id: 'file_1' } },
      ]),
    ).toEqual([
      {
        type: 'media',
        kind: 'image',
        mediaType: 'image/png',
        source: { base64: 'AA' },
        ...slot({ detail: 'low', ...BREAK }),
      },
      { type: 'media', kind: 'image', mediaType: '', source: { url: 'https://x/y.png' } },
      { type: 'media', kind: 'image', mediaType: '', source: { url: 'https://x/z.png' } },
      { type: 'media', kind: 'image', mediaType: '', source: { url: 'data:image/svg+xml;utf8,<svg/>' } },
      { type: 'media', kind: 'image', mediaType: '', source: { url: 'data:image/svg+xml;charset=utf-8;base64,AA' } },
      { type: 'media', kind: 'audio', mediaType: 'audio/mp3', source: { base64: 'BB' } },
      {
        type: 'media',
        kind: 'file',
        mediaType: 'application/pdf',
        source: { base64: 'CC' },
        name: 'a.pdf',
        ...slot(BREAK),
      },
      { type: 'media', kind: 'file', mediaType: '', source: { api: 'openai-chat', fileId: 'file_1' } },
    ])
  })

  it('keeps what it cannot hold otherwise as it is', () => {
    const stored = [
      { type: 'file', file: { file_data: 'bare', filename: 'a' } },
      { type: 'file', file: { file_data: 'data:a/b;base64,AA', file_id: 'f' } },
      { type: 'document_url', document_url: 'https://d' },
      { type: 'image_url' },
    ]
    expect(parts(stored)).toEqual(stored.map((value) => ({ type: 'native', api: 'openai-chat', value })))
  })

  it('reads reasoning of compatible servers', () => {
    const details = [{ type: 'reasoning.text', text: 'hm', signature: 's' }]
    const { messages, codes } = read([
      { role: 'assistant', content: 'a', reasoning_content: 'hm' },
      { role: 'assistant', content: 'a', reasoning: 'hm', reasoning_content: 'hm', reasoning_details: details },
      { role: 'assistant', content: 'a', reasoning: 'other', reasoning_content: '' },
    ])
    const hm = { type: 'reasoning', text: 'hm', ...slot({ field: 'reasoning_content' }) }
    expect(messages).toEqual([
      { role: 'assistant', parts: [hm, text('a')] },
      { role: 'assistant', parts: [hm, text('a')], ...slot({ reasoning_details: details }) },
      {
        role: 'assistant',
        parts: [{ type: 'reasoning', text: 'other', ...slot({ field: 'reasoning' }) }, text('a')],
      },
    ])
    expect(codes).toEqual([])
  })

  it('keeps media and values in outputs', () => {
    const { calls } = read([
      calling(call('1')),
      tool('1', [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }, 5, { type: 'text' }]),
    ])
    expect(calls[0]?.state).toEqual({
      status: 'completed',
      result: [
        { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'AA' } },
        { type: 'json', value: 5 },
        { type: 'json', value: { type: 'text' } },
      ],
    })
  })

  it('names fields of servers that say something', () => {
    const { changes } = read([
      { role: 'assistant', content: 'a', prefix: false, annotations: [], padding: null },
      { role: 'assistant', content: 'b', prefix: true },
    ])
    expect(changes.map(({ code, before, at }) => [code, before, at])).toEqual([
      ['extra-left-out', '{"prefix":true}', { message: 1 }],
    ])
  })

  it('keeps the id of a message, and the transcript of an audio answer', () => {
    const audio = { id: 'au', data: 'AAAA', expires_at: 1, transcript: 'hello' }
    expect(read([{ role: 'assistant', id: 'm1', content: null, audio }]).messages).toEqual([
      { role: 'assistant', id: 'm1', parts: [], ...slot({ audio: { id: 'au' }, transcript: 'hello' }) },
    ])
  })
})

describe('damage', () => {
  it('finds results wherever they stand', () => {
    const { session, codes } = read([
      calling(call('1'), call('2'), call('3')),
      user('hm'),
      tool('1', 'one'),
      { role: 'assistant', content: 'what?' },
      tool('2', null),
      user('sorry'),
      tool('3', [text('three')]),
    ])
    expect(outcomes(session)).toEqual(['1=one', '2=', '3=[{"type":"text","text":"three"}]'])
    expect(codes).toEqual(['result-moved', 'result-moved', 'result-moved'])
  })

  it('leaves orphans and duplicates out and says so', () => {
    const { session, changes } = read([
      tool('0', 'orphan'),
      calling(call('1')),
      tool('1', 'first'),
      tool('1', 'second'),
    ])
    expect(outcomes(session)).toEqual(['1=first'])
    expect(changes.map(({ code, before }) => [code, before])).toEqual([
      ['orphan-result', 'orphan'],
      ['duplicate-result', 'second'],
    ])
  })

  it('pairs empty and missing ids by order', () => {
    const { session } = read([
      calling(call(''), { type: 'function', function: { name: 'x', arguments: '{}' } }),
      tool('', 'one'),
      { role: 'tool', content: 'two' },
    ])
    expect(outcomes(session)).toEqual(['=one', '=two'])
  })

  it.each([
    ['{"x":', '{"x":', '{"x":'],
    ['', '', ''],
    ['null', null, 'null'],
    ['[1]', [1], '[1]'],
    [{ x: 1 }, { x: 1 }, undefined],
    [undefined, {}, undefined],
    [null, {}, undefined],
  ])('reads arguments %j as %j', (stored, args, argsText) => {
    const { calls } = read([calling({ id: '1', type: 'function', function: { name: 'f', arguments: stored } })])
    expect(calls[0]?.args).toEqual(args)
    expect(calls[0]?.argsText).toBe(argsText)
  })

  it('reads calls without a type, of an unknown type, and flat ones', () => {
    const { calls, codes } = read([
      calling(
        { id: '1', function: { name: 'a', arguments: '{}' } },
        { id: '2', type: 'tool', function: { name: 'b', arguments: '{}' } },
        { id: '3', name: 'c', arguments: '{"x":1}' },
        { id: '4', type: 'function' },
        'junk',
      ),
    ])
    expect(calls.map(({ id, name }) => id + name)).toEqual(['1a', '2b', '3c'])
    expect(codes).toEqual(['part-invalid', 'part-invalid'])
  })

  it.each([[7], [true], [{ a: 1 }]])('skips content %j', (content) => {
    const { messages, codes } = read([user('a'), user(content), { role: 'assistant', content: 'b' }])
    expect(outline(messages)).toEqual(['user: text', 'user:', 'assistant: text'])
    expect(codes).toEqual(['part-invalid'])
  })

  it('skips what is no message and no role, and keeps the neighbours', () => {
    const { messages, codes } = read([null, 'x', [], { role: 'ai', content: 'x' }, { content: 'x' }, user('ok')])
    expect(messages).toEqual([{ role: 'user', parts: [text('ok')] }])
    expect(codes).toEqual(['record-invalid', 'record-invalid', 'record-invalid', 'record-unknown', 'record-unknown'])
  })

  it('skips tools that are none, and media in instructions', () => {
    const { session, codes } = read({
      tools: [5, { type: 'function', function: { name: 'a' } }],
      messages: [{ role: 'system', content: [text('s'), { type: 'image_url', image_url: { url: 'u' } }] }],
    })
    expect(session.tools).toEqual([{ name: 'a' }])
    expect(session.instructions).toEqual([text('s')])
    expect(codes).toEqual(['record-invalid', 'part-invalid'])
  })

  it('keeps values that are too deep as text', () => {
    for (const depth of [300, 20_000]) {
      const deep = { name: 'f', arguments: nested(depth), more: 1 }
      const { calls, codes } = read([calling({ id: '1', type: 'function', function: deep }), tool('1')])
      expect(calls[0]).toMatchObject({ id: '1', name: 'f', state: { status: 'completed' } })
      expect(typeof calls[0]?.args).toBe('string')
      expect(codes).toContain('value-too-deep')
    }
    const inText = `${'[1,'.repeat(300)}1${']'.repeat(300)}`
    expect(read([calling(call('1', 'f', inText))]).calls[0]?.args).toBe(inText)
  })

  it.each(PROTOTYPE_NAMES)('is not fooled by %s', (name) => {
    const { codes, messages } = read([
      { role: name, content: 'x' },
      {
        role: 'assistant',
        content: [{ type: name, text: 'n' }],
        tool_calls: [call(name, name, `{"${name}":1}`, { type: name })],
      },
      tool(name, [{ type: name }]),
    ])
    expect(codes).toEqual(['record-unknown'])
    expect(outline(messages)).toEqual(['assistant: native tool-call'])
    const entry = messages[0]?.parts[1]
    expect(entry).toMatchObject({ id: name, name, state: { status: 'completed' } })
    expect(Object.keys((entry as { args: object }).args)).toEqual([name])
  })

  it('keeps further keys of calls whatever their names', () => {
    const stored = JSON.parse('{"id":"1","function":{"name":"f","arguments":"{}"},"__proto__":{"x":1}}') as object
    const kept = read([calling(stored)]).calls[0]?.extra?.['openai-chat']
    expect(Object.keys(kept as object)).toEqual(['__proto__'])
  })
})

describe('detect', () => {
  const plain = user('hi')

  it.each([
    ['calls', [plain, calling(call('1'))]],
    ['results', [tool('1')]],
    ['a legacy result', [{ role: 'function', name: 'f', content: 'x' }]],
    ['image parts', [user([{ type: 'image_url', image_url: { url: 'u' } }])]],
    ['parameters of its own', { messages: [plain], stream_options: {} }],
    ['a completion', { choices: [{ message: { content: 'a' } }] }],
  ])('is sure of %s', (_name, value) => expect(detect(value)).toBeGreaterThan(0.8))

  it('finds what comes late', () => {
    expect(detect([...Array.from({ length: 40 }, () => plain), calling(call('1'))])).toBeGreaterThan(0.8)
  })

  it('takes plain messages at a low score, with a model at a higher one', () => {
    expect(detect([plain, { role: 'assistant', content: 'a' }])).toBeGreaterThan(0)
    expect(detect([plain])).toBeLessThan(0.3)
    expect(detect({ model: 'm', messages: [plain] })).toBeGreaterThan(0.3)
  })

  it.each([
    ['entries', [plain, { role: 'assistant', content: '', toolCalls: [] }]],
    ['Anthropic blocks', [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'b', input: {} }] }]],
    ['items', [{ type: 'message', role: 'user', content: 'a' }]],
    ['UI messages', [{ role: 'user', parts: [] }]],
    ['results of the AI SDK', [{ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a' }] }]],
    [
      'calls that own their state',
      [{ role: 'assistant', content: '', tool_calls: [{ id: 'a', args: {}, state: {} }] }],
    ],
    ['input schemas', { messages: [plain], tools: [{ name: 'a', input_schema: {} }] }],
    ['nothing', []],
    ['a number', 7],
  ])('does not take %s', (_name, value) => expect(detect(value)).toBe(0))
})
