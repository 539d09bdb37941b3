import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { reader } from '../../src/read/anthropic/index.ts'
import { nested, outcomes, outline, PROTOTYPE_NAMES, reading, readingLines } from './bodies.ts'

const read = reading(reader)
const readLines = readingLines(reader)
const detect = (value: unknown) => reader.detect({ value, changes: [] })

const use = (id: string, name = 'bash', input: unknown = {}) => ({ type: 'tool_use', id, name, input })
const result = (id: string, content: unknown = 'ok', more = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
})
const user = (...content: unknown[]) => ({ role: 'user', content })
const assistant = (...content: unknown[]) => ({ role: 'assistant', content })
const text = (value: string, more = {}) => ({ type: 'text', text: value, ...more })
const MARK = { type: 'ephemeral', ttl: '1h' }

describe('a whole body', () => {
  const body = {
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    system: [text('Be brief.', { cache_control: MARK })],
    tools: [
      { name: 'bash', description: 'runs', input_schema: { type: 'object' }, cache_control: MARK, strict: true },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
      { type: 'mcp_toolset', mcp_server_name: 'git' },
    ],
    messages: [
      { role: 'user', content: 'list files' },
      assistant(
        { type: 'thinking', thinking: 'hm', signature: 'sig' },
        { type: 'redacted_thinking', data: 'blob' },
        text('Running.', { citations: [{ type: 'char_location' }] }),
        { ...use('toolu_1', 'bash', { command: 'ls' }), caller: { type: 'direct' }, cache_control: MARK },
      ),
      user(result('toolu_1', [text('a\nb')], { cache_control: MARK, is_error: false }), text('thanks')),
    ],
  }

  it('becomes a session', () => {
    const { session, changes } = read(body)
    expect(changes).toEqual([])
    expect(session).toEqual({
      version: 1,
      source: { format: 'anthropic' },
      instructions: [{ type: 'text', text: 'Be brief.', extra: { anthropic: { cache_control: MARK } } }],
      tools: [
        {
          name: 'bash',
          description: 'runs',
          parameters: { type: 'object' },
          extra: { anthropic: { cache_control: MARK, strict: true } },
        },
        { name: 'web_search', extra: { anthropic: { raw: body.tools[1] } } },
        { name: 'git', extra: { anthropic: { raw: body.tools[2] } } },
      ],
      messages: [
        { role: 'user', parts: [{ type: 'text', text: 'list files' }] },
        {
          role: 'assistant',
          by: { provider: 'anthropic', api: 'anthropic', model: 'claude-sonnet-4-5' },
          parts: [
            { type: 'reasoning', text: 'hm', extra: { anthropic: { signature: 'sig' } } },
            { type: 'reasoning', text: '', redacted: true, extra: { anthropic: { data: 'blob' } } },
            { type: 'text', text: 'Running.', extra: { anthropic: { citations: [{ type: 'char_location' }] } } },
            {
              type: 'tool-call',
              id: 'toolu_1',
              name: 'bash',
              args: { command: 'ls' },
              extra: { anthropic: { caller: { type: 'direct' }, cache_control: MARK } },
              state: {
                status: 'completed',
                result: [{ type: 'text', text: 'a\nb' }],
                extra: { anthropic: { cache_control: MARK } },
              },
            },
          ],
        },
        { role: 'user', parts: [{ type: 'text', text: 'thanks' }] },
      ],
    })
  })

  it('names the dialect as the provider', () => {
    const { messages } = read(body, { dialect: 'minimax' })
    expect(messages[1]).toHaveProperty('by', {
      provider: 'minimax',
      api: 'anthropic',
      dialect: 'minimax',
      model: 'claude-sonnet-4-5',
    })
  })

  it('is not changed by reading', () => {
    const before = structuredClone(body)
    read(body)
    expect(body).toEqual(before)
  })

  it('takes an empty system prompt and empty tools for none', () => {
    expect(read({ messages: [], system: '', tools: [] }).session).toEqual({
      version: 1,
      source: { format: 'anthropic' },
      messages: [],
    })
  })

  it('takes null for an absent field', () => {
    const [message] = read([user({ type: 'text', text: 'a', cache_control: null, citations: null })]).messages
    expect(message?.parts).toEqual([{ type: 'text', text: 'a' }])
  })
})

