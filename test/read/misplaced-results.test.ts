import { describe, expect, it } from 'vitest'
import type { FormatId } from '../../src/model/session.ts'
import { readSession } from '../../src/read/index.ts'
import { callsOf, said as line, text, use, user } from './claude-code-lines.ts'
import type { Line } from './hostile.ts'

type Block = Line

/** How a format stores a block of each kind, and a message of blocks. */
interface Form {
  readonly format: FormatId
  readonly text: (text: string) => Block
  readonly call: Block
  readonly result: Block
  readonly message: (role: 'user' | 'assistant', blocks: readonly Block[], index: number) => Line
  readonly source: (messages: readonly Line[]) => object
}

const typed = (value: string): Block => ({ type: 'text', text: value })
const ANTHROPIC = {
  text: typed,
  call: { type: 'tool_use', id: 'A', name: 'look', input: {} },
  result: { type: 'tool_result', tool_use_id: 'A', content: 'out' },
} as const
const asList = (messages: readonly Line[]): object => messages
const time = '2026-01-01T00:00:00Z'
const zutMeta = { type: 'meta', meta: { id: 's', cwd: '/w', model: 'm', provider: 'p', started: time } }

const FORMS: readonly Form[] = [
  { ...ANTHROPIC, format: 'anthropic', message: (role, content) => ({ role, content }), source: asList },
  {
    ...ANTHROPIC,
    format: 'claude-code',
    message: (role, content, index) => ({
      type: role,
      uuid: `u${index}`,
      parentUuid: index === 0 ? null : `u${index - 1}`,
      sessionId: 's',
      message: { id: `msg_${index}`, role, content },
    }),
    source: asList,
  },
  {
    ...ANTHROPIC,
    format: 'cline',
    message: (role, content) => ({ role, content, ...(role === 'assistant' ? { modelInfo: { modelId: 'm' } } : {}) }),
    source: asList,
  },
  {
    ...ANTHROPIC,
    format: 'roo',
    message: (role, content, index) => ({
      role,
      content: index === 0 ? [...content, typed('<environment_details>x</environment_details>')] : content,
      ts: index + 1,
    }),
    source: asList,
  },
  {
    format: 'goose',
    text: typed,
    call: { type: 'toolRequest', id: 'A', toolCall: { status: 'success', value: { name: 'look', arguments: {} } } },
    result: { type: 'toolResponse', id: 'A', toolResult: { status: 'success', value: [typed('out')] } },
    message: (role, content, index) => ({ role, created: 1_750_000_000 + index, content }),
    source: asList,
  },
  {
    format: 'crush',
    text: (value) => ({ type: 'text', data: { text: value } }),
    call: { type: 'tool_call', data: { id: 'A', name: 'look', input: '{}', finished: true } },
    result: { type: 'tool_result', data: { tool_call_id: 'A', name: 'look', content: 'out', is_error: false } },
    message: (role, parts, index) => ({
      id: `m${index}`,
      session_id: 's',
      role,
      parts: JSON.stringify(parts),
      created_at: index,
    }),
    source: (messages) => ({ tables: { sessions: [{ id: 's', parent_session_id: null }], messages } }),
  },
  {
    format: 'zut',
    text: (value) => ({ text: value }),
    call: { id: 'A', name: 'look', arguments: {} },
    result: { call_id: 'A', content: [{ text: 'out' }] },
    message: (role, content) => ({ type: 'message', message: { role, content, time } }),
    source: (messages) => [zutMeta, ...messages],
  },
  {
    format: 'gemini-cli',
    text: (value) => ({ text: value }),
    call: { functionCall: { id: 'A', name: 'look', args: {} } },
    result: { functionResponse: { id: 'A', name: 'look', response: { output: 'out' } } },
    message: (role, parts) => ({ role: role === 'user' ? role : 'model', parts }),
    source: (history) => ({ history }),
  },
  {
    format: 'qwen-code',
    text: (value) => ({ text: value }),
    call: { functionCall: { id: 'A', name: 'look', args: {} } },
    result: { functionResponse: { id: 'A', name: 'look', response: { output: 'out' } } },
    message: (role, parts, index) => ({
      type: role,
      uuid: `u${index}`,
      parentUuid: index === 0 ? null : `u${index - 1}`,
      sessionId: 's',
      message: { role: role === 'user' ? role : 'model', parts },
    }),
    source: asList,
  },
  {
    format: 'ai-sdk',
    text: typed,
    call: { type: 'tool-call', toolCallId: 'A', toolName: 'look', input: {} },
    result: { type: 'tool-result', toolCallId: 'A', toolName: 'look', output: { type: 'text', value: 'out' } },
    message: (role, content) => ({ role, content }),
    source: asList,
  },
  {
    ...ANTHROPIC,
    format: 'langchain',
    message: (role, content) => ({ type: role === 'user' ? 'human' : 'ai', data: { content } }),
    source: asList,
  },
  {
    format: 'letta',
    text: typed,
    call: { type: 'tool_call', id: 'A', name: 'look', input: {} },
    result: { type: 'tool_return', tool_call_id: 'A', content: 'out', is_error: false },
    message: (role, content) => ({ role, content }),
    source: (messages) => ({ agents: [{ agent_type: 'memgpt_agent', messages }] }),
  },
]

