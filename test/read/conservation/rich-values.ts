import type { Line } from '../hostile.ts'
import type { Rich } from './rich-lines.ts'

function texts(): () => string {
  let count = 10
  return () => `t-${count++};`
}

function anthropic(): Line {
  const t = texts()
  const text = (): Line => ({ type: 'text', text: t() })
  const use = (id: string): Line => ({ type: 'tool_use', id, name: 'look', input: { at: t() } })
  return {
    model: 'claude-opus-4-6',
    max_tokens: 100,
    system: [text()],
    tools: [{ name: 'look', description: t(), input_schema: { type: 'object' } }],
    messages: [
      { role: 'user', content: t() },
      {
        role: 'assistant',
        content: [{ type: 'thinking', thinking: t(), signature: 'c2ln' }, text(), use('A'), use('B')],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'A',
            content: [text(), { type: 'image', source: { type: 'url', url: t() } }],
          },
          { type: 'tool_result', tool_use_id: 'B', content: t(), is_error: true },
          text(),
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: t() } },
          {
            type: 'web_search_tool_result',
            tool_use_id: 'srvtoolu_1',
            content: [{ type: 'web_search_result', url: 'u', title: t(), encrypted_content: 'e' }],
          },
          text(),
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'document', title: t(), source: { type: 'text', media_type: 'text/plain', data: t() } },
          text(),
        ],
      },
    ],
  }
}

function chat(): Line {
  const t = texts()
  const text = (): Line => ({ type: 'text', text: t() })
  const call = (id: string): Line => ({
    id,
    type: 'function',
    function: { name: 'look', arguments: JSON.stringify({ at: t() }) },
  })
  return {
    model: 'gpt-4.1',
    tools: [{ type: 'function', function: { name: 'look', description: t(), parameters: { type: 'object' } } }],
    messages: [
      { role: 'system', content: t() },
      {
        role: 'user',
        content: [
          text(),
          { type: 'image_url', image_url: { url: t() } },
          { type: 'file', file: { filename: t(), file_data: 'data:application/pdf;base64,QUJD' } },
        ],
      },
      { role: 'assistant', content: t(), reasoning_content: t(), tool_calls: [call('A'), call('B')] },
      { role: 'tool', tool_call_id: 'B', content: [text()] },
      { role: 'tool', tool_call_id: 'A', content: t() },
      { role: 'assistant', content: null, refusal: t() },
      { role: 'user', name: 'n', content: t() },
      { role: 'assistant', content: null, function_call: { name: 'old', arguments: t() } },
      { role: 'function', name: 'old', content: t() },
      { role: 'developer', content: t() },
      { role: 'user', content: t() },
    ],
  }
}

function responses(): Line {
  const t = texts()
  const message = (role: string, type: string): Line => ({ type: 'message', role, content: [{ type, text: t() }] })
  return {
    model: 'gpt-5',
    instructions: t(),
    input: [
      message('developer', 'input_text'),
      {
        role: 'user',
        content: [
          { type: 'input_text', text: t() },
          { type: 'input_file', filename: t(), file_data: 'data:application/pdf;base64,QUJD' },
        ],
      },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: t() }], encrypted_content: 'e' },
      { ...message('assistant', 'output_text'), id: 'msg_1', status: 'completed' },
      { type: 'function_call', call_id: 'A', name: 'look', arguments: JSON.stringify({ at: t() }), id: 'fc_1' },
      { type: 'custom_tool_call', call_id: 'B', name: 'patch', input: t() },
      { type: 'function_call_output', call_id: 'A', output: [{ type: 'input_text', text: t() }] },
      { type: 'custom_tool_call_output', call_id: 'B', output: t() },
      { type: 'shell_call', call_id: 'C', action: { commands: [t()] } },
      {
        type: 'shell_call_output',
        call_id: 'C',
        output: [{ stdout: t(), stderr: t(), outcome: { type: 'exit', exit_code: 0 } }],
      },
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: t() } },
      { type: 'mcp_call', id: 'mcp_1', server_label: 's', name: 'x', arguments: t(), output: t() },
      { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 's', name: 'x', arguments: t() },
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: false, reason: t() },
      { type: 'item_reference', id: 'msg_9' },
      message('assistant', 'output_text'),
      message('user', 'input_text'),
    ],
  }
}

