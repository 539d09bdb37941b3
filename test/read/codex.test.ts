import { describe, expect, it } from 'vitest'
import { toOpenAIResponses } from '../../src/index.ts'
import { ReadError } from '../../src/model/error.ts'
import { reader } from '../../src/read/codex/index.ts'
import type { ReadOptions } from '../../src/read/reader.ts'
import { readSource } from '../../src/read/source.ts'
import { callsOf, firstAssistant, short } from './claude-code-lines.ts'
import { batter, batterValues, damagedLines, jsonl, type Line, PROTOTYPE_NAMES, survives } from './hostile.ts'

const AT = '2026-03-01T10:00:00.000Z'

const record = (type: string, payload: Line): Line => ({ timestamp: AT, type, payload })
const item = (payload: Line): Line => record('response_item', payload)
const event = (type: string, fields: Line = {}): Line => record('event_msg', { type, ...fields })
const message = (role: string, ...texts: readonly string[]): Line => ({
  type: 'message',
  role,
  content: texts.map((text) => ({ type: role === 'assistant' ? 'output_text' : 'input_text', text })),
})
const user = (...texts: readonly string[]): Line => item(message('user', ...texts))
const said = (text: string): Line => item(message('assistant', text))
const call = (id: string, fields: Line = {}): Line =>
  item({ type: 'function_call', name: 'exec', arguments: `{"cmd":"${id}"}`, call_id: id, ...fields })
const output = (id: string, text: unknown = `out ${id}`): Line =>
  item({ type: 'function_call_output', call_id: id, output: text })
const turn = (model: string): Line => record('turn_context', { cwd: '/w', model, approval_policy: 'never' })
const META: Line = record('session_meta', {
  id: 'S',
  timestamp: '2026-03-01T09:59:59.000Z',
  cwd: '/w',
  originator: 'codex_cli_rs',
  cli_version: '0.140.0',
  source: 'cli',
  model_provider: 'openai',
  base_instructions: { text: 'You are Codex.' },
})
const SUMMARY =
  'Another language model started to solve this problem and produced a summary of its thinking process. It did X.'

function read(lines: readonly Line[] | string | object, options: ReadOptions = {}) {
  const source = readSource(Array.isArray(lines) ? jsonl(lines as readonly Line[]) : lines)
  return reader.read(source, options)
}

const told = (lines: readonly Line[], options: ReadOptions = {}): string[] =>
  short(read(lines, options).session.messages)
const codes = (lines: readonly Line[], options: ReadOptions = {}): string[] =>
  read(lines, options).changes.map((change) => change.code)

