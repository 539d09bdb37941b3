import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { reader } from '../../src/read/openai-responses/index.ts'
import { nested, outcomes, outline, PROTOTYPE_NAMES, reading, readingLines } from './bodies.ts'

const read = reading(reader)
const readLines = readingLines(reader)
const detect = (value: unknown) => reader.detect({ value, changes: [] })

const message = (role: string, content: unknown, more = {}) => ({ type: 'message', role, content, ...more })
const user = (content: unknown) => message('user', content)
const said = (value: string, more = {}) => ({ type: 'output_text', text: value, ...more })
const call = (call_id: string, name = 'bash', args: unknown = '{}', more = {}) => ({
  type: 'function_call',
  call_id,
  name,
  arguments: args,
  ...more,
})
const output = (call_id: string, value: unknown = 'ok', more = {}) => ({
  type: 'function_call_output',
  call_id,
  output: value,
  ...more,
})
const slot = (value: object) => ({ extra: { 'openai-responses': value } })
const text = (value: string, more = {}) => ({ type: 'text', text: value, ...more })
const BREAK = { prompt_cache_breakpoint: { mode: 'explicit' } }

describe('a whole body', () => {
  const reasoning = {
    type: 'reasoning',
    id: 'rs_1',
    summary: [
      { type: 'summary_text', text: 'one' },
      { type: 'summary_text', text: 'two' },
    ],
    encrypted_content: 'blob',
  }
  const body = {
    model: 'gpt-5.4',
    instructions: 'Be brief.',
    store: false,
    tools: [
      {
        type: 'function',
        name: 'bash',
        description: 'runs',
        parameters: { type: 'object' },
        strict: null,
        async: true,
      },
      { type: 'custom', name: 'sql', format: { type: 'text' } },
      { type: 'web_search' },
    ],
    input: [
      { role: 'developer', content: 'Be polite.' },
      message('user', [{ type: 'input_text', text: 'list', ...BREAK }], { status: 'completed' }),
      reasoning,
      message(
        'assistant',
        [
          said('Running.', { annotations: [{ type: 'url_citation' }], logprobs: [] }),
          said('Now.', { annotations: [] }),
        ],
        { id: 'msg_1', status: 'completed', phase: 'commentary' },
      ),
      call('call_1', 'bash', '{ "command": "ls" }', { id: 'fc_1', status: null, namespace: 'sh' }),
      { type: 'custom_tool_call', call_id: 'call_2', name: 'sql', input: 'select 1', id: 'ctc_1' },
      output('call_1', [{ type: 'input_text', text: 'a' }], { status: 'completed' }),
      { type: 'custom_tool_call_output', call_id: 'call_2', output: '1' },
      { role: 'assistant', content: 'Done.' },
      { role: 'assistant', content: 'Really.', phase: 'final_answer' },
      message('assistant', [{ type: 'refusal', refusal: 'No.' }], { id: 'msg_2' }),
    ],
  }

  it('becomes a session', () => {
    const { session, changes } = read(body)
    expect(changes).toEqual([])
    const by = { provider: 'openai', api: 'openai-responses', model: 'gpt-5.4' }
    const { type: _type, ...reasoningItem } = reasoning
    expect(session).toEqual({
      version: 1,
      source: { format: 'openai-responses' },
      instructions: [text('Be brief.')],
      tools: [
        { name: 'bash', description: 'runs', parameters: { type: 'object' }, ...slot({ async: true }) },
        { name: 'sql', kind: 'custom', ...slot({ format: { type: 'text' } }) },
        { name: 'web_search', ...slot({ raw: { type: 'web_search' } }) },
      ],
      messages: [
        { role: 'instruction', authority: 'developer', parts: [text('Be polite.')] },
        { role: 'user', parts: [text('list', slot(BREAK))], ...slot({ status: 'completed' }) },
        {
          role: 'assistant',
          by,
          parts: [
            { type: 'reasoning', text: 'one\n\ntwo', ...slot({ item: reasoningItem }) },
            text(
              'Running.',
              slot({
                item: { id: 'msg_1', status: 'completed', phase: 'commentary' },
                annotations: [{ type: 'url_citation' }],
              }),
            ),
            text('Now.', slot({ joined: true })),
            {
              type: 'tool-call',
              id: 'call_1',
              name: 'bash',
              args: { command: 'ls' },
              argsText: '{ "command": "ls" }',
              ...slot({ id: 'fc_1', namespace: 'sh' }),
              state: { status: 'completed', result: [text('a')], ...slot({ status: 'completed' }) },
            },
            {
              type: 'tool-call',
              id: 'call_2',
              name: 'sql',
              kind: 'custom',
              args: 'select 1',
              ...slot({ id: 'ctc_1' }),
              state: { status: 'completed', result: '1' },
            },
          ],
        },
        {
          role: 'assistant',
          by,
          parts: [
            text('Done.'),
            text('Really.', slot({ item: { phase: 'final_answer' } })),
            {
              type: 'native',
              api: 'openai-responses',
              value: { type: 'refusal', refusal: 'No.' },
              text: 'No.',
              ...slot({ item: { id: 'msg_2' } }),
            },
          ],
        },
      ],
    })
  })

  it('takes a text input for a user message and empty instructions for none', () => {
    expect(read({ model: 'm', input: 'hi', instructions: '' }).session).toEqual({
      version: 1,
      source: { format: 'openai-responses' },
      messages: [{ role: 'user', parts: [text('hi')] }],
    })
  })

  it('names the dialect as the provider', () => {
    const { messages } = read({ model: 'grok-4', input: [message('assistant', 'a')] }, { dialect: 'xai' })
    expect(messages[0]).toHaveProperty('by', {
      provider: 'xai',
      api: 'openai-responses',
      dialect: 'xai',
      model: 'grok-4',
    })
  })
})

