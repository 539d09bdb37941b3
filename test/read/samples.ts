import { NEAR_CHATS, STORED_CHATS } from './chats.ts'
import { STORES } from './stores.ts'

const chatBody = {
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'a', content: 'A' },
  ],
}
const anthropicBody = {
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'x', input: {} }] },
  ],
}
const responsesBody = { input: [{ type: 'function_call', call_id: 'a', name: 'x', arguments: '{}' }] }
export const entry = {
  role: 'assistant',
  content: 'ho',
  toolCalls: [{ id: 'a', name: 'x', args: {}, state: 'interrupted' }],
}
export const claudeCode = {
  type: 'user',
  uuid: 'u',
  parentUuid: null,
  sessionId: 's',
  cwd: '/w',
  version: '2.0.0',
  timestamp: '2026-01-01T00:00:00Z',
  message: { role: 'user', content: 'hi' },
}
const dirge = {
  messages: [],
  compactions: [],
  working_dir: '/w',
  context_window: 1,
  total_estimated_tokens: 1,
  total_cost: 0,
  provider: 'p',
}

const codexMeta = { timestamp: '2026-01-01T00:00:00Z', type: 'session_meta', payload: { id: 's' } }
const codexItem = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }
const codexBare = [
  { id: 's', timestamp: '2025-01-01T00:00:00Z', instructions: null },
  { record_type: 'state' },
  codexItem,
]
const geminiAbout = { sessionId: 's', projectHash: 'h' }
const geminiMessage = { id: 'g', type: 'gemini', content: 'ho' }
const geminiContents = [{ role: 'user', parts: [{ text: 'hi' }] }]
const qwenCode = {
  type: 'user',
  uuid: 'u',
  parentUuid: null,
  sessionId: 's',
  message: { role: 'user', parts: [{ text: 'hi' }] },
}
const piHeader = { type: 'session', version: 3, id: 's', timestamp: '2026-01-01T00:00:00Z', cwd: '/w' }
const piEntry = (id: string, parentId: string | null, message: object) => ({
  type: 'message',
  id,
  parentId,
  timestamp: '2026-01-01T00:00:00Z',
  message,
})
const pi = [
  piHeader,
  piEntry('a', null, { role: 'user', content: 'hi' }),
  piEntry('b', 'a', { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'x', arguments: {} }] }),
]
const piFirst = [
  { type: 'session', id: 's', timestamp: '2025-11-01T00:00:00Z', cwd: '/w' },
  { type: 'message', timestamp: '2025-11-01T00:00:00Z', message: { role: 'user', content: 'hi', timestamp: 1 } },
]
const oinoDispatch = { type: 'custom', id: 'd', parentId: 'b', customType: 'oino.dispatch', data: { toolCallId: 'c' } }
const oinoEntry = {
  record: 'entry',
  entry: {
    id: 'a',
    parent: null,
    kind: { kind: 'message', message: { kind: 'user', content: [{ kind: 'text', text: 'hi' }] } },
  },
}
const oino = [
  { record: 'header', header: { version: 1, session_id: 's', name: 'n', cwd: '/w' }, leaf_id: 'a' },
  oinoEntry,
]
const zutMessage = { role: 'user', content: [{ text: 'hi' }], time: '2026-01-01T00:00:00Z' }
const zut = [
  { type: 'meta', meta: { id: 's', cwd: '/w', model: 'm', provider: 'p', started: '2026-01-01T00:00:00Z' } },
  { type: 'message', message: zutMessage },
]
const zutJournal = [{ version: 1, type: 'message.user', time: '2026-01-01T00:00:00Z', message: zutMessage }]

/** Small sources, each with the format that it is of: the least that each form of each format is known by. */
export const SAMPLES: readonly [string, unknown][] = [
  ['openai-chat', chatBody],
  ['anthropic', anthropicBody],
  ['openai-responses', responsesBody],
  ['journal', [{ journal: 1, seq: 0, at: '', type: 'rewind', keep: 0 }]],
  ['entries', [{ role: 'user', content: 'hi' }, entry]],
  ['entries', { version: 1, messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }] }],
  ['dirge', dirge],
  ['claude-code', [claudeCode]],
  ['claude-code', claudeCode],
  ['codex', [codexMeta, { ...codexMeta, type: 'response_item', payload: codexItem }]],
  ['codex', codexBare],
  ['codex', { session: { id: 's' }, items: [codexItem] }],
  ['gemini-cli', { ...geminiAbout, messages: [geminiMessage] }],
  ['gemini-cli', [geminiAbout, geminiMessage, { $set: {} }]],
  ['gemini-cli', { history: geminiContents }],
  ['gemini-cli', geminiContents],
  ['qwen-code', [qwenCode]],
  ['qwen-code', qwenCode],
  ['pi', pi],
  ['pi', pi.slice(1)],
  ['pi', piFirst],
  ['pi', piHeader],
  ['oino', [...pi, oinoDispatch]],
  ['oino', oino],
  ['oino', oino.slice(1)],
  ['zut', zut],
  ['zut', zut.slice(1)],
  ['zut', zutJournal],
  ...STORED_CHATS,
  ...NEAR_CHATS,
  ...STORES,
]
