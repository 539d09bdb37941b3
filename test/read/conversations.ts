import type { FormatId } from '../../src/model/session.ts'
import type { Line } from './hostile.ts'

const time = '2026-01-01T00:00:00Z'
const text = (value: string): Line => ({ type: 'text', text: value })

/** Texts that nothing else in a conversation holds: a prompt, an answer with a call, its result, an answer, a prompt. */
export const TOKENS = ['token-ask', 'token-look', 'token-out', 'token-done', 'token-more'] as const
const [ASK, LOOK, OUT, DONE, MORE] = TOKENS

type Role = 'user' | 'assistant' | 'tool'

/** A conversation of messages of blocks, the result in a message of its own. */
function told(
  message: (role: Role, blocks: readonly Line[], index: number) => Line,
  said: (value: string) => Line,
  call: Line,
  result: Line,
  answerer: Role = 'user',
): Line[] {
  const turns: readonly (readonly [Role, readonly Line[]])[] = [
    ['user', [said(ASK)]],
    ['assistant', [said(LOOK), call]],
    [answerer, [result]],
    ['assistant', [said(DONE)]],
    ['user', [said(MORE)]],
  ]
  return turns.map(([role, blocks], index) => message(role, blocks, index))
}

const USE = { type: 'tool_use', id: 'A', name: 'look', input: { at: 1 } }
const RESULT = { type: 'tool_result', tool_use_id: 'A', content: OUT }
/** So far apart that no damage makes one of another. */
const uuid = (index: number): string => String.fromCharCode(103 + index).repeat(8)
const link = (role: string, index: number): Line => ({
  type: role,
  uuid: uuid(index),
  parentUuid: index === 0 ? null : uuid(index - 1),
  sessionId: 's',
  timestamp: time,
})
const gemini = (value: string): Line => ({ text: value })
const geminiCall = { functionCall: { id: 'A', name: 'look', args: { at: 1 } } }
const geminiResult = { functionResponse: { id: 'A', name: 'look', response: { output: OUT } } }
const geminiRole = (role: Role): string => (role === 'user' ? role : 'model')
const chatCall = { id: 'A', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }
const codex = (payload: Line): Line => ({ timestamp: time, type: 'response_item', payload })
const item = (role: Role, value: string): Line => ({
  type: 'message',
  role,
  content: [{ type: role === 'user' ? 'input_text' : 'output_text', text: value }],
})
const ITEMS: readonly Line[] = [
  item('user', ASK),
  item('assistant', LOOK),
  { type: 'function_call', call_id: 'A', name: 'look', arguments: '{"at":1}' },
  { type: 'function_call_output', call_id: 'A', output: OUT },
  item('assistant', DONE),
  item('user', MORE),
]
const pi = (message: Line, index: number): Line => ({
  type: 'message',
  id: `e${index}`,
  parentId: index === 0 ? null : `e${index - 1}`,
  timestamp: time,
  message,
})
const oino = (message: Line, index: number): Line => ({
  record: 'entry',
  entry: { id: `e${index}`, parent: index === 0 ? null : `e${index - 1}`, kind: { kind: 'message', message } },
})
const oinoText = (value: string): Line => ({ kind: 'text', text: value })
const opencode = (role: Role, index: number, ...parts: readonly Line[]): Line => ({
  info: { id: `msg_${index}`, sessionID: 'ses_a', role, time: { created: index + 1, completed: index + 1 } },
  parts: parts.map((part, place) => ({
    id: `prt_${index}_${place}`,
    sessionID: 'ses_a',
    messageID: `msg_${index}`,
    ...part,
  })),
})
const journal = (entry: Line, seq: number): Line => ({ journal: 1, seq, at: time, ...entry })
const cline = (role: Role, content: readonly Line[]): Line => ({
  role,
  content,
  ...(role === 'assistant' ? { modelInfo: { modelId: 'm' } } : {}),
})
const state = { status: 'completed', result: OUT }
const crushRow = (role: Role, parts: readonly Line[], index: number): Line => ({
  id: `m${index}`,
  session_id: 's',
  role,
  parts: JSON.stringify(parts),
  created_at: index,
})
const chat = (role: string, content: string, more: Line = {}): Line => ({ role, content, ...more })