describe('other forms', () => {
  it('reads a response with its end', () => {
    const response = {
      id: 'resp_1',
      object: 'response',
      model: 'gpt-5.4',
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      instructions: [message('system', 'Be brief.')],
      output: [message('assistant', [said('a')], { id: 'msg_1', status: 'incomplete' })],
      usage: { input_tokens: 1, output_tokens: 2, output_tokens_details: { reasoning_tokens: 1 } },
    }
    expect(read(response).messages).toEqual([
      { role: 'instruction', authority: 'system', parts: [text('Be brief.')] },
      {
        role: 'assistant',
        by: { provider: 'openai', api: 'openai-responses', model: 'gpt-5.4' },
        id: 'resp_1',
        stop: 'length',
        usage: {
          inputTokens: 1,
          outputTokens: 2,
          reasoningTokens: 1,
          ...slot({ output_tokens_details: { reasoning_tokens: 1 } }),
        },
        parts: [text('a', slot({ item: { id: 'msg_1', status: 'incomplete' } }))],
      },
    ])
  })

  it('reads bare lists, single items and JSON lines', () => {
    expect(outcomes(read([call('1'), output('1')]).session)).toEqual(['1=ok'])
    expect(outcomes(read(call('1')).session)).toEqual(['1=pending'])
    const { session, changes } = readLines([user('a'), call('1'), 5, output('1')])
    expect(outcomes(session)).toEqual(['1=ok'])
    expect(changes.map(({ code, at }) => [code, at.line])).toEqual([['record-invalid', 3]])
  })

  it.each([[null], [7], ['text'], [{}], [{ input: 5 }], [{ output: 'x' }]])('throws on %j', (value) => {
    expect(() => read(value)).toThrow(ReadError)
  })
})