describe('other forms', () => {
  it('reads a bare list, without an author', () => {
    expect(read([assistant(text('a'))]).messages).toEqual([{ role: 'assistant', parts: [{ type: 'text', text: 'a' }] }])
  })

  it('reads a response with its end and its author', () => {
    const response = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5',
      content: [text('a')],
      stop_reason: 'max_tokens',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, service_tier: 'standard' },
    }
    expect(read(response).messages).toEqual([
      {
        role: 'assistant',
        parts: [{ type: 'text', text: 'a' }],
        id: 'msg_1',
        by: { provider: 'anthropic', api: 'anthropic', model: 'claude-opus-5' },
        stop: 'length',
        usage: {
          inputTokens: 1,
          outputTokens: 2,
          cacheReadTokens: 3,
          extra: { anthropic: { service_tier: 'standard' } },
        },
      },
    ])
  })

  it('reads JSON lines and tells the line of what is wrong', () => {
    const { session, changes } = readLines([user(text('a')), 7, assistant(use('t')), user(result('t'), result('x'))])
    expect(outcomes(session)).toEqual(['t=ok'])
    expect(changes.map(({ code, at }) => [code, at.line])).toEqual([
      ['record-invalid', 2],
      ['orphan-result', 4],
    ])
  })

  it('reads JSON lines that hold one body', () => {
    expect(readLines([{ system: 's', messages: [user(text('a'))] }]).session.messages).toHaveLength(1)
  })

  it.each([[null], [7], ['text'], [{}], [{ messages: 'no' }], [{ messages: null }]])('throws on %j', (value) => {
    expect(() => read(value)).toThrow(ReadError)
  })
})

describe('turns', () => {
  it('joins adjacent assistant messages, not those with a result or a user message between', () => {
    const { messages } = read([
      user(text('a')),
      assistant(text('b')),
      assistant(use('1')),
      user(result('1')),
      assistant(text('c')),
      user(text('d')),
      user(text('e')),
      assistant(text('f')),
    ])
    expect(outline(messages)).toEqual([
      'user: text',
      'assistant: text tool-call',
      'assistant: text',
      'user: text',
      'user: text',
      'assistant: text',
    ])
  })

  it('keeps answers of two models apart', () => {
    const { messages } = read([
      { ...assistant(text('a')), model: 'm1' },
      { ...assistant(text('b')), model: 'm2' },
    ])
    expect(messages).toHaveLength(2)
  })

  it('leaves calls at the end pending and others interrupted', () => {
    const { session, codes } = read([
      assistant(use('1')),
      user(text('go on')),
      assistant(use('2'), use('3')),
      user(result('3')),
    ])
    expect(outcomes(session)).toEqual(['1=interrupted', '2=pending', '3=ok'])
    expect(codes).toEqual(['call-unfinished'])
  })

  it('keeps the order of results', () => {
    const { calls } = read([assistant(use('1'), use('2')), user(result('2'), result('1'))])
    expect(calls.map((call) => call.resultOrder)).toEqual([1, 0])
  })

  it('keeps empty messages', () => {
    const { messages, codes } = read([user(), assistant(), { role: 'user', content: null }, { role: 'assistant' }])
    expect(outline(messages)).toEqual(['user:', 'assistant:', 'user:', 'assistant:'])
    expect(codes).toEqual([])
  })
})