describe('the records of a rollout', () => {
  it('are told in order: who spoke, by which model, and what a call came to', () => {
    const lines = [
      META,
      item(message('developer', 'be brief')),
      user('<environment_context>\n<cwd>/w</cwd>\n</environment_context>'),
      user('fix it'),
      turn('gpt-5.4'),
      event('user_message', { message: 'fix it' }),
      item({
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'hm' }],
        content: null,
        encrypted_content: 'x',
      }),
      event('agent_message', { message: 'I look.' }),
      said('I look.'),
      call('a'),
      call('b'),
      output('b'),
      output('a'),
      event('token_count', {
        info: {
          last_token_usage: {
            input_tokens: 9,
            cached_input_tokens: 4,
            output_tokens: 2,
            reasoning_output_tokens: 1,
            total_tokens: 11,
          },
        },
      }),
      turn('gpt-5.5'),
      said('Done.'),
      event('task_complete'),
    ]
    const { session, changes, branches } = read(lines)
    expect(changes).toEqual([])
    expect(branches).toEqual([])
    expect(short(session.messages)).toEqual([
      'instruction: be brief',
      'injected: <environment_context>\n<cwd>/w</cwd>\n</environment_context>',
      'user: fix it',
      'assistant: [hm], I look., a=completed:out a, b=completed:out b',
      'assistant: Done.',
    ])
    expect(session).toMatchObject({
      version: 1,
      id: 'S',
      cwd: '/w',
      createdAt: '2026-03-01T09:59:59.000Z',
      source: { format: 'codex', version: '0.140.0' },
      instructions: [{ type: 'text', text: 'You are Codex.' }],
      extra: { codex: { originator: 'codex_cli_rs', source: 'cli', model_provider: 'openai' } },
    })
    expect(session.messages[3]).toMatchObject({
      by: { provider: 'openai', api: 'openai-responses', model: 'gpt-5.4' },
      usage: { inputTokens: 9, cacheReadTokens: 4, outputTokens: 2, reasoningTokens: 1 },
      at: AT,
    })
    expect(session.messages[4]).toMatchObject({ by: { model: 'gpt-5.5' } })
    expect(callsOf(session.messages).map((entry) => entry.resultOrder)).toEqual([1, 0])
  })

  it('are read alike when they were printed over many lines, and when they bear ordinals', () => {
    const lines = [META, user('hi'), call('a'), output('a'), said('ho')]
    const printed = lines.map((line) => `${JSON.stringify(line, null, 2)}\n`).join('')
    expect(read(printed).session.messages).toEqual(read(lines).session.messages)
    const numbered = lines.map((line, ordinal) => ({ ...line, ordinal }))
    expect(read(numbered).session.messages).toEqual(read(lines).session.messages)
    expect(reader.detect(readSource(printed))).toBeGreaterThan(0.9)
  })

  it('were bare until September 2025', () => {
    const state = { record_type: 'state' }
    const bare = [
      { id: 'B', timestamp: '2025-08-01T00:00:00.000Z', instructions: 'mine', git: {} },
      state,
      message('user', '<user_instructions>mine</user_instructions>'),
      message(
        'user',
        '<environment_context>\nCurrent working directory: /old\nApproval policy: never\n</environment_context>',
      ),
      state,
      message('user', 'hi'),
      { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'a' },
      { type: 'function_call_output', call_id: 'a', output: '{"output":"x","metadata":{"exit_code":0}}' },
      state,
    ]
    const { session, changes } = read(bare)
    expect(changes).toEqual([])
    expect(session).toMatchObject({ id: 'B', cwd: '/old', createdAt: '2025-08-01T00:00:00.000Z' })
    expect(session.instructions).toBeUndefined()
    expect(short(session.messages).slice(2)).toEqual([
      'user: hi',
      'assistant: a=completed:{"output":"x","metadata":{"exit_code":0}}',
    ])
    expect(reader.detect(readSource(jsonl(bare)))).toBeGreaterThan(0.9)
  })

  it('were one object in the TypeScript CLI', () => {
    const value = {
      session: { id: 'A', timestamp: '2025-05-01T00:00:00.000Z', instructions: 'be kind' },
      items: [
        { role: 'user', content: 'hi', timestamp: 1736900000 },
        { type: 'function_call', id: 'fc_1', name: 'shell', arguments: '{}', call_id: 'a' },
        {
          type: 'function_call_output',
          call_id: 'a',
          output: '{"output":"aborted","metadata":{"exit_code":1,"duration_seconds":0}}',
        },
      ],
    }
    for (const source of [value, JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      const { session } = read(source)
      expect(session).toMatchObject({ id: 'A', instructions: [{ type: 'text', text: 'be kind' }] })
      expect(short(session.messages)).toEqual(['user: hi', 'assistant: a=interrupted'])
      expect(session.messages[0]?.at).toBe('2025-01-15T00:13:20.000Z')
      expect(reader.detect(readSource(source))).toBeGreaterThan(0.9)
    }
  })

  it('may tell of the session many times: the first one counts', () => {
    const other = record('session_meta', { id: 'parent', cwd: '/other', base_instructions: { text: 'Other.' } })
    expect(read([META, user('hi'), other]).session).toMatchObject({
      id: 'S',
      cwd: '/w',
      instructions: [{ text: 'You are Codex.' }],
    })
  })

  it('of a fork, a sub-agent or a paginated thread name where they come from', () => {
    const meta = (fields: Line): Line => record('session_meta', { id: 'S', ...fields })
    expect(read([meta({ forked_from_id: 'P' })]).session.parent).toEqual({ id: 'P' })
    expect(read([meta({ parent_thread_id: 'P', agent_nickname: 'Ada' })]).session).toMatchObject({
      parent: { id: 'P' },
      agent: 'Ada',
    })
    const spawned = { subagent: { thread_spawn: { parent_thread_id: 'P', depth: 1, agent_nickname: 'Bo' } } }
    expect(read([meta({ source: spawned })]).session).toMatchObject({ parent: { id: 'P' }, agent: 'Bo' })
    expect(read([meta({ source: { subagent: 'review' } })]).session.agent).toBe('review')
    const paged = [
      meta({ history_mode: 'paginated', history_base: { thread_id: 'P', end_ordinal_exclusive: 4 } }),
      user('hi'),
    ]
    expect(read(paged).session.parent).toEqual({ id: 'P' })
    expect(codes(paged)).toEqual(['history-truncated'])
  })

  it('that are unknown are told of once for each kind', () => {
    const lines = [
      user('hi'),
      record('new_kind', {}),
      record('new_kind', {}),
      item({ type: 'new_item' }),
      item({ type: 'new_item' }),
      call('a', { new_field: 1 }),
      call('b', { new_field: 2 }),
      { type: 'response_item', payload: 7 },
      item({ type: 'ghost_snapshot', ghost_commit: {} }),
      record('world_state', {}),
    ]
    const { changes } = read(lines)
    expect(changes.map(({ code, at, before }) => [code, at.line, before])).toEqual([
      ['record-unknown', 2, 'new_kind'],
      ['record-invalid', 8, '{"type":"response_item","payload":7}'],
      ['record-unknown', 4, 'item new_item'],
      ['extra-left-out', 6, 'field new_field'],
      ['call-unfinished', 6, undefined],
      ['call-unfinished', 6, undefined],
    ])
    expect(() => read([{ a: 1 }])).toThrow(ReadError)
  })
})