describe('turns', () => {
  it('joins items unless a result or a message stands between', () => {
    const { messages, session } = read([
      call('1'),
      output('1'),
      call('2'),
      output('2'),
      { type: 'reasoning', id: 'r', summary: [] },
      message('assistant', 'a'),
      user('b'),
      message('assistant', 'c'),
      { role: 'system', content: 'd' },
      call('3'),
    ])
    expect(outline(messages)).toEqual([
      'assistant: tool-call',
      'assistant: tool-call',
      'assistant: reasoning text',
      'user: text',
      'assistant: text',
      'instruction: text',
      'assistant: tool-call',
    ])
    expect(outcomes(session)).toEqual(['1=ok', '2=ok', '3=pending'])
  })

  it('leaves calls at the end pending and others interrupted', () => {
    const { session, codes } = read([call('1'), user('go on'), call('2'), call('3'), output('3')])
    expect(outcomes(session)).toEqual(['1=interrupted', '2=pending', '3=ok'])
    expect(codes).toEqual(['call-unfinished'])
  })
})

describe('reasoning', () => {
  const part = (item: object) => read([{ type: 'reasoning', ...item }]).messages[0]?.parts[0]

  it('is read from the content where there is no summary', () => {
    const item = { id: 'r', summary: [], content: [{ type: 'reasoning_text', text: 'hm' }] }
    expect(part(item)).toEqual({ type: 'reasoning', text: 'hm', ...slot({ item }) })
  })

  it('is redacted where only the encrypted content is there', () => {
    const item = { id: 'r', summary: [], encrypted_content: 'blob' }
    expect(part(item)).toEqual({ type: 'reasoning', text: '', redacted: true, ...slot({ item }) })
    expect(part({ id: 'r', summary: [] })).toEqual({
      type: 'reasoning',
      text: '',
      ...slot({ item: { id: 'r', summary: [] } }),
    })
  })
})

describe('media', () => {
  it('reads images and files', () => {
    const stored = [
      { type: 'input_image', image_url: 'data:image/png;base64,AA', detail: 'auto', ...BREAK },
      { type: 'input_image', image_url: 'https://x', file_id: null },
      { type: 'input_image', file_id: 'f', detail: 'low' },
      { type: 'input_file', file_data: 'data:application/pdf;base64,BB', filename: 'a.pdf' },
      { type: 'input_file', file_url: 'https://y' },
      { type: 'input_file', file_id: 'g' },
    ]
    expect(read([user(stored)]).messages[0]?.parts).toEqual([
      {
        type: 'media',
        kind: 'image',
        mediaType: 'image/png',
        source: { base64: 'AA' },
        ...slot({ detail: 'auto', ...BREAK }),
      },
      { type: 'media', kind: 'image', mediaType: '', source: { url: 'https://x' } },
      {
        type: 'media',
        kind: 'image',
        mediaType: '',
        source: { api: 'openai-responses', fileId: 'f' },
        ...slot({ detail: 'low' }),
      },
      { type: 'media', kind: 'file', mediaType: 'application/pdf', source: { base64: 'BB' }, name: 'a.pdf' },
      { type: 'media', kind: 'file', mediaType: '', source: { url: 'https://y' } },
      { type: 'media', kind: 'file', mediaType: '', source: { api: 'openai-responses', fileId: 'g' } },
    ])
  })

  it('keeps what it cannot hold otherwise as it is', () => {
    const stored = [
      { type: 'input_file', file_data: 'bare' },
      { type: 'input_image', image_url: 'https://x', file_id: 'f' },
      { type: 'input_smell', smell: 'rose' },
    ]
    expect(read([user(stored)]).messages[0]?.parts).toEqual(
      stored.map((value) => ({ type: 'native', api: 'openai-responses', value })),
    )
  })
})