function entries(): Line {
  const t = texts()
  const call = (id: string, state: Line): Line => ({ id, name: 'look', args: { at: t() }, state })
  return {
    system: t(),
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: t() },
          { type: 'media', kind: 'file', mediaType: 'text/plain', name: t(), source: { text: t() } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: t() },
          { type: 'text', text: t() },
        ],
        toolCalls: [
          call('A', { status: 'completed', result: t() }),
          call('B', { status: 'failed', error: t() }),
          call('C', { status: 'interrupted', partial: t(), reason: t() }),
        ],
      },
      { role: 'assistant', content: t(), toolCalls: [{ id: 'D', name: 'look', args: t() }] },
      { role: 'tool', toolCallId: 'D', content: [{ type: 'text', text: t() }] },
      { role: 'instruction', authority: 'developer', content: t() },
      { role: 'user', content: t() },
    ],
  }
}

function canonical(): Line {
  const t = texts()
  return {
    version: 1,
    title: t(),
    instructions: [{ type: 'text', text: t() }],
    messages: [
      { role: 'user', parts: [{ type: 'text', text: t() }] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: t() },
          {
            type: 'tool-call',
            id: 'A',
            name: 'look',
            args: { at: t() },
            state: {
              status: 'completed',
              result: [
                { type: 'text', text: t() },
                { type: 'json', value: { a: t() } },
              ],
            },
          },
          {
            type: 'tool-call',
            id: 'B',
            name: 'look',
            args: t(),
            state: { status: 'failed', error: t(), denied: true },
          },
          { type: 'text', text: t() },
        ],
      },
      { role: 'instruction', authority: 'system', parts: [{ type: 'text', text: t() }] },
    ],
  }
}

function dirge(): Line {
  const t = texts()
  const message = (id: string, role: string, more: Line = {}): Line => ({ id, role, content: t(), ...more })
  const call = (id: string, state: Line): Line => ({ id, name: 'look', args: { at: t() }, state })
  const [a, b, c, d, e] = [
    message('a', 'user'),
    message('b', 'assistant', {
      tool_calls: [call('A', { kind: 'completed', result: t() }), call('B', { kind: 'failed', error: t() })],
    }),
    message('c', 'user'),
    message('d', 'assistant'),
    message('e', 'user'),
  ]
  const entry = (parent: string | null): Line => ({ parent })
  return {
    schema_version: 2,
    id: 'd',
    name: t(),
    working_dir: '/w',
    provider: 'p',
    model: 'm',
    context_window: 1,
    total_estimated_tokens: 1,
    total_cost: 0,
    compactions: [{ summary: t(), first_kept_index: 1 }],
    messages: [a, b, c, d],
    message_store: { a, b, c, d, e },
    tree: { entries: { a: entry(null), b: entry('a'), c: entry('b'), d: entry('c'), e: entry('b') } },
  }
}

function opencode(): Line {
  const t = texts()
  let id = 0
  const message = (role: string, parts: readonly Line[], more: Line = {}): Line => {
    const name = `msg_${id++}`
    return {
      info: { id: name, sessionID: 'ses_a', role, time: { created: id, completed: id }, ...more },
      parts: parts.map((part, place) => ({ id: `prt_${id}_${place}`, sessionID: 'ses_a', messageID: name, ...part })),
    }
  }
  const text = (): Line => ({ type: 'text', text: t() })
  const tool = (call: string, state: Line): Line => ({
    type: 'tool',
    tool: 'look',
    callID: call,
    state: { input: { at: t() }, time: { start: 1, end: 2 }, ...state },
  })
  return {
    info: { id: 'ses_a', title: t(), time: { created: 1, updated: 2 } },
    messages: [
      message('user', [text(), { type: 'file', mime: 'image/png', filename: t(), url: 'data:image/png;base64,QUJD' }]),
      message('assistant', [
        { type: 'step-start' },
        { type: 'reasoning', text: t(), time: { start: 1 } },
        text(),
        tool('A', { status: 'completed', output: t(), title: 'x', metadata: {} }),
        {
          type: 'step-finish',
          reason: 'tool-calls',
          cost: 0,
          tokens: { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } },
        },
        { type: 'step-start' },
        tool('B', { status: 'error', error: t() }),
        tool('C', { status: 'running', metadata: { output: t() } }),
        text(),
      ]),
      message('user', [{ type: 'compaction', auto: true }]),
      message('assistant', [text()], { parentID: 'msg_2', summary: true, finish: 'stop' }),
      message('user', [
        text(),
        { type: 'text', text: t(), synthetic: true },
        { type: 'text', text: t(), ignored: true },
      ]),
      message('assistant', [], { error: { name: 'APIError', data: { message: t() } } }),
      message('user', [text()]),
    ],
  }
}