describe('user messages that Codex wrote itself', () => {
  it.each([
    '# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>',
    '<user_instructions>x</user_instructions>',
    ' <environment_context>x</environment_context>\n',
    '<skill>x</skill>',
    '<turn_aborted>\nx\n</turn_aborted>',
    '<subagent_notification>x</subagent_notification>',
    '<user_shell_command>x</user_shell_command>',
  ])('%j is injected', (text) => {
    expect(read([user(text)]).session.messages).toMatchObject([{ role: 'user', kind: 'injected' }])
  })

  it.each(['<skill>x', 'x</skill>', '<other>x</other>', '# Title'])('%j is a prompt', (text) => {
    expect(read([user(text)]).session.messages[0]).not.toHaveProperty('kind')
  })

  it('messages of other agents are injected, too; what only the API can read is told of', () => {
    const lines = [
      record('inter_agent_communication', {
        author: '/root',
        recipient: '/root/a',
        content: 'do it',
        trigger_turn: true,
      }),
      item({
        type: 'agent_message',
        author: '/root',
        recipient: '/root/a',
        content: [{ type: 'input_text', text: 'and that' }],
      }),
      record('inter_agent_communication_metadata', { trigger_turn: true }),
      record('inter_agent_communication', {
        author: '/root',
        recipient: '/root/a',
        content: '',
        encrypted_content: 'x',
      }),
    ]
    expect(told(lines)).toEqual(['injected: do it', 'injected: and that'])
    expect(codes(lines)).toEqual(['message-left-out'])
  })

  it('system messages are never sent', () => {
    const lines = [item(message('system', 'x')), user('hi')]
    expect(told(lines)).toEqual(['user: hi'])
    expect(codes(lines)).toEqual(['message-left-out'])
  })
})