describe('calls to the API’s own tools that the client runs', () => {
  it.each([
    [
      'shell',
      { type: 'shell_call', call_id: 'c', action: { commands: ['ls'] }, id: 'sh_1' },
      {
        type: 'shell_call_output',
        call_id: 'c',
        output: [{ stdout: 'out', stderr: 'err', outcome: { type: 'exit', exit_code: 1 } }],
      },
      { commands: ['ls'] },
      { status: 'completed', result: 'out\nerr\nExit code 1' },
    ],
    [
      'local_shell',
      {
        type: 'local_shell_call',
        id: 'lsh_1',
        call_id: 'c',
        action: { type: 'exec', command: ['ls'] },
        status: 'completed',
      },
      { type: 'local_shell_call_output', id: 'lsh_1', output: '{"output":"x"}' },
      { type: 'exec', command: ['ls'] },
      { status: 'completed', result: '{"output":"x"}' },
    ],
    [
      'local_shell',
      { type: 'local_shell_call', id: 'lsh_1', call_id: 'c', action: { type: 'exec' } },
      output('c', 'by function output'),
      { type: 'exec' },
      { status: 'completed', result: 'by function output' },
    ],
    [
      'apply_patch',
      { type: 'apply_patch_call', call_id: 'c', operation: { type: 'delete_file', path: 'a' }, status: 'completed' },
      { type: 'apply_patch_call_output', call_id: 'c', status: 'failed', output: 'no such file' },
      { type: 'delete_file', path: 'a' },
      { status: 'failed', error: 'no such file' },
    ],
    [
      'computer',
      {
        type: 'computer_call',
        id: 'cu_1',
        call_id: 'c',
        action: { type: 'click' },
        pending_safety_checks: [],
        status: 'completed',
      },
      {
        type: 'computer_call_output',
        call_id: 'c',
        output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,AA' },
      },
      { type: 'click' },
      {
        status: 'completed',
        result: [{ type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'AA' } }],
      },
    ],
    [
      'tool_search',
      { type: 'tool_search_call', call_id: 'c', execution: 'client', arguments: { query: 'q' } },
      {
        type: 'tool_search_output',
        call_id: 'c',
        execution: 'client',
        tools: [{ type: 'function', name: 'a' }, { name: 'b' }],
      },
      { query: 'q' },
      { status: 'completed', result: 'a\nb' },
    ],
  ])('%s are entries with both raw items', (name, item, out, args, state) => {
    const { calls, codes } = read([item, out])
    expect(calls).toEqual([
      { type: 'tool-call', id: 'c', name, args, ...slot({ item }), state: { ...state, ...slot({ item: out }) } },
    ])
    expect(codes).toEqual([])
  })

  it('without an output are pending at the end', () => {
    expect(outcomes(read([{ type: 'shell_call', call_id: 'c', action: {} }]).session)).toEqual(['c=pending'])
  })
})

