import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { parseSession } from '../../src/model/schema.ts'
import { detectFormat, readers, readSession } from '../../src/read/index.ts'
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
const entry = { role: 'assistant', content: 'ho', toolCalls: [{ id: 'a', name: 'x', args: {}, state: 'interrupted' }] }
const claudeCode = {
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

describe('the format is found', () => {
  it.each<[string, unknown]>([
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
  ])('%s', (format, source) => {
    const text = JSON.stringify(source)
    for (const input of [source as object, text, JSON.stringify(source, null, 2), new TextEncoder().encode(text)]) {
      expect(detectFormat(input)).toBe(format)
      const result = readSession(input)
      expect(result.format).toBe(format)
      expect(parseSession(result.session)).toBe(result.session)
    }
  })

  it('in JSON lines, whatever the first record is', () => {
    const lines = [{ type: 'mode', of: 'another tool' }, claudeCode].map((record) => JSON.stringify(record))
    expect(detectFormat(lines.join('\n'))).toBe('claude-code')
    expect(detectFormat(`{"broken\n${JSON.stringify(entry)}\n`)).toBe('entries')
  })

  it('or not', () => {
    for (const source of ['', 'hello', '{}', '[]', '{"a":1}\n{"b":2}', {}, [], [1], { messages: {} }]) {
      expect(detectFormat(source)).toBeUndefined()
      expect(() => readSession(source)).toThrow(ReadError)
    }
  })
})

describe('reading', () => {
  it('tells what was found wrong with lines first', () => {
    const { changes } = readSession(`${JSON.stringify({ ...entry, toolCalls: [{ name: 'x' }] })}\nnonsense\n{"torn`)
    expect(changes.map((change) => [change.code, change.at.line])).toEqual([
      ['line-unreadable', 2],
      ['line-torn', 3],
      ['call-unfinished', 1],
    ])
  })

  it('takes the format that is asked for, whatever the source looks like', () => {
    const plain = [{ role: 'user', content: 'hi' }]
    for (const format of ['entries', 'openai-chat', 'anthropic'] as const) {
      const { session, format: found } = readSession(plain, { format })
      expect(found).toBe(format)
      expect(session.messages).toMatchObject([{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }])
    }
    expect(() => readSession(plain, { format: 'letta' })).toThrow('letta')
    expect(() => readSession(plain, { format: 'dirge' })).toThrow('dirge')
  })

  it('passes the limits on', () => {
    expect(() => readSession('[{"role":"user","content":"hi"}]', { maxBytes: 5 })).toThrow('maxBytes')
  })
})

it('no format has two readers', () => {
  expect(new Set(readers.map((reader) => reader.format)).size).toBe(readers.length)
})