describe('calls', () => {
  it('without a stored output are interrupted, wherever they stand', () => {
    const lines = [
      user('go'),
      call('a'),
      call('b'),
      output('b'),
      user('<turn_aborted>x</turn_aborted>'),
      event('turn_aborted', { reason: 'interrupted' }),
    ]
    expect(told(lines)).toEqual([
      'user: go',
      'assistant: a=interrupted, b=completed:out b',
      'injected: <turn_aborted>x</turn_aborted>',
    ])
    expect(firstAssistant(read(lines).session.messages).stop).toBe('aborted')
    // Nothing was answered in the turn that was aborted here.
    const silent = [user('one'), said('fine'), user('two'), event('turn_aborted', { reason: 'interrupted' })]
    expect(firstAssistant(read(silent).session.messages)).not.toHaveProperty('stop')
  })

  it('have an output far away; a further one, and one without a call, are told of', () => {
    const lines = [user('go'), call('a'), user('wait'), output('a', 'first'), output('a', 'second'), output('z')]
    expect(told(lines)).toEqual(['user: go', 'assistant: a=completed:first', 'user: wait'])
    expect(codes(lines)).toEqual(['result-moved', 'duplicate-result', 'orphan-result'])
  })

  it('keep an output as the model saw it', () => {
    const json = '{"output":"x","metadata":{"exit_code":1,"duration_seconds":0.1}}'
    const image = [
      { type: 'input_text', text: 'see' },
      { type: 'input_image', image_url: 'data:image/png;base64,AA==' },
    ]
    const entries = callsOf(read([call('a'), call('b'), output('a', json), output('b', image)]).session.messages)
    expect(entries.map((entry) => entry.state)).toEqual([
      { status: 'completed', result: json },
      {
        status: 'completed',
        result: [
          { type: 'text', text: 'see' },
          { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'AA==' } },
        ],
      },
    ])
  })

  it('that Codex itself closed are interrupted, unless the real output comes', () => {
    expect(told([call('a'), output('a', 'aborted')])).toEqual(['assistant: a=interrupted'])
    const late = [call('a'), output('a', 'aborted'), output('a', 'done')]
    expect(told(late)).toEqual(['assistant: a=completed:done'])
    expect(codes(late)).toEqual(['synthetic-result-replaced'])
  })

  it('keep broken arguments as text', () => {
    const entries = callsOf(read([call('a', { arguments: '{"cmd":' }), call('b', { arguments: '' })]).session.messages)
    expect(entries.map(({ args, argsText }) => [args, argsText])).toEqual([
      ['{"cmd":', '{"cmd":'],
      ['', ''],
    ])
  })

  it('of a namespace bear both names, and their own on Responses', () => {
    const lines = [
      user('go'),
      turn('gpt-5.5'),
      call('a', { namespace: 'mcp__node_repl', name: 'js' }),
      call('b', { namespace: 'mcp__codex_apps__github', name: '_fetch_pr' }),
      call('c', { namespace: 'mcp__x__', name: 'y' }),
      item({ type: 'custom_tool_call', namespace: 'n', name: 'run', input: 'code', call_id: 'd', status: 'completed' }),
      ...['a', 'b', 'c'].map((id) => output(id)),
      item({ type: 'custom_tool_call_output', call_id: 'd', output: 'ran' }),
      user('on'),
    ]
    const { session } = read(lines)
    expect(callsOf(session.messages).map((entry) => entry.name)).toEqual([
      'mcp__node_repl__js',
      'mcp__codex_apps__github_fetch_pr',
      'mcp__x__y',
      'n__run',
    ])
    const { request, changes } = toOpenAIResponses(session, { model: 'gpt-5.5', level: 'live' })
    expect(changes).toEqual([])
    expect(request.input.flatMap((wire) => ('call_id' in wire && 'name' in wire ? [wire] : []))).toMatchObject([
      { namespace: 'mcp__node_repl', name: 'js' },
      { namespace: 'mcp__codex_apps__github', name: '_fetch_pr' },
      { namespace: 'mcp__x__', name: 'y' },
      { type: 'custom_tool_call', namespace: 'n', name: 'run', input: 'code' },
    ])
  })

  it('of every kind are read', () => {
    const lines = [
      item({ type: 'local_shell_call', call_id: 'l', status: 'completed', action: { type: 'exec', command: ['ls'] } }),
      output('l', 'files'),
      item({
        type: 'custom_tool_call',
        call_id: 'p',
        name: 'apply_patch',
        input: '*** Begin Patch',
        status: 'completed',
      }),
      item({ type: 'custom_tool_call_output', call_id: 'p', output: 'ok' }),
      item({
        type: 'tool_search_call',
        call_id: 't',
        execution: 'client',
        status: 'completed',
        arguments: { query: 'q' },
      }),
      item({
        type: 'tool_search_output',
        call_id: 't',
        execution: 'client',
        status: 'completed',
        tools: [{ type: 'namespace', name: 'n' }],
      }),
      item({ type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } }),
      item({ type: 'image_generation_call', id: 'ig_1', status: 'completed', revised_prompt: 'cat', result: 'AA==' }),
    ]
    const { session, changes } = read(lines)
    expect(changes).toEqual([])
    const entries = callsOf(session.messages)
    expect(entries.map(({ id, name, kind, executor, state }) => [id, name, kind, executor, state.status])).toEqual([
      ['l', 'local_shell', undefined, undefined, 'completed'],
      ['p', 'apply_patch', 'custom', undefined, 'completed'],
      ['t', 'tool_search', undefined, undefined, 'completed'],
      ['ws_1', 'web_search', undefined, 'provider', 'completed'],
      ['ig_1', 'image_generation', undefined, 'provider', 'completed'],
    ])
    expect(entries[1]?.args).toBe('*** Begin Patch')
    expect(told([item({ type: 'web_search_call', status: 'in_progress' })])).toEqual(['assistant: =interrupted'])
  })
})