describe('calls that the API ran itself', () => {
  const entry = (item: object) => read([item]).calls[0]
  const hosted = (id: string, name: string, args: unknown, state: object, item: object, more = {}) => ({
    type: 'tool-call',
    id,
    name,
    args,
    executor: 'provider',
    ...slot({ item }),
    state,
    ...more,
  })

  it('are entries with their raw item and a readable result', () => {
    const search = {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'q', sources: [{ type: 'url', url: 'https://s' }] },
    }
    expect(entry(search)).toEqual(
      hosted('ws_1', 'web_search', search.action, { status: 'completed', result: 'https://s' }, search),
    )
    const files = {
      type: 'file_search_call',
      id: 'fs',
      queries: ['q'],
      status: 'completed',
      results: [{ filename: 'f', text: 't' }],
    }
    expect(entry(files)).toEqual(
      hosted('fs', 'file_search', { queries: ['q'] }, { status: 'completed', result: 'f\nt' }, files),
    )
    const code = {
      type: 'code_interpreter_call',
      id: 'ci',
      code: '1+1',
      outputs: [{ type: 'logs', logs: '2' }],
      status: 'completed',
    }
    expect(entry(code)).toEqual(
      hosted('ci', 'code_interpreter', { code: '1+1' }, { status: 'completed', result: '2' }, code),
    )
    const mcp = {
      type: 'mcp_call',
      id: 'm',
      name: 'echo',
      server_label: 's',
      arguments: '{"a":1}',
      output: 'x',
      error: null,
    }
    expect(entry(mcp)).toEqual(
      hosted('m', 'echo', { a: 1 }, { status: 'completed', result: 'x' }, mcp, { argsText: '{"a":1}' }),
    )
    const image = {
      type: 'image_generation_call',
      id: 'ig',
      status: 'completed',
      result: 'AA',
      revised_prompt: 'a cat',
    }
    expect(entry(image)?.state).toEqual({
      status: 'completed',
      result: [{ type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'AA' } }],
    })
  })

  it('fail, stop and wait as their status says', () => {
    const of = (more: object) => entry({ type: 'web_search_call', id: 'w', action: {}, ...more })?.state
    expect(of({ status: 'failed' })).toMatchObject({ status: 'failed' })
    expect(of({ status: 'incomplete' })).toEqual({ status: 'interrupted' })
    expect(of({ status: 'in_progress' })).toEqual({ status: 'pending' })
    expect(of({})).toEqual({ status: 'completed', result: '' })
    expect(entry({ type: 'mcp_call', id: 'm', error: { type: 'x', message: 'bad' } })?.state).toEqual({
      status: 'failed',
      error: 'bad',
    })
    const { session } = read([{ type: 'web_search_call', id: 'w', status: 'searching' }, user('go on')])
    expect(outcomes(session)).toEqual(['w=interrupted'])
  })

  it('keep hosted searches with their outputs, in order', () => {
    const one = { type: 'tool_search_call', id: 't1', call_id: null, execution: 'server', arguments: { q: 1 } }
    const two = { ...one, id: 't2' }
    const out = (name: string) => ({ type: 'tool_search_output', call_id: null, tools: [{ name }] })
    const { calls, codes } = read([one, out('a'), two, out('b'), out('c')])
    expect(calls.map(({ id, state, extra }) => [id, state, extra])).toEqual([
      ['t1', { status: 'completed', result: 'a' }, slot({ item: one, output: out('a') }).extra],
      ['t2', { status: 'completed', result: 'b' }, slot({ item: two, output: out('b') }).extra],
    ])
    expect(codes).toEqual(['orphan-result'])
  })
})

describe('approvals of hosted MCP', () => {
  const request = { type: 'mcp_approval_request', id: 'mcpr_1', name: 'rm', server_label: 's', arguments: '{}' }
  const response = (approve: boolean, more = {}) => ({
    type: 'mcp_approval_response',
    approval_request_id: 'mcpr_1',
    approve,
    ...more,
  })
  const ran = {
    type: 'mcp_call',
    id: 'mcp_1',
    name: 'rm',
    server_label: 's',
    arguments: '{}',
    output: 'gone',
    approval_request_id: 'mcpr_1',
  }
  const first = (...items: unknown[]) => {
    const call = read(items).calls[0]
    return [call?.state, call?.extra]
  }

  it('wait, wherever they stand', () => {
    expect(first(request, user('hm'))).toEqual([
      { status: 'pending', reason: 'approval' },
      slot({ item: request }).extra,
    ])
  })

  it('are approved, then done', () => {
    const kept = slot({ item: request, response: response(true) }).extra
    expect(first(request, response(true))).toEqual([{ status: 'pending', reason: 'approval', approved: true }, kept])
    expect(first(request, response(true), ran)).toEqual([{ status: 'completed', result: 'Approved.' }, kept])
  })

  it('are denied with a reason', () => {
    const denial = response(false, { reason: 'too risky' })
    expect(first(request, denial)).toEqual([
      { status: 'failed', error: 'too risky', denied: true },
      slot({ item: request, response: denial }).extra,
    ])
  })

  it('have surplus responses reported', () => {
    const { codes } = read([response(true), request, response(true), response(false)])
    expect(codes).toEqual(['orphan-result', 'duplicate-result'])
  })

  it('part the turn', () => {
    expect(outline(read([request, response(true), ran]).messages)).toEqual([
      'assistant: tool-call',
      'assistant: tool-call',
    ])
  })
})