function opencodeFlat(): Line {
  const t = texts()
  const time = { created: 1 }
  return {
    info: { id: 'ses_a', time: { created: 1, updated: 2 } },
    messages: [
      { id: 'm0', type: 'user', text: t(), time, files: [{ data: 'QUJD', mime: 'image/png', name: t() }] },
      {
        id: 'm1',
        type: 'assistant',
        model: { id: 'm', providerID: 'p' },
        time,
        content: [
          { type: 'reasoning', text: t() },
          { type: 'text', text: t() },
          {
            type: 'tool',
            id: 'A',
            name: 'look',
            state: { status: 'completed', input: { at: t() }, content: [{ type: 'text', text: t() }] },
          },
          {
            type: 'tool',
            id: 'B',
            name: 'look',
            state: { status: 'error', input: { at: t() }, error: { message: t() } },
          },
        ],
      },
      { id: 'm2', type: 'shell', command: t(), output: t(), time },
      { id: 'm3', type: 'system', text: t(), time },
      { id: 'm4', type: 'compaction', status: 'completed', summary: t(), recent: t(), time },
      { id: 'm5', type: 'user', text: t(), time },
    ],
  }
}

function crush(): Line {
  const t = texts()
  let created = 1
  const row = (role: string, parts: readonly Line[], more: Line = {}): Line => ({
    id: `m${created}`,
    session_id: 's',
    role,
    parts,
    created_at: created++,
    ...more,
  })
  const part = (type: string, data: Line): Line => ({ type, data })
  const text = (): Line => part('text', { text: t() })
  const call = (id: string, finished = true): Line =>
    part('tool_call', { id, name: 'look', input: JSON.stringify({ at: t() }), finished })
  const result = (id: string, more: Line = {}): Line =>
    part('tool_result', { tool_call_id: id, name: 'look', content: t(), is_error: false, ...more })
  return {
    tables: {
      sessions: [{ id: 's', parent_session_id: null, title: t(), summary_message_id: 'm4', updated_at: 1 }],
      messages: [
        row('user', [text(), part('binary', { Path: t(), MIMEType: 'image/png', Data: 'QUJD' })]),
        row(
          'assistant',
          [
            part('reasoning', { thinking: t(), signature: 's' }),
            text(),
            call('A'),
            call('B'),
            part('finish', { reason: 'tool_use' }),
          ],
          { model: 'm', provider: 'p' },
        ),
        row('tool', [result('A', { data: 'QUJD', mime_type: 'image/png' }), result('B', { is_error: true })]),
        row('assistant', [text()], { is_summary_message: 1 }),
        row('user', [text(), part('shell_command', { command: t(), output: t(), exit_code: 1 })]),
        row('assistant', [text(), call('C', false), part('finish', { reason: 'error', message: t() })]),
        row('system', [text()]),
      ],
    },
  }
}