describe('reasoning', () => {
  const reasoning = (fields: Line): Line => item({ type: 'reasoning', summary: [], ...fields })

  it('goes back to Responses as it came, without what Codex keeps in items for itself', () => {
    const passthrough = { internal_chat_message_metadata_passthrough: { turn_id: 't' } }
    const items: readonly Line[] = [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
      { type: 'function_call', id: 'fc_1', name: 'exec', arguments: '{"a":1.0}', call_id: 'call_1' },
      { type: 'function_call_output', call_id: 'call_1', output: 'out' },
    ]
    const lines = [user('go'), turn('gpt-5.5'), ...items.map((one) => item({ ...one, ...passthrough })), user('on')]
    const { session, changes } = read(lines)
    expect(changes).toEqual([])
    const { request } = toOpenAIResponses(session, { model: 'gpt-5.5' })
    expect(request.input.slice(1, -1)).toEqual(items)
  })

  it('of another provider does not', () => {
    const meta = record('session_meta', { id: 'S', model_provider: 'azure' })
    const lines = [meta, user('go'), turn('gpt-5.5'), reasoning({ id: 'rs_1', encrypted_content: 'x' }), said('ho')]
    const { session } = read(lines)
    expect(firstAssistant(session.messages).by?.provider).toBe('azure')
    expect(toOpenAIResponses(session, { model: 'gpt-5.5' }).changes.map(({ code }) => code)).toContain(
      'reasoning-left-out',
    )
    expect(firstAssistant(read(lines, { dialect: 'mine' }).session.messages).by).toMatchObject({
      provider: 'mine',
      dialect: 'mine',
    })
  })

  it('that says nothing is no part; of what was redacted the summary stays', () => {
    expect(told([reasoning({}), said('ho')])).toEqual(['assistant: ho'])
    const published = [
      reasoning({ summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'REDACTED' }),
      said('ho'),
    ]
    expect(told(published)).toEqual(['assistant: [hm], ho'])
    expect(JSON.stringify(read(published).session)).not.toContain('REDACTED')
  })
})

