import type { FormatId } from '../../../src/model/session.ts'
import type { Line } from '../hostile.ts'

export type Rich = readonly [FormatId, string, readonly Line[] | Line]

const time = '2026-01-01T00:00:00Z'

/** Tokens of one session, in the order in which they are asked for. */
function texts(): () => string {
  let count = 10
  return () => `t-${count++};`
}

const id = (index: number): string => String.fromCharCode(103 + index).repeat(8)

function claudeCode(): readonly Line[] {
  const t = texts()
  const link = (index: number, up: number | null, more: Line): Line => ({
    uuid: id(index),
    parentUuid: up === null ? null : id(up),
    sessionId: 's',
    timestamp: time,
    ...more,
  })
  const user = (index: number, up: number | null, content: unknown, more: Line = {}): Line =>
    link(index, up, { type: 'user', message: { role: 'user', content }, ...more })
  const said = (index: number, up: number, key: string, block: Line): Line =>
    link(index, up, { type: 'assistant', message: { id: key, role: 'assistant', content: [block] } })
  const use = (call: string): Line => ({ type: 'tool_use', id: call, name: 'look', input: { at: t() } })
  const result = (call: string): Line => ({ type: 'tool_result', tool_use_id: call, content: [text(t())] })
  const text = (value: string): Line => ({ type: 'text', text: value })
  return [
    user(0, null, t()),
    said(1, 0, 'M1', { type: 'thinking', thinking: t(), signature: 'c2ln' }),
    said(2, 1, 'M1', use('A')),
    said(3, 2, 'M1', use('B')),
    user(4, 2, [result('A')]),
    user(5, 3, [result('B')]),
    said(6, 5, 'M2', text(t())),
    // A side branch with a call and its result.
    user(7, 6, t()),
    said(8, 7, 'M3', use('C')),
    user(9, 8, [result('C')]),
    user(10, 6, [text(t()), { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } }]),
    said(11, 10, 'M4', text(t())),
    link(12, null, { type: 'system', subtype: 'compact_boundary', logicalParentUuid: id(11), compactMetadata: {} }),
    user(13, 12, t(), { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
    link(14, 13, { type: 'attachment', attachment: { type: 'queued_command', prompt: t(), commandMode: 'prompt' } }),
    said(15, 14, 'M5', { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: t() } }),
    said(16, 15, 'M5', {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [{ type: 'web_search_result', url: 'u', title: t(), encrypted_content: 'e' }],
    }),
    said(17, 16, 'M5', text(t())),
    user(18, 17, t()),
  ]
}

function codex(): readonly Line[] {
  const t = texts()
  const line = (type: string, payload: Line): Line => ({ timestamp: time, type, payload })
  const item = (payload: Line): Line => line('response_item', payload)
  const message = (role: string): Line => ({
    type: 'message',
    role,
    content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text: t() }],
  })
  return [
    line('session_meta', { id: 's', cwd: '/w', base_instructions: { text: t() } }),
    line('turn_context', { model: 'm' }),
    item(message('developer')),
    item(message('user')),
    item({ type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: t() }], encrypted_content: 'e' }),
    item({ type: 'function_call', call_id: 'A', name: 'look', arguments: JSON.stringify({ at: t() }) }),
    item({ type: 'custom_tool_call', call_id: 'B', name: 'patch', input: t(), status: 'completed' }),
    item({ type: 'local_shell_call', call_id: 'C', status: 'completed', action: { type: 'exec', command: [t()] } }),
    item({ type: 'custom_tool_call_output', call_id: 'B', output: t() }),
    item({ type: 'function_call_output', call_id: 'A', output: [{ type: 'input_text', text: t() }] }),
    item({ type: 'function_call_output', call_id: 'C', output: t() }),
    item({ type: 'web_search_call', status: 'completed', action: { type: 'search', query: t() } }),
    item(message('assistant')),
    item(message('user')),
    item(message('assistant')),
    line('event_msg', { type: 'thread_rolled_back', num_turns: 1 }),
    item(message('user')),
    line('compacted', { message: t() }),
    item(message('user')),
    item(message('assistant')),
    line('inter_agent_communication', { author: 'a', recipient: 'b', content: [{ type: 'input_text', text: t() }] }),
  ]
}