describe('items that only this API knows', () => {
  it('stay as they are', () => {
    const items = [
      { type: 'compaction', encrypted_content: 'blob' },
      { type: 'additional_tools', role: 'developer', tools: [] },
      { type: 'mcp_list_tools', id: 'l', server_label: 's', tools: [] },
      { id: 'msg_9' },
      { type: 'program', id: 'p', call_id: 'c', code: 'x', fingerprint: 'f' },
      { type: 'unheard_of', a: 1 },
    ]
    const { messages, codes } = read(items)
    expect(messages).toEqual([
      { role: 'assistant', parts: items.map((value) => ({ type: 'native', api: 'openai-responses', value })) },
    ])
    expect(codes).toEqual([])
  })
})

describe('damage', () => {
  it('finds results wherever they stand', () => {
    const { session, codes } = read([
      call('1'),
      call('2'),
      user('hm'),
      output('1', 'one'),
      message('assistant', 'what?'),
      output('2', null),
    ])
    expect(outcomes(session)).toEqual(['1=one', '2='])
    expect(codes).toEqual(['result-moved', 'result-moved'])
  })

  it('leaves orphans and duplicates out and says so', () => {
    const { session, changes } = read([output('0', 'orphan'), call('1'), output('1', 'first'), output('1', 'second')])
    expect(outcomes(session)).toEqual(['1=first'])
    expect(changes.map(({ code, before }) => [code, before])).toEqual([
      ['orphan-result', 'orphan'],
      ['duplicate-result', 'second'],
    ])
  })

  it('pairs outputs of the other type, empty and missing ids', () => {
    const { session } = read([
      call('1'),
      { type: 'custom_tool_call_output', call_id: '1', output: 'one' },
      call(''),
      { type: 'function_call', name: 'x', arguments: '{}' },
      output('', 'two'),
      { type: 'function_call_output', call_id: null, output: 'three' },
    ])
    expect(outcomes(session)).toEqual(['1=one', '=two', '=three'])
  })

  it.each([
    ['{"x":', '{"x":', '{"x":'],
    ['', '', ''],
    [{ x: 1 }, { x: 1 }, undefined],
    [undefined, {}, undefined],
    [null, {}, undefined],
  ])('reads arguments %j as %j', (stored, args, argsText) => {
    const { calls } = read([{ type: 'function_call', call_id: '1', name: 'f', arguments: stored }])
    expect(calls[0]?.args).toEqual(args)
    expect(calls[0]?.argsText).toBe(argsText)
  })

  it.each([[42], [{ a: 1 }]])('keeps the output %j as a value', (value) => {
    expect(read([call('1'), output('1', value)]).calls[0]?.state).toEqual({
      status: 'completed',
      result: [{ type: 'json', value }],
    })
  })

  it('takes content of any kind', () => {
    const { messages, codes } = read([
      user(null),
      user(5),
      message('assistant', null),
      message('assistant', [], { id: 'msg_1' }),
      message('assistant', ['a', { type: 'text', text: 'b' }, 5]),
      user([{ type: 'input_text' }, { type: 'input_text', text: 'c' }]),
    ])
    expect(messages.map((found) => found.parts)).toEqual([
      [],
      [],
      [text(''), text('', slot({ item: { id: 'msg_1' } })), text('a'), text('b', slot({ joined: true }))],
      [text('c')],
    ])
    expect(codes).toEqual(['part-invalid', 'part-invalid', 'part-invalid'])
  })

  it('skips what is no item and no role, and keeps the neighbours', () => {
    const { messages, codes } = read([null, 'x', [], { role: 'tool', content: 'x' }, { content: 'x' }, {}, user('ok')])
    expect(messages).toEqual([{ role: 'user', parts: [text('ok')] }])
    expect(codes).toEqual([
      'record-invalid',
      'record-invalid',
      'record-invalid',
      'record-unknown',
      'record-unknown',
      'record-unknown',
    ])
  })

  it('names further fields of messages', () => {
    expect(read([user('a'), { ...user('b'), name: 'ada', phase: null }]).changes).toMatchObject([
      { code: 'extra-left-out', before: '{"name":"ada"}', at: { message: 1 } },
    ])
  })

  it('skips tools that are none, and media in instructions', () => {
    const { session, messages, codes } = read({
      tools: [5, { type: 'function', name: 'a' }],
      input: [
        message('system', [
          { type: 'input_text', text: 's' },
          { type: 'input_image', image_url: 'u' },
        ]),
      ],
    })
    expect(session.tools).toEqual([{ name: 'a' }])
    expect(messages[0]?.parts).toEqual([text('s')])
    expect(codes).toEqual(['record-invalid', 'part-invalid'])
  })

  it('keeps values that are too deep as text', () => {
    for (const depth of [300, 20_000]) {
      const { calls, codes } = read([call('1', 'f', nested(depth)), output('1', 'x', { more: nested(depth) })])
      expect(calls[0]).toMatchObject({ id: '1', state: { status: 'completed', result: 'x' } })
      expect(typeof calls[0]?.args).toBe('string')
      expect(codes).toEqual(['value-too-deep', 'value-too-deep'])
    }
  })

  it.each(PROTOTYPE_NAMES)('is not fooled by %s', (name) => {
    const { codes, messages } = read([
      { role: name, content: 'x' },
      { type: name, id: name },
      call(name, name, `{"${name}":1}`),
      output(name, [{ type: name }]),
    ])
    expect(codes).toEqual(['record-unknown'])
    expect(outline(messages)).toEqual(['assistant: native tool-call'])
    const entry = messages[0]?.parts[1]
    expect(entry).toMatchObject({ id: name, name, state: { status: 'completed' } })
    expect(Object.keys((entry as { args: object }).args)).toEqual([name])
  })
})