describe('instructions in mid-conversation', () => {
  it('are instruction messages', () => {
    const { messages } = read([
      user(text('a')),
      { role: 'system', content: 'Be polite.', clear_at: 'never' },
      { role: 'system', output_config: { effort: 'low' } },
    ])
    expect(messages.slice(1)).toEqual([
      {
        role: 'instruction',
        authority: 'system',
        parts: [{ type: 'text', text: 'Be polite.' }],
        extra: { anthropic: { clear_at: 'never' } },
      },
      {
        role: 'instruction',
        authority: 'system',
        parts: [],
        extra: { anthropic: { output_config: { effort: 'low' } } },
      },
    ])
  })

  it('keep tool changes in their places', () => {
    const content = [
      text('New tool.'),
      { type: 'tool_addition', tool: { type: 'tool_reference', name: 'x' } },
      text('Use it.'),
    ]
    const { messages, codes } = read([{ role: 'system', content }])
    expect(messages[0]).toEqual({
      role: 'instruction',
      authority: 'system',
      parts: [
        { type: 'text', text: 'New tool.' },
        { type: 'text', text: 'Use it.' },
      ],
      extra: { anthropic: { content } },
    })
    expect(codes).toEqual([])
  })
})

describe('outcomes', () => {
  const state = (content: unknown, more = {}) =>
    read([assistant(use('1')), user(result('1', content, more))]).calls[0]?.state

  it('keeps a string a string', () => expect(state('text')).toEqual({ status: 'completed', result: 'text' }))
  it('takes no content for an empty string', () => {
    expect(state(null)).toEqual({ status: 'completed', result: '' })
    expect(state({}, { content: undefined })).toEqual({ status: 'completed', result: '' })
  })
  it('keeps an empty list', () => expect(state([])).toEqual({ status: 'completed', result: [] }))
  it('takes is_error for failed', () =>
    expect(state('no', { is_error: true, toolset_name: 't' })).toEqual({
      status: 'failed',
      error: 'no',
      extra: { anthropic: { toolset_name: 't' } },
    }))

  it('keeps blocks of all kinds', () => {
    const search = { type: 'search_result', source: 'u', title: 'T', content: [text('c')] }
    const reference = { type: 'tool_reference', tool_name: 'grep' }
    const content = [
      text('t', { cache_control: MARK }),
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
      search,
      reference,
      use('nested'),
      { type: 'text', text: 5 },
      9,
      'plain',
    ]
    expect(state(content)).toEqual({
      status: 'completed',
      result: [
        { type: 'text', text: 't', extra: { anthropic: { cache_control: MARK } } },
        { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'AA' } },
        { type: 'native', api: 'anthropic', value: search, text: 'T\nu\nc' },
        { type: 'native', api: 'anthropic', value: reference, text: 'grep' },
        { type: 'native', api: 'anthropic', value: use('nested') },
        { type: 'json', value: { type: 'text', text: 5 } },
        { type: 'json', value: 9 },
        { type: 'text', text: 'plain' },
      ],
    })
  })

  it.each([[42], [true], [{ a: 1 }]])('keeps %j as a value', (content) => {
    expect(state(content)).toEqual({ status: 'completed', result: [{ type: 'json', value: content }] })
  })
})