describe('compactions', () => {
  const opaque: Line = { type: 'compaction', id: 'cmp_1', encrypted_content: 'x' }
  const replaced = (...history: readonly unknown[]): Line =>
    record('compacted', { message: '', replacement_history: history })
  const before = [user('one'), call('a'), output('a'), said('did a')]
  const after = [user('two'), said('did b')]

  it('replace the whole history by the one they store', () => {
    const lines = [...before, replaced(message('user', 'one'), opaque), ...after]
    const { session, changes } = read(lines)
    expect(short(session.messages)).toEqual(['user: one', 'assistant: native', 'user: two', 'assistant: did b'])
    expect(session.messages[1]?.parts[0]).toMatchObject({ type: 'native', api: 'openai-responses', value: opaque })
    expect(changes.map(({ code, at }) => [code, at.line])).toEqual([['compaction-applied', 5]])
  })

  it('go by another name in some versions', () => {
    for (const type of ['compaction_summary', 'context_compaction']) {
      const { session } = read([...before, replaced({ type, encrypted_content: 'x' })])
      expect(session.messages[0]?.parts[0]).toMatchObject({ value: { type: 'compaction', encrypted_content: 'x' } })
    }
  })

  it('that only the API can read cost other APIs no context', () => {
    const lines = [
      ...before,
      replaced(message('user', 'one'), opaque),
      ...after,
      replaced(message('user', 'two'), opaque),
      user('three'),
    ]
    const whole = told([...before, ...after, user('three')])
    expect(told(lines, { history: 'portable' })).toEqual(whole)
    expect(codes(lines, { history: 'portable' })).toEqual(['message-left-out', 'message-left-out'])
    expect(told(lines, { history: 'full' })).toEqual(whole)
  })

  it('that are text are applied in portable histories', () => {
    const lines = [...before, replaced(message('user', 'one'), message('user', SUMMARY)), ...after]
    expect(told(lines, { history: 'portable' })).toEqual([
      'user: one',
      `summary: ${SUMMARY}`,
      'user: two',
      'assistant: did b',
    ])
    expect(told(lines, { history: 'full' })).toEqual(told([...before, ...after]))
  })

  it('stay where what they replaced is not stored', () => {
    const lines = [META, replaced(message('user', 'one'), opaque), ...after]
    for (const history of ['full', 'portable', 'active'] as const)
      expect(told(lines, { history })).toEqual(['user: one', 'assistant: native', 'user: two', 'assistant: did b'])
  })

  it('of before 2026 keep the prompts and put a summary behind', () => {
    const lines = [user('<skill>x</skill>'), ...before, record('compacted', { message: SUMMARY }), ...after]
    expect(told(lines)).toEqual(['user: one', `summary: ${SUMMARY}`, 'user: two', 'assistant: did b'])
    expect(codes(lines)).toEqual(['compaction-applied'])
    const twice = [...lines, record('compacted', { message: '' })]
    expect(told(twice)).toEqual(['user: one', 'user: two', 'summary: (no summary available)'])
    expect(told(twice, { history: 'full' })).toEqual(told([user('<skill>x</skill>'), ...before, ...after]))
  })

  it('of before 2026 keep no more than 20,000 tokens of prompts', () => {
    const long = 'x'.repeat(60_000)
    const lines = [
      user('old'),
      said('a'),
      user(`begin${long}end`),
      said('b'),
      user(`new${long}`),
      record('compacted', { message: 'S' }),
    ]
    const { messages } = read(lines).session
    const texts = messages.map((one) => (one.parts[0]?.type === 'text' ? one.parts[0].text : ''))
    expect(texts).toHaveLength(3)
    expect(texts[0]).toMatch(/^beginx+…\d+ tokens truncated…x+end$/)
    expect(texts[0]!.length).toBeLessThan(20_100)
    expect(texts[1]).toBe(`new${long}`)
  })
})

describe('turns that were taken back', () => {
  const back = (turns: unknown): Line => event('thread_rolled_back', { num_turns: turns })
  const first = [user('one'), said('1')]

  it('are cut with the context that was put in for them', () => {
    const lines = [
      ...first,
      user('<environment_context>new</environment_context>'),
      item(message('developer', 'x')),
      user('two'),
      call('a'),
      output('a'),
      back(1),
      user('three'),
    ]
    expect(told(lines)).toEqual(['user: one', 'assistant: 1', 'user: three'])
    expect(codes(lines)).toEqual(['message-left-out'])
  })

  it('are counted by prompts', () => {
    const lines = [
      item(message('developer', 'x')),
      ...first,
      user('two'),
      user('<turn_aborted>x</turn_aborted>'),
      user('three'),
      back(2),
    ]
    expect(told(lines)).toEqual(['instruction: x', 'user: one', 'assistant: 1'])
    // More than there are: what stands before the first prompt stays.
    expect(told([...lines, back(9)])).toEqual(['instruction: x'])
  })

  it('take a compaction with them', () => {
    const compacted = record('compacted', {
      message: '',
      replacement_history: [message('user', 'one'), message('user', SUMMARY)],
    })
    const lines = [...first, user('two'), said('2'), compacted, said('more'), back(1)]
    expect(told(lines)).toEqual(['user: one', 'assistant: 1'])
  })

  it.each([0, -1, 'x', null, {}, Number.NaN])('%j of them cut nothing', (turns) => {
    expect(told([...first, back(turns)])).toEqual(['user: one', 'assistant: 1'])
  })
})