function cline(format: 'cline' | 'roo'): Line {
  const t = texts()
  const text = (): Line => ({ type: 'text', text: t() })
  const use = (id: string): Line => ({ type: 'tool_use', id, name: 'look', input: { at: t() } })
  const info = format === 'cline' ? { modelInfo: { modelId: 'm', providerId: 'anthropic' } } : { ts: 1 }
  const summary = { isSummary: true, condenseId: 'c' }
  return [
    { role: 'user', content: [text()], ts: 1, ...(format === 'roo' ? { condenseParent: 'c' } : {}) },
    {
      role: 'assistant',
      content: [{ type: 'thinking', thinking: t(), signature: 's' }, text(), use('A'), use('B')],
      ...info,
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'A',
          content: [text(), { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } }],
        },
        { type: 'tool_result', tool_use_id: 'B', content: t(), is_error: true },
        text(),
      ],
      ts: 2,
    },
    ...(format === 'roo' ? [{ role: 'user', content: [text()], ts: 3, ...summary }] : []),
    { role: 'assistant', content: [text(), use('C')], ...info },
    {
      role: 'user',
      content: [
        { type: 'text', text: `[look for 'x'] Result:\n${t()}` },
        { type: 'text', text: `<environment_details>${t()}</environment_details>` },
      ],
      ts: 4,
    },
    { role: 'assistant', content: t(), ...info },
    { role: 'user', content: t(), ts: 5 },
  ] as unknown as Line
}

function continueDev(): Line {
  const t = texts()
  const call = (id: string): Line => ({
    id,
    type: 'function',
    function: { name: 'look', arguments: JSON.stringify({ at: t() }) },
  })
  const [one, two, three] = [call('A'), call('B'), call('C')]
  const state = (toolCall: Line, status: string): Line => ({
    toolCallId: toolCall.id,
    toolCall,
    status,
    output: [{ name: 'n', content: t() }],
  })
  return {
    sessionId: 's',
    title: t(),
    workspaceDirectory: '/w',
    history: [
      {
        message: { role: 'user', content: [{ type: 'text', text: t() }] },
        contextItems: [{ name: 'f', content: t() }],
      },
      { message: { role: 'thinking', content: t(), signature: 's' }, contextItems: [] },
      {
        message: { role: 'assistant', content: t(), toolCalls: [one, two, three] },
        contextItems: [],
        toolCallStates: [state(one!, 'done'), state(two!, 'errored'), state(three!, 'canceled')],
      },
      { message: { role: 'assistant', content: t() }, contextItems: [], conversationSummary: t() },
      { message: { role: 'user', content: t() }, contextItems: [] },
      { message: { role: 'assistant', content: t() }, contextItems: [], reasoning: { text: t() } },
    ],
  }
}

function uiMessages(): Line {
  const t = texts()
  const tool = (id: string, state: string, more: Line): Line => ({
    type: 'tool-look',
    toolCallId: id,
    state,
    input: { at: t() },
    ...more,
  })
  return [
    { id: 'm0', role: 'system', parts: [{ type: 'text', text: t() }] },
    {
      id: 'm1',
      role: 'user',
      parts: [
        { type: 'text', text: t() },
        { type: 'file', mediaType: 'image/png', filename: t(), url: 'data:image/png;base64,QUJD' },
      ],
    },
    {
      id: 'm2',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: t() },
        { type: 'text', text: t() },
        tool('A', 'output-available', { output: { a: t() } }),
        tool('B', 'output-error', { errorText: t() }),
        tool('C', 'output-denied', { approval: { id: 'x', approved: false, reason: t() } }),
        {
          type: 'dynamic-tool',
          toolName: 'other',
          toolCallId: 'D',
          state: 'output-available',
          input: { at: t() },
          output: t(),
        },
        { type: 'data-note', data: { a: t() } },
        { type: 'step-start' },
        { type: 'text', text: t() },
      ],
    },
    { id: 'm3', role: 'user', parts: [{ type: 'text', text: t() }] },
  ] as unknown as Line
}

function modelMessages(): Line {
  const t = texts()
  const call = (id: string): Line => ({ type: 'tool-call', toolCallId: id, toolName: 'look', input: { at: t() } })
  const result = (id: string, output: Line): Line => ({ type: 'tool-result', toolCallId: id, toolName: 'look', output })
  return [
    { role: 'system', content: t() },
    { role: 'user', content: [{ type: 'text', text: t() }] },
    {
      role: 'assistant',
      content: [{ type: 'reasoning', text: t() }, { type: 'text', text: t() }, call('A'), call('B'), call('C')],
    },
    {
      role: 'tool',
      content: [
        result('A', { type: 'text', value: t() }),
        result('B', { type: 'error-json', value: { a: t() } }),
        result('C', { type: 'content', value: [{ type: 'text', text: t() }] }),
      ],
    },
    { role: 'assistant', content: t() },
    { role: 'user', content: t() },
  ] as unknown as Line
}