describe('media', () => {
  const part = (block: object) => {
    const { messages, codes } = read([user(block)])
    return codes.length > 0 ? codes : messages[0]?.parts[0]
  }
  const media = (kind: string, mediaType: string, source: object, more = {}) => ({
    type: 'media',
    kind,
    mediaType,
    source,
    ...more,
  })

  it('reads images', () => {
    expect(part({ type: 'image', source: { type: 'url', url: 'https://x/y.png' }, transformations: { a: 1 } })).toEqual(
      media('image', '', { url: 'https://x/y.png' }, { extra: { anthropic: { transformations: { a: 1 } } } }),
    )
    expect(part({ type: 'image', source: { type: 'file', file_id: 'f' } })).toEqual(
      media('image', '', { api: 'anthropic', fileId: 'f' }),
    )
  })

  it('reads documents', () => {
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'AA' }
    expect(part({ type: 'document', source: pdf, title: 'T', context: 'C', citations: { enabled: true } })).toEqual(
      media(
        'file',
        'application/pdf',
        { base64: 'AA' },
        {
          name: 'T',
          extra: { anthropic: { citations: { enabled: true }, context: 'C' } },
        },
      ),
    )
    expect(part({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hi' } })).toEqual(
      media('file', 'text/plain', { text: 'hi' }),
    )
    expect(part({ type: 'document', source: { type: 'url', url: 'https://x' } })).toEqual(
      media('file', 'application/pdf', { url: 'https://x' }),
    )
  })

  it('keeps documents made of blocks, and what is unknown, as they are', () => {
    const blocks = { type: 'document', title: 'T', source: { type: 'content', content: [text('a'), text('b')] } }
    expect(part(blocks)).toEqual({ type: 'native', api: 'anthropic', value: blocks, text: 'T\na\nb' })
    const upload = { type: 'container_upload', file_id: 'f' }
    expect(part(upload)).toEqual({ type: 'native', api: 'anthropic', value: upload })
    const future = { type: 'hologram', text: 'a wave' }
    expect(part(future)).toEqual({ type: 'native', api: 'anthropic', value: future, text: 'a wave' })
  })

  it('skips what has no data', () => {
    expect(part({ type: 'image', source: { type: 'base64', media_type: 'image/png' } })).toEqual(['part-invalid'])
    expect(part({ type: 'image' })).toEqual(['part-invalid'])
  })
})

describe('provider-run calls', () => {
  const search = (id: string) => ({ type: 'server_tool_use', id, name: 'web_search', input: { query: 'q' } })
  const hit = { type: 'web_search_result', title: 'T', url: 'https://t', encrypted_content: 'E' }
  const found = (id: string) => ({ type: 'web_search_tool_result', tool_use_id: id, content: [hit] })

  it('are entries with their raw blocks and a readable result', () => {
    const { messages } = read([assistant(search('s1'), found('s1'), text('T says so'))])
    expect(messages[0]?.parts).toEqual([
      {
        type: 'tool-call',
        id: 's1',
        name: 'web_search',
        args: { query: 'q' },
        executor: 'provider',
        state: { status: 'completed', result: 'T\nhttps://t' },
        extra: { anthropic: { use: search('s1'), result: found('s1') } },
      },
      { type: 'text', text: 'T says so' },
    ])
  })

  it('tell how many parts stand before their result', () => {
    const { messages } = read([assistant(search('s1'), search('s2'), text('hm')), assistant(found('s2'), found('s1'))])
    expect(outline(messages)).toEqual(['assistant: tool-call tool-call text'])
    expect(messages[0]?.parts[0]).toHaveProperty('extra.anthropic.resultAfter', 2)
    expect(messages[0]?.parts[1]).toHaveProperty('extra.anthropic.resultAfter', 1)
  })

  it('leave a result of a later message where it stood', () => {
    const { messages, codes } = read([
      assistant(search('s1'), use('t1')),
      user(result('t1')),
      assistant(found('s1'), text('done')),
    ])
    expect(messages[0]?.parts[0]).toMatchObject({
      state: { status: 'completed', result: 'T\nhttps://t' },
      extra: { anthropic: { use: search('s1'), result: found('s1'), late: true } },
    })
    expect(messages[1]?.parts).toEqual([
      { type: 'native', api: 'anthropic', value: found('s1') },
      { type: 'text', text: 'done' },
    ])
    expect(codes).toEqual([])
  })

  it('without a result are pending at the end and interrupted before', () => {
    const { session } = read([assistant(search('s1')), user(text('go on')), assistant(search('s2'))])
    expect(outcomes(session)).toEqual(['s1=interrupted', 's2=pending'])
  })

  it('have results that stand alone, twice or too early reported', () => {
    const { session, codes } = read([
      assistant(found('s0'), found('s1'), search('s1'), search('s2'), found('s2'), found('s2')),
    ])
    expect(outcomes(session)).toEqual(['s1=T\nhttps://t', 's2=T\nhttps://t'])
    expect(codes).toEqual(['result-moved', 'duplicate-result', 'orphan-result'])
  })

  it('with the id of another turn take the nearest call', () => {
    const { session } = read([assistant(search('s')), user(text('again')), assistant(search('s'), found('s'))])
    expect(outcomes(session)).toEqual(['s=interrupted', 's=T\nhttps://t'])
  })

  it.each([
    ['web_search_tool_result', { type: 'web_search_tool_result_error', error_code: 'unavailable' }, '!unavailable'],
    [
      'text_editor_code_execution_tool_result',
      { type: 'text_editor_code_execution_tool_result_error', error_code: 'file_not_found', error_message: 'no x' },
      '!file_not_found: no x',
    ],
    [
      'web_fetch_tool_result',
      {
        type: 'web_fetch_result',
        url: 'https://u',
        content: { type: 'document', title: 'D', source: { type: 'text', data: 'body' } },
      },
      'D\nhttps://u\nbody',
    ],
    [
      'bash_code_execution_tool_result',
      { type: 'bash_code_execution_result', stdout: 'out', stderr: 'err', return_code: 2, content: [] },
      'out\nerr\nExit code 2',
    ],
    ['code_execution_tool_result', { type: 'code_execution_result', stdout: '1', stderr: '', return_code: 0 }, '1'],
    [
      'text_editor_code_execution_tool_result',
      { type: 'text_editor_code_execution_view_result', content: 'file', file_type: 'text' },
      'file',
    ],
    [
      'tool_search_tool_result',
      { type: 'tool_search_tool_search_result', tool_references: [{ tool_name: 'a' }, { tool_name: 'b' }] },
      'a\nb',
    ],
    ['advisor_tool_result', { type: 'advisor_result', text: 'advice' }, 'advice'],
    ['mcp_tool_result', 'plain', 'plain'],
    ['mcp_tool_result', undefined, ''],
    ['unheard_of_tool_result', { type: 'surprise' }, '[{"type":"json","value":{"type":"surprise"}}]'],
    ['constructor_tool_result', { type: 'constructor' }, '[{"type":"json","value":{"type":"constructor"}}]'],
  ])('%s %j reads as %s', (type, content, expected) => {
    const { session, codes } = read([assistant(search('s'), { type, tool_use_id: 's', content })])
    expect(outcomes(session)).toEqual([`s=${expected}`])
    expect(codes).toEqual([])
  })

  it('of an MCP server fail by its flag', () => {
    const mcp = { type: 'mcp_tool_use', id: 'm', name: 'echo', server_name: 'srv', input: {} }
    const back = { type: 'mcp_tool_result', tool_use_id: 'm', is_error: true, content: [text('bad')] }
    expect(read([assistant(mcp, back)]).calls).toEqual([
      {
        type: 'tool-call',
        id: 'm',
        name: 'echo',
        args: {},
        executor: 'provider',
        state: { status: 'failed', error: [{ type: 'text', text: 'bad' }] },
        extra: { anthropic: { use: mcp, result: back } },
      },
    ])
  })
})

describe('damage', () => {
  it('finds results wherever they stand', () => {
    const { session, codes } = read([
      user(text('go')),
      assistant(use('1'), use('2'), use('3')),
      user(text('hm'), result('1', 'one')),
      assistant(text('what?')),
      user(text('sorry')),
      user(result('2', 'two')),
      assistant(result('3', 'three'), text('now')),
    ])
    expect(outcomes(session)).toEqual(['1=one', '2=two', '3=three'])
    expect(codes).toEqual(['part-misplaced', 'result-moved', 'result-moved', 'result-moved'])
  })

  it('keeps all that is no result of a user message in one message', () => {
    const { messages } = read([assistant(use('1')), user(text('a'), result('1'), text('b'))])
    expect(outline(messages)).toEqual(['assistant: tool-call', 'user: text text'])
  })

  it('parts an assistant message at a result', () => {
    const { messages, session } = read([assistant(text('a'), use('1'), result('1'), text('b'))])
    expect(outline(messages)).toEqual(['assistant: text tool-call', 'assistant: text'])
    expect(outcomes(session)).toEqual(['1=ok'])
  })

  it('leaves orphans and duplicates out and says so', () => {
    const { session, changes } = read([
      user(result('0', 'orphan')),
      assistant(use('1')),
      user(result('1', 'first'), result('1', 'second')),
    ])
    expect(outcomes(session)).toEqual(['1=first'])
    expect(changes.map(({ code, before }) => [code, before])).toEqual([
      ['orphan-result', 'orphan'],
      ['duplicate-result', 'second'],
    ])
  })

  it('pairs empty and missing ids by order', () => {
    const { session, codes } = read([
      assistant(use(''), { type: 'tool_use', name: 'x', input: {} }),
      user(result('', 'one'), { type: 'tool_result', content: 'two' }),
    ])
    expect(outcomes(session)).toEqual(['=one', '=two'])
    expect(codes).toEqual(['result-paired-by-order', 'result-paired-by-order'])
  })

  it('takes numbers for ids', () => {
    expect(
      outcomes(read([assistant({ ...use('x'), id: 7 }), user({ ...result('x'), tool_use_id: 7 })]).session),
    ).toEqual(['7=ok'])
  })

  it('reads calls and thinking in a user message as the assistant’s', () => {
    const { messages, session, codes } = read([
      user(text('a'), { type: 'thinking', thinking: 't', signature: 's' }, use('1'), text('b')),
      user(result('1')),
    ])
    expect(outline(messages)).toEqual(['user: text', 'assistant: reasoning tool-call', 'user: text'])
    expect(outcomes(session)).toEqual(['1=ok'])
    expect(codes).toEqual(['part-misplaced', 'part-misplaced', 'result-moved'])
  })

  it('reads input text that is an object, and keeps other text', () => {
    const { calls, codes } = read([assistant(use('1', 'a', '{"x":1}'), use('2', 'a', '{"x":'), use('3', 'a', '[1]'))])
    expect(calls.map((call) => call.args)).toEqual([{ x: 1 }, '{"x":', '[1]'])
    expect(calls.every((call) => call.argsText === undefined)).toBe(true)
    expect(codes).toEqual(['args-rewritten'])
  })

  it.each([[7], [true]])('skips content %j', (content) => {
    const { messages, codes } = read([user(text('a')), { role: 'user', content }, assistant(text('b'))])
    expect(outline(messages)).toEqual(['user: text', 'assistant: text'])
    expect(codes).toEqual(['part-invalid'])
  })

  it('takes a block that is not in a list, and texts without a type', () => {
    const { messages, codes } = read([{ role: 'user', content: text('a') }, user('b', { text: 'c' })])
    expect(messages.map((message) => message.parts)).toEqual([
      [{ type: 'text', text: 'a' }],
      [
        { type: 'text', text: 'b' },
        { type: 'text', text: 'c' },
      ],
    ])
    expect(codes).toEqual([])
  })

  it('skips what is no message, no block and no role, and keeps the neighbours', () => {
    const { messages, codes } = read([
      null,
      'x',
      [],
      { role: 'tool', content: 'x' },
      { content: 'x' },
      user(null, 5, [], {}, { type: 'text' }, text('ok')),
    ])
    expect(messages).toEqual([{ role: 'user', parts: [{ type: 'text', text: 'ok' }] }])
    expect(codes).toEqual([
      'record-invalid',
      'record-invalid',
      'record-invalid',
      'record-unknown',
      'record-unknown',
      'part-invalid',
      'part-invalid',
      'part-invalid',
      'part-invalid',
      'part-invalid',
    ])
  })

  it('names fields that the API refuses', () => {
    const { changes } = read([assistant({ ...use('1'), index: 3 }, { ...text('a'), parsed: null })])
    expect(changes.map(({ code, before, at }) => [code, before, at])).toEqual([
      ['extra-left-out', '{"index":3}', { message: 0 }],
    ])
    const joined = read([user(text('a')), assistant(text('b')), assistant(text('c', { index: 1 }))])
    expect(joined.changes[0]?.at).toEqual({ message: 1 })
    expect(read([{ ...user(text('a')), ts: 5, stop_details: {} }]).changes).toMatchObject([
      { code: 'extra-left-out', before: '{"ts":5}', at: { message: 0 } },
    ])
  })

  it('skips tools and system blocks that are none', () => {
    const { session, codes } = read({
      system: [text('s'), 5, { type: 'image' }],
      tools: [5, { name: 'a' }],
      messages: [],
    })
    expect(session.instructions).toEqual([{ type: 'text', text: 's' }])
    expect(session.tools).toEqual([{ name: 'a' }])
    expect(codes).toEqual(['part-invalid', 'part-invalid', 'record-invalid'])
  })

  it('keeps values that are too deep as text', () => {
    for (const depth of [300, 20_000]) {
      const { calls, codes } = read([assistant(use('1', 'a', nested(depth)), text('b')), user(result('1'))])
      expect(typeof calls[0]?.args).toBe('string')
      expect(calls[0]?.args).toMatch(/^\[?\{?.*"bottom"/)
      expect(codes).toContain('value-too-deep')
    }
    expect(typeof read([assistant(use('1', 'a', nested(200)))]).calls[0]?.args).toBe('object')
  })

  it.each(PROTOTYPE_NAMES)('is not fooled by %s', (name) => {
    const input = JSON.parse(`{"${name}":1}`) as object
    const { session, codes, messages } = read([
      { role: name, content: 'x' },
      assistant({ type: name, text: 'n' }, use(name, name, input), text('t')),
      user(result(name, [{ type: name }])),
    ])
    expect(codes).toEqual(['record-unknown'])
    expect(outline(messages)).toEqual(['assistant: native tool-call text'])
    const call = messages[0]?.parts[1]
    expect(call).toMatchObject({ id: name, name, state: { status: 'completed' } })
    expect(Object.keys((call as { args: object }).args)).toEqual([name])
    expect(session.tools).toBeUndefined()
  })
})

describe('detect', () => {
  const plain = { role: 'user', content: 'hi' }

  it.each([
    ['a tool use', [plain, assistant(use('1'))]],
    ['a tool result', [user(result('1'))]],
    ['thinking', [assistant({ type: 'thinking', thinking: '', signature: '' })]],
    ['a system prompt beside messages', { system: 's', messages: [plain] }],
    ['input schemas', { messages: [plain], tools: [{ name: 'a', input_schema: {} }] }],
    ['a response', { type: 'message', role: 'assistant', content: [], stop_reason: 'end_turn' }],
  ])('is sure of %s', (_name, value) => expect(detect(value)).toBeGreaterThan(0.8))

  it('finds what comes late', () => {
    expect(detect([...Array.from({ length: 40 }, () => plain), assistant(use('1'))])).toBeGreaterThan(0.8)
  })

  it('leaves plain messages to others', () => expect(detect([plain])).toBeLessThan(0.2))

  it.each([
    ['chat calls', [{ role: 'assistant', content: null, tool_calls: [] }]],
    ['chat tools', { messages: [plain], tools: [{ type: 'function', function: { name: 'a' } }] }],
    ['items', [{ type: 'function_call', name: 'a', arguments: '{}', call_id: 'c' }]],
    ['nothing', []],
    ['records of a log', [{ type: 'user', message: plain }]],
    ['a number', 7],
    ['blocks of the AI SDK', [assistant({ type: 'tool-call', toolCallId: 'a' })]],
  ])('does not take %s', (_name, value) => expect(detect(value)).toBe(0))
})