const ask = (form: Form): readonly ['user', readonly Block[]] => ['user', [form.text('ask')]]

/** Where a result may stand, as the messages of a conversation. */
const PLACES: {
  readonly [place: string]: (form: Form) => readonly (readonly ['user' | 'assistant', readonly Block[]])[]
} = {
  'behind its call in the same answer': (form) => [
    ask(form),
    ['assistant', [form.text('before'), form.call, form.result, form.text('behind')]],
  ],
  'before its call in the same answer': (form) => [
    ask(form),
    ['assistant', [form.text('before'), form.result, form.call, form.text('behind')]],
  ],
  'in an answer of its own': (form) => [
    ask(form),
    ['assistant', [form.text('before'), form.call]],
    ['assistant', [form.result]],
    ['user', [form.text('behind')]],
  ],
  'in a later answer': (form) => [
    ask(form),
    ['assistant', [form.text('before'), form.call]],
    ['user', [form.text('more')]],
    ['assistant', [form.result, form.text('behind')]],
  ],
  'in a message of the user, between texts': (form) => [
    ask(form),
    ['assistant', [form.text('before'), form.call]],
    ['user', [form.text('behind'), form.result]],
  ],
}

describe.each(FORMS.map((form) => [form.format, form] as const))('a result in %s', (format, form) => {
  it.each(Object.entries(PLACES))('%s belongs to its call', (_place, told) => {
    const messages = told(form).map(([role, blocks], index) => form.message(role, blocks, index))
    const { session, changes } = readSession(form.source(messages), { format })
    const calls = callsOf(session.messages)
    expect(calls.map(({ id, state }) => [id, state.status])).toEqual([['A', 'completed']])
    expect(JSON.stringify(calls[0]!.state)).toContain('out')
    for (const text of ['ask', 'before', 'behind']) expect(JSON.stringify(session.messages)).toContain(text)
    expect(changes.map(({ code }) => code).filter((code) => /orphan|invalid|duplicate|unfinished/.test(code))).toEqual(
      [],
    )
  })
})

describe('lines of Claude Code', () => {
  it('whose result stands in an answer are told to be misplaced', () => {
    const lines = [
      user('u1', null, 'ask'),
      line('a1', 'u1', 'm1', use('A')),
      line('a2', 'a1', 'm1', { type: 'tool_result', tool_use_id: 'A', content: 'out' }),
      line('a3', 'a2', 'm2', text('done')),
    ]
    const { session, changes } = readSession(lines)
    expect(callsOf(session.messages)).toMatchObject([{ id: 'A', state: { status: 'completed', result: 'out' } }])
    expect(changes).toMatchObject([{ code: 'part-misplaced', at: { line: 3, callId: 'A' } }])
  })
})