function geminiCli(): readonly Line[] {
  const t = texts()
  const response = (call: string): Line => ({
    functionResponse: { id: call, name: 'look', response: { output: t() } },
  })
  return [
    { sessionId: 's', projectHash: 'h', startTime: time, kind: 'main' },
    {
      id: 'm1',
      timestamp: time,
      type: 'user',
      content: [{ text: t() }, { inlineData: { mimeType: 'image/png', data: 'QUJD' } }],
    },
    {
      id: 'm2',
      timestamp: time,
      type: 'gemini',
      content: t(),
      thoughts: [{ subject: t(), description: t(), timestamp: time }],
      model: 'g',
      toolCalls: [
        { id: 'A', name: 'look', args: { at: t() }, status: 'success', result: [response('A')] },
        { id: 'B', name: 'look', args: { at: t() }, status: 'error', result: [response('B')] },
        { id: 'C', name: 'look', args: { at: t() }, status: 'cancelled', result: null },
      ],
    },
    { id: 'm3', timestamp: time, type: 'user', content: t() },
    { id: 'm4', timestamp: time, type: 'gemini', content: [{ text: t() }], model: 'g' },
    { id: 'm5', timestamp: time, type: 'user', content: t() },
    { $rewindTo: 'm5' },
    { id: 'm6', timestamp: time, type: 'user', content: t() },
  ]
}

function qwenCode(): readonly Line[] {
  const t = texts()
  const link = (index: number, up: number | null, type: string, parts: readonly Line[], more: Line = {}): Line => ({
    uuid: id(index),
    parentUuid: up === null ? null : id(up),
    sessionId: 's',
    timestamp: time,
    type,
    message: { role: type === 'assistant' ? 'model' : 'user', parts },
    ...more,
  })
  const call = (name: string): Line => ({ functionCall: { id: name, name: 'look', args: { at: t() } } })
  const response = (name: string): Line => ({
    functionResponse: { id: name, name: 'look', response: { output: t() } },
  })
  return [
    link(0, null, 'user', [{ text: t() }]),
    link(1, 0, 'assistant', [{ text: t(), thought: true }, { text: t() }, call('A'), call('B')]),
    link(2, 1, 'tool_result', [response('A')], { toolCallResult: { callId: 'A', status: 'success' } }),
    link(3, 2, 'tool_result', [response('B')], { toolCallResult: { callId: 'B', status: 'error' } }),
    link(4, 3, 'user', [{ text: t() }]),
    link(5, 4, 'assistant', [{ text: t() }, call('C')]),
    link(6, 5, 'tool_result', [response('C')]),
    link(7, 3, 'user', [{ text: t() }]),
    link(8, 7, 'assistant', [{ text: t() }]),
    {
      ...link(9, 8, 'system', []),
      subtype: 'chat_compression',
      systemPayload: { compressedHistory: [{ role: 'user', parts: [{ text: t() }] }] },
    },
    link(10, 9, 'user', [{ text: t() }]),
    link(11, 10, 'user', [{ text: t() }], { subtype: 'mid_turn_user_message' }),
  ]
}

function pi(): readonly Line[] {
  const t = texts()
  const entry = (index: number, up: number | null, more: Line): Line => ({
    id: `e${index}`,
    parentId: up === null ? null : `e${up}`,
    timestamp: time,
    ...more,
  })
  const message = (index: number, up: number | null, role: string, content: unknown, more: Line = {}): Line =>
    entry(index, up, { type: 'message', message: { role, content, timestamp: 1, ...more } })
  const text = (): Line => ({ type: 'text', text: t() })
  const call = (name: string): Line => ({ type: 'toolCall', id: name, name: 'look', arguments: { at: t() } })
  const result = (index: number, up: number, name: string, isError = false): Line =>
    message(index, up, 'toolResult', [text()], { toolCallId: name, toolName: 'look', isError })
  return [
    { type: 'session', version: 3, id: 's', timestamp: time, cwd: '/w' },
    message(0, null, 'user', t()),
    message(1, 0, 'assistant', [{ type: 'thinking', thinking: t() }, text(), call('A'), call('B')]),
    result(2, 1, 'A'),
    result(3, 2, 'B', true),
    message(4, 3, 'assistant', [text()], { stopReason: 'error', errorMessage: t() }),
    message(5, 4, 'user', [text()]),
    message(6, 5, 'assistant', [call('C')]),
    result(7, 6, 'C'),
    entry(8, 4, { type: 'branch_summary', fromId: 'e7', summary: t() }),
    message(9, 8, 'bashExecution', undefined, { command: t(), output: t(), exitCode: 0 }),
    message(10, 9, 'user', [text(), { type: 'image', data: 'QUJD', mimeType: 'image/png' }]),
    entry(11, 10, { type: 'compaction', summary: t(), firstKeptEntryId: 'e10', tokensBefore: 1 }),
    entry(12, 11, { type: 'custom_message', customType: 'x', content: t(), display: true }),
    message(13, 12, 'assistant', [text()]),
    message(14, 13, 'user', t()),
  ]
}