/** The same small conversation in every format: lines where it is stored so, else one value. */
export const CONVERSATIONS: readonly (readonly [FormatId, readonly Line[] | Line])[] = [
  [
    'anthropic',
    { model: 'claude-opus-4-6', messages: told((role, content) => ({ role, content }), text, USE, RESULT) },
  ],
  [
    'openai-chat',
    {
      model: 'm',
      messages: [
        chat('user', ASK),
        chat('assistant', LOOK, { tool_calls: [chatCall] }),
        { role: 'tool', tool_call_id: 'A', content: OUT },
        chat('assistant', DONE),
        chat('user', MORE),
      ],
    },
  ],
  ['openai-responses', { model: 'm', input: ITEMS }],
  [
    'entries',
    [
      chat('user', ASK),
      { role: 'assistant', content: LOOK, toolCalls: [{ id: 'A', name: 'look', args: { at: 1 }, state }] },
      chat('assistant', DONE),
      chat('user', MORE),
    ],
  ],
  [
    'journal',
    [
      { type: 'session', session: { id: 's' } },
      { type: 'message', message: { role: 'user', parts: [text(ASK)] } },
      {
        type: 'message',
        message: {
          role: 'assistant',
          parts: [
            text(LOOK),
            { type: 'tool-call', id: 'A', name: 'look', args: { at: 1 }, state: { status: 'pending' } },
          ],
        },
      },
      { type: 'settle', callId: 'A', state },
      { type: 'message', message: { role: 'assistant', parts: [text(DONE)] } },
      { type: 'message', message: { role: 'user', parts: [text(MORE)] } },
    ].map(journal),
  ],
  [
    'dirge',
    {
      ...{
        schema_version: 2,
        id: 'd',
        compactions: [],
        working_dir: '/w',
        context_window: 1,
        provider: 'p',
        model: 'm',
      },
      ...{ total_estimated_tokens: 1, total_cost: 0 },
      messages: [
        chat('user', ASK),
        chat('assistant', LOOK, {
          tool_calls: [{ id: 'A', name: 'look', args: { at: 1 }, state: { kind: 'completed', result: OUT } }],
        }),
        chat('assistant', DONE),
        chat('user', MORE),
      ],
    },
  ],
  [
    'claude-code',
    told(
      (role, content, index) => ({ ...link(role, index), message: { id: `msg_${index}`, role, content } }),
      text,
      USE,
      RESULT,
    ),
  ],
  ['codex', [{ timestamp: time, type: 'session_meta', payload: { id: 's', cwd: '/w' } }, ...ITEMS.map(codex)]],
  [
    'gemini-cli',
    { history: told((role, parts) => ({ role: geminiRole(role), parts }), gemini, geminiCall, geminiResult) },
  ],
  [
    'qwen-code',
    told(
      (role, parts, index) => ({ ...link(role, index), message: { role: geminiRole(role), parts } }),
      gemini,
      geminiCall,
      geminiResult,
    ),
  ],
  [
    'pi',
    [
      { type: 'session', version: 3, id: 's', timestamp: time, cwd: '/w' },
      ...[
        { role: 'user', content: ASK, timestamp: 1 },
        {
          role: 'assistant',
          content: [text(LOOK), { type: 'toolCall', id: 'A', name: 'look', arguments: { at: 1 } }],
          timestamp: 1,
        },
        { role: 'toolResult', toolCallId: 'A', toolName: 'look', content: [text(OUT)], isError: false, timestamp: 1 },
        { role: 'assistant', content: [text(DONE)], timestamp: 1 },
        { role: 'user', content: MORE, timestamp: 1 },
      ].map(pi),
    ],
  ],
  [
    'oino',
    [
      { record: 'header', header: { version: 1, session_id: 's', name: 'n', cwd: '/w' }, leaf_id: 'e4' },
      ...[
        { kind: 'user', content: [oinoText(ASK)] },
        {
          kind: 'assistant',
          content: [oinoText(LOOK), { kind: 'tool_call', id: 'A', name: 'look', arguments: { at: 1 } }],
        },
        { kind: 'tool_result', tool_call_id: 'A', tool_name: 'look', content: [oinoText(OUT)], is_error: false },
        { kind: 'assistant', content: [oinoText(DONE)] },
        { kind: 'user', content: [oinoText(MORE)] },
      ].map(oino),
    ],
  ],
  [
    'zut',
    [
      { type: 'meta', meta: { id: 's', cwd: '/w', model: 'm', provider: 'p', started: time } },
      ...told(
        (role, content) => ({ type: 'message', message: { role, content, time } }),
        gemini,
        { id: 'A', name: 'look', arguments: { at: 1 } },
        { call_id: 'A', content: [{ text: OUT }] },
        'tool',
      ),
    ],
  ],
  [
    'opencode',
    {
      info: { id: 'ses_a', time: { created: 1, updated: 2 } },
      messages: [
        opencode('user', 0, text(ASK)),
        opencode('assistant', 1, text(LOOK), {
          type: 'tool',
          tool: 'look',
          callID: 'A',
          state: { status: 'completed', input: { at: 1 }, output: OUT, time: { start: 1, end: 2 } },
        }),
        opencode('assistant', 2, text(DONE)),
        opencode('user', 3, text(MORE)),
      ],
    },
  ],
  [
    'crush',
    {
      tables: {
        sessions: [{ id: 's', parent_session_id: null }],
        messages: told(
          crushRow,
          (value) => ({ type: 'text', data: { text: value } }),
          { type: 'tool_call', data: { id: 'A', name: 'look', input: '{"at":1}', finished: true } },
          { type: 'tool_result', data: { tool_call_id: 'A', name: 'look', content: OUT, is_error: false } },
          'tool',
        ),
      },
    },
  ],
  [
    'goose',
    [
      { working_dir: '/w', description: 'T', message_count: 5 },
      ...told(
        (role, content, index) => ({ role, created: 1_750_000_000 + index, content }),
        text,
        {
          type: 'toolRequest',
          id: 'A',
          toolCall: { status: 'success', value: { name: 'look', arguments: { at: 1 } } },
        },
        { type: 'toolResponse', id: 'A', toolResult: { status: 'success', value: [text(OUT)] } },
      ),
    ],
  ],
  ['cline', told(cline, text, USE, RESULT)],
  [
    'roo',
    told(
      (role, content, index) => ({ role, content, ts: index + 1, ...(index === 0 ? { condenseParent: 'c' } : {}) }),
      text,
      USE,
      RESULT,
    ),
  ],
  [
    'continue',
    {
      sessionId: 's',
      title: 'T',
      workspaceDirectory: '/w',
      history: [
        { message: chat('user', ASK), contextItems: [] },
        {
          message: chat('assistant', LOOK, { toolCalls: [chatCall] }),
          contextItems: [],
          toolCallStates: [
            {
              toolCallId: 'A',
              toolCall: chatCall,
              status: 'done',
              parsedArgs: { at: 1 },
              output: [{ name: 'n', content: OUT }],
            },
          ],
        },
        { message: chat('assistant', DONE), contextItems: [] },
        { message: chat('user', MORE), contextItems: [] },
      ],
    },
  ],
  [
    'ai-sdk',
    [
      { id: 'm0', role: 'user', parts: [text(ASK)] },
      {
        id: 'm1',
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          text(LOOK),
          { type: 'tool-look', toolCallId: 'A', state: 'output-available', input: { at: 1 }, output: OUT },
          { type: 'step-start' },
          text(DONE),
        ],
      },
      { id: 'm2', role: 'user', parts: [text(MORE)] },
    ],
  ],
  [
    'langchain',
    [
      { type: 'human', data: { content: ASK } },
      {
        type: 'ai',
        data: { content: LOOK, tool_calls: [{ id: 'A', name: 'look', args: { at: 1 }, type: 'tool_call' }] },
      },
      { type: 'tool', data: { content: OUT, tool_call_id: 'A', status: 'success' } },
      { type: 'ai', data: { content: DONE } },
      { type: 'human', data: { content: MORE } },
    ],
  ],
  [
    'letta',
    {
      agents: [
        {
          id: 'agent-0',
          agent_type: 'letta_v1_agent',
          messages: [
            { role: 'user', content: [text(ASK)] },
            { role: 'assistant', content: [text(LOOK)], tool_calls: [chatCall] },
            { role: 'tool', tool_returns: [{ tool_call_id: 'A', status: 'success', func_response: OUT }] },
            { role: 'assistant', content: [text(DONE)] },
            { role: 'user', content: [text(MORE)] },
          ],
        },
      ],
    },
  ],
]