function langchain(): Line {
  const t = texts()
  const stored = (type: string, data: Line): Line => ({ type, data })
  return [
    stored('system', { content: t() }),
    stored('human', {
      content: [
        { type: 'text', text: t() },
        { type: 'image_url', image_url: { url: t() } },
      ],
    }),
    stored('ai', {
      id: 'r1',
      content: [
        { type: 'thinking', thinking: t(), signature: 's' },
        { type: 'text', text: t() },
        { type: 'tool_use', id: 'A', name: 'look', input: {} },
      ],
      tool_calls: [
        { id: 'A', name: 'look', args: { at: t() }, type: 'tool_call' },
        { id: 'B', name: 'look', args: { at: t() }, type: 'tool_call' },
      ],
      invalid_tool_calls: [{ id: 'C', name: 'look', args: t(), error: t(), type: 'invalid_tool_call' }],
      response_metadata: { model_name: 'claude-x', model_provider: 'anthropic' },
    }),
    stored('tool', { content: t(), tool_call_id: 'A', status: 'success' }),
    stored('tool', { content: [{ type: 'text', text: t() }], tool_call_id: 'B', status: 'error' }),
    stored('ai', { content: t(), additional_kwargs: { reasoning_content: t() } }),
    stored('human', { content: t(), id: 'h2' }),
  ] as unknown as Line
}

function letta(): Line {
  const t = texts()
  const text = (): Line => ({ type: 'text', text: t() })
  const call = (id: string): Line => ({
    id,
    type: 'function',
    function: { name: 'look', arguments: JSON.stringify({ at: t() }) },
  })
  return {
    agents: [
      {
        id: 'agent-0',
        name: t(),
        agent_type: 'letta_v1_agent',
        in_context_message_ids: ['m0', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8'],
        messages: [
          { id: 'm0', role: 'system', content: [text()] },
          { id: 'm1', role: 'user', content: [text()] },
          { id: 'm2', role: 'user', content: t() },
          {
            id: 'm3',
            role: 'assistant',
            content: [{ type: 'reasoning', reasoning: t(), is_native: true, signature: 's' }, text()],
            tool_calls: [call('A'), call('B')],
          },
          {
            id: 'm4',
            role: 'tool',
            content: [],
            tool_returns: [
              { tool_call_id: 'A', status: 'success', func_response: t() },
              { tool_call_id: 'B', status: 'error', func_response: t(), stdout: [], stderr: [] },
            ],
          },
          { id: 'm5', role: 'approval', content: [], tool_calls: [call('C')] },
          { id: 'm6', role: 'approval', content: [], approve: false, denial_reason: t(), approval_request_id: 'm5' },
          { id: 'm7', role: 'assistant', content: [text()] },
          { id: 'm8', role: 'user', content: [text()] },
        ],
      },
    ],
  }
}

export const RICH_VALUES: readonly Rich[] = [
  ['anthropic', 'server tools, media, errors', anthropic()],
  ['openai-chat', 'reasoning, legacy calls, media', chat()],
  ['openai-responses', 'all kinds of items', responses()],
  ['entries', 'by hand, all states', entries()],
  ['entries', 'canonical', canonical()],
  ['dirge', 'tree, compaction', dirge()],
  ['opencode', 'steps, compaction, errors', opencode()],
  ['opencode', 'version 2', opencodeFlat()],
  ['crush', 'summary, media, errors', crush()],
  ['cline', 'thinking, errors, text results', cline('cline')],
  ['roo', 'condensed', cline('roo')],
  ['continue', 'thinking, states, summary', continueDev()],
  ['ai-sdk', 'messages of a screen', uiMessages()],
  ['ai-sdk', 'messages for a model', modelMessages()],
  ['langchain', 'blocks, invalid calls', langchain()],
  ['letta', 'approvals, evicted messages', letta()],
]