describe('hostile rollouts', () => {
  const SESSION: readonly Line[] = [
    META,
    turn('gpt-5.5'),
    item(message('developer', 'tok-dev')),
    user('tok-user'),
    item({
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'tok-think' }],
      content: null,
      encrypted_content: 'x',
    }),
    item({ ...message('assistant', 'tok-said'), id: 'msg_1', phase: 'commentary' }),
    call('a', { namespace: 'n' }),
    output('a', [
      { type: 'input_text', text: 'tok-out' },
      { type: 'input_image', image_url: 'data:image/png;base64,AA==' },
    ]),
    item({ type: 'custom_tool_call', call_id: 'c', name: 'tok-custom', input: 'x', status: 'completed' }),
    item({
      type: 'local_shell_call',
      call_id: 'l',
      status: 'completed',
      action: { type: 'exec', command: ['tok-shell'] },
    }),
    item({ type: 'tool_search_call', call_id: 't', execution: 'client', arguments: { query: 'tok-search' } }),
    item({ type: 'web_search_call', id: 'ws', status: 'completed', action: { type: 'search', query: 'tok-web' } }),
    record('inter_agent_communication', { author: 'x', recipient: 'y', content: 'tok-agent', trigger_turn: true }),
    event('token_count', { info: { last_token_usage: { input_tokens: 1 } } }),
    event('turn_aborted', { reason: 'interrupted' }),
  ]
  const CUTTING: readonly Line[] = [
    record('compacted', {
      message: 's',
      replacement_history: [message('user', 'one'), { type: 'compaction', encrypted_content: 'x' }],
    }),
    user('two'),
    record('compacted', { message: 's' }),
    user('three'),
    event('thread_rolled_back', { num_turns: 1 }),
  ]

  it('survive cuts at every byte and flipped bytes', () => {
    expect(batter(reader, jsonl([...SESSION, ...CUTTING]))).toBeGreaterThan(300)
  })

  it('survive a wrong value in every place', () => {
    const ways = [{}, { history: 'full' }, { history: 'portable' }] as const
    expect(batterValues(reader, [...SESSION, ...CUTTING], ways)).toBeGreaterThan(1_500)
  })

  it('lose nothing but the damaged record', () => {
    const tokens = SESSION.map((line) => JSON.stringify(line).match(/tok-\w+/)?.[0])
    for (const { lines, index } of damagedLines(SESSION)) {
      const found = JSON.stringify(survives(reader, jsonl(lines))?.session.messages)
      const lost = tokens.filter((token, place) => token !== undefined && place !== index && !found.includes(token))
      // Without its call a result is an orphan, and is told of.
      expect(lost.filter((token) => token !== 'tok-out' || index !== 6)).toEqual([])
    }
  })

  it('survive the names of Object.prototype as types, ids and fields', () => {
    for (const name of PROTOTYPE_NAMES) {
      const lines = [
        record(name, { type: name }),
        item({ type: name, [name]: name }),
        event(name, { [name]: name }),
        user(name),
        call(name, { name, namespace: name, arguments: `{"${name}":1}` }),
        output(name, name),
      ]
      expect(callsOf(read(lines).session.messages)).toMatchObject([
        { id: name, state: { status: 'completed', result: name } },
      ])
    }
  })

  it('keep values that are nested too deep as text', () => {
    const deep = `${'['.repeat(5_000)}1${']'.repeat(5_000)}`
    const line = JSON.stringify(item({ type: 'local_shell_call', call_id: 'l', action: 0 })).replace(
      '"action":0',
      `"action":${deep}`,
    )
    const result = survives(reader, `${jsonl([META, user('hi')])}${line}\n`)
    expect(result?.changes.map(({ code }) => code)).toContain('value-too-deep')
    expect(result?.session.messages).toHaveLength(2)
  })

  it('of many records are read in linear time', () => {
    const count = 20_000
    const many = (line: (index: number) => Line): string =>
      jsonl(Array.from({ length: count }, (_, index) => line(index)))
    const sources = [
      many(() => user('hi')),
      many((index) => (index % 2 === 0 ? call('same') : output('same'))),
      many(() => record('compacted', { message: 's' })),
      many((index) => (index % 2 === 0 ? user('hi') : event('thread_rolled_back', { num_turns: 1 }))),
      many((index) => (index < count / 2 ? said('hi') : event('thread_rolled_back', { num_turns: 1 }))),
      many((index) => (index < count / 2 ? user('hi') : event('thread_rolled_back', { num_turns: 1 }))),
      many((index) => (index % 2 === 0 ? user('hi') : record('compacted', { message: '', replacement_history: [] }))),
    ]
    for (const source of sources) {
      const start = process.cpuUsage()
      read(source)
      const { user: spent, system } = process.cpuUsage(start)
      expect((spent + system) / 1e6).toBeLessThan(4)
    }
  })
})