function oino(): readonly Line[] {
  const t = texts()
  const entry = (index: number, up: number | null, kind: Line): Line => ({
    record: 'entry',
    entry: { id: `e${index}`, parent: up === null ? null : `e${up}`, kind },
  })
  const message = (index: number, up: number | null, kind: string, content: unknown, more: Line = {}): Line =>
    entry(index, up, { kind: 'message', message: { kind, content, ...more } })
  const text = (): Line => ({ kind: 'text', text: t() })
  const call = (name: string): Line => ({ kind: 'tool_call', id: name, name: 'look', arguments: { at: t() } })
  const result = (index: number, up: number, name: string): Line =>
    message(index, up, 'tool_result', [text()], { tool_call_id: name, tool_name: 'look', is_error: false })
  return [
    { record: 'header', header: { version: 1, session_id: 's', name: 'n', cwd: '/w' }, leaf_id: 'e11' },
    message(0, null, 'user', [text(), { kind: 'image', media_type: 'image/png', data: 'QUJD' }]),
    message(1, 0, 'assistant', [{ kind: 'thinking', text: t(), redacted: false }, text(), call('A')]),
    result(2, 1, 'A'),
    message(3, 2, 'user', [text()]),
    message(4, 3, 'assistant', [call('B')]),
    result(5, 4, 'B'),
    entry(6, 2, { kind: 'branch_summary', summary: t() }),
    entry(7, 6, {
      kind: 'message',
      message: { kind: 'custom', name: 'x', payload: { text: t() }, model_visible: true },
    }),
    message(8, 7, 'assistant', [text()]),
    entry(9, 8, { kind: 'compaction', summary: t(), replaces: [] }),
    message(10, 9, 'user', [text()]),
    message(11, 10, 'assistant', [text()]),
  ]
}

function zut(): readonly Line[] {
  const t = texts()
  const row = (role: string, content: readonly Line[]): Line => ({ type: 'message', message: { role, content, time } })
  const text = (): Line => ({ text: t() })
  const call = (name: string): Line => ({ id: name, name: 'look', arguments: { at: t() } })
  const result = (name: string, more: Line = {}): Line => ({ call_id: name, content: [text()], ...more })
  return [
    { type: 'meta', meta: { id: 's', cwd: '/w', model: 'm', provider: 'p', started: time } },
    row('developer', [text()]),
    row('user', [text(), { mime_type: 'image/png', data: 'QUJD' }]),
    row('assistant', [{ reasoning_id: 'rs_1', summary: t(), encrypted_content: 'e' }, text(), call('A'), call('B')]),
    row('tool', [result('A'), result('B', { is_error: true })]),
    row('assistant', [text()]),
    { type: 'compaction', messages: [{ role: 'user', content: [{ text: `## Context Summary (compacted)\n${t()}` }] }] },
    row('user', [text()]),
    row('assistant', [call('C')]),
    row('tool', [result('C')]),
  ]
}

function goose(): readonly Line[] {
  const t = texts()
  let created = 1_750_000_000
  const message = (role: string, content: readonly Line[], more: Line = {}): Line => ({
    id: `m${created}`,
    role,
    created: created++,
    content,
    ...more,
  })
  const text = (): Line => ({ type: 'text', text: t() })
  const request = (name: string): Line => ({
    type: 'toolRequest',
    id: name,
    toolCall: { status: 'success', value: { name: 'look', arguments: { at: t() } } },
  })
  const hidden = { metadata: { agentVisible: false, userVisible: true } }
  return [
    { working_dir: '/w', description: 'T', message_count: 9 },
    message('user', [text()], hidden),
    message('assistant', [text()], hidden),
    message('user', [text()], { metadata: { agentVisible: true, userVisible: false } }),
    message('user', [text(), { type: 'image', data: 'QUJD', mimeType: 'image/png' }]),
    message('assistant', [{ type: 'thinking', thinking: t(), signature: 's' }, text(), request('A'), request('B')]),
    message('user', [
      {
        type: 'toolResponse',
        id: 'A',
        toolResult: { status: 'success', value: { content: [text()], isError: false } },
      },
      { type: 'toolResponse', id: 'B', toolResult: { status: 'error', error: t() } },
    ]),
    message('assistant', [text()]),
    message('user', [text()]),
  ]
}

export const RICH_LINES: readonly Rich[] = [
  ['claude-code', 'branches, compaction, server tools', claudeCode()],
  ['codex', 'rollback, compaction, all kinds of calls', codex()],
  ['gemini-cli', 'operations', geminiCli()],
  ['qwen-code', 'branches, compression', qwenCode()],
  ['pi', 'branches, compaction, commands', pi()],
  ['oino', 'branches, compaction', oino()],
  ['zut', 'compaction', zut()],
  ['goose', 'compaction', goose()],
]