describe('detect', () => {
  const plain = { role: 'user', content: 'hi' }

  it.each([
    ['calls', [plain, call('1')]],
    ['outputs', [output('1')]],
    ['reasoning', [{ type: 'reasoning', id: 'r', summary: [] }]],
    ['input parts', [{ role: 'user', content: [{ type: 'input_text', text: 'a' }] }]],
    ['a body', { model: 'm', input: 'hi', instructions: 's' }],
    ['a body of plain messages', { model: 'm', input: [plain], store: false }],
    ['a response', { object: 'response', output: [message('assistant', [said('a')])] }],
  ])('is sure of %s', (_name, value) => expect(detect(value)).toBeGreaterThan(0.8))

  it('finds what comes late', () => {
    expect(detect([...Array.from({ length: 40 }, () => plain), call('1')])).toBeGreaterThan(0.8)
  })

  it('is less sure of a model and an input, which other endpoints have too', () => {
    const score = detect({ model: 'm', input: 'hi' })
    expect(score).toBeGreaterThan(0)
    expect(score).toBeLessThan(0.8)
  })

  it.each([
    ['plain messages', [plain]],
    ['chat bodies', { messages: [plain] }],
    [
      'chat calls',
      [
        { role: 'assistant', content: null, tool_calls: [] },
        { role: 'tool', tool_call_id: 'a', content: '' },
      ],
    ],
    ['Anthropic responses', { type: 'message', role: 'assistant', content: [], stop_reason: 'end_turn' }],
    ['records of a log', [{ type: 'response_item', payload: call('1') }]],
    ['nothing', []],
    ['a number', 7],
  ])('does not take %s', (_name, value) => expect(detect(value)).toBe(0))
})
