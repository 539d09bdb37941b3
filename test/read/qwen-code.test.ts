import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { reader } from '../../src/read/qwen-code/index.ts'
import type { ReadOptions } from '../../src/read/reader.ts'
import { readSource } from '../../src/read/source.ts'
import { callsOf, short } from './claude-code-lines.ts'
import { batter, batterValues, damagedLines, jsonl, type Line, PROTOTYPE_NAMES, survives } from './hostile.ts'

const AT = '2026-08-17T12:00:00.000Z'

function record(uuid: string, parentUuid: string | null, type: string, fields: Line = {}): Line {
  return { uuid, parentUuid, sessionId: 'S', timestamp: AT, type, cwd: '/w', version: '0.21.13', ...fields }
}
const parts = (role: string, ...list: readonly Line[]): Line => ({ message: { role, parts: list } })
const user = (uuid: string, parent: string | null, text: string, fields: Line = {}): Line =>
  record(uuid, parent, 'user', { ...parts('user', { text }), ...fields })
const said = (uuid: string, parent: string | null, ...list: readonly Line[]): Line =>
  record(uuid, parent, 'assistant', { model: 'qwen3-coder', ...parts('model', ...list) })
const call = (id: string): Line => ({ functionCall: { id, name: 'shell', args: { command: id } } })
const result = (
  uuid: string,
  parent: string,
  id: string,
  answer: unknown = { output: `out ${id}` },
  fields: Line = {},
): Line =>
  record(uuid, parent, 'tool_result', {
    ...parts('user', { functionResponse: { id, name: 'shell', response: answer } }),
    toolCallResult: { callId: id, status: 'success' },
    ...fields,
  })
const system = (uuid: string, parent: string | null, subtype: string, systemPayload: Line = {}): Line =>
  record(uuid, parent, 'system', { subtype, systemPayload })

function read(lines: readonly Line[], options: ReadOptions = {}) {
  return reader.read(readSource(jsonl(lines)), options)
}
const told = (lines: readonly Line[], options: ReadOptions = {}): string[] =>
  short(read(lines, options).session.messages)
const codes = (lines: readonly Line[], options: ReadOptions = {}): string[] =>
  read(lines, options).changes.map(({ code }) => code)

describe('a session of Qwen Code', () => {
  it('is told from its root to its last record', () => {
    const lines = [
      user('u1', null, 'go'),
      record('a1', 'u1', 'assistant', {
        model: 'qwen3-coder',
        usageMetadata: {
          promptTokenCount: 9,
          candidatesTokenCount: 2,
          cachedContentTokenCount: 4,
          thoughtsTokenCount: 1,
        },
        ...parts('model', { text: 'hm', thought: true }, { text: 'I look.' }, call('a'), call('b')),
      }),
      result('r1', 'a1', 'b'),
      result('r2', 'r1', 'a'),
      user('n1', 'r2', 'agent done', { subtype: 'notification' }),
      user('m1', 'n1', 'also this', { subtype: 'mid_turn_user_message' }),
      said('a2', 'm1', { text: 'Done.' }),
      system('t1', 'a2', 'custom_title', { customTitle: 'Files' }),
      system('x1', 't1', 'ui_telemetry'),
    ]
    const { session, changes, branches } = read(lines)
    expect(changes).toEqual([])
    expect(branches).toEqual([])
    expect(short(session.messages)).toEqual([
      'user: go',
      'assistant: [hm], I look., a=completed:out a, b=completed:out b',
      'injected: agent done',
      'user: also this',
      'assistant: Done.',
    ])
    expect(session).toMatchObject({
      id: 'S',
      title: 'Files',
      cwd: '/w',
      createdAt: AT,
      source: { format: 'qwen-code', version: '0.21.13' },
    })
    expect(session.messages[1]).toMatchObject({
      id: 'a1',
      by: { model: 'qwen3-coder' },
      usage: { inputTokens: 9, outputTokens: 2, cacheReadTokens: 4, reasoningTokens: 1 },
    })
    expect(session.messages[1]).not.toHaveProperty('by.api')
    expect(reader.detect(readSource(jsonl(lines)))).toBeGreaterThan(0.95)
    expect(reader.detect(readSource(jsonl(lines.slice(0, 1))))).toBeGreaterThan(0.95)
  })

  it('has calls that failed, that nothing answered, and results of no model', () => {
    const lines = [
      user('u1', null, 'go'),
      said('a1', 'u1', call('a'), call('b'), call('c'), call('d')),
      result('r1', 'a1', 'a', { error: 'no such file' }),
      result('r2', 'r1', 'b', { output: 'half' }, { toolCallResult: { callId: 'b', status: 'cancelled' } }),
      result('r3', 'r2', 'c', { output: 'nested' }, { subtype: 'code_mode_tool_result' }),
      result('r4', 'r3', 'd', { output: 'ok' }, { toolCallResult: { callId: 'other', status: 'error' } }),
    ]
    expect(told(lines)).toEqual([
      'user: go',
      'assistant: a=failed:no such file, b=failed:half, c=interrupted, d=completed:ok',
    ])
    expect(codes(lines)).toEqual(['call-unfinished'])
  })

  it('has parts of one message on several lines', () => {
    const lines = [
      user('u1', null, 'go'),
      said('a1', 'u1', { text: 'one' }),
      said('a1', 'u1', call('a')),
      result('r1', 'a1', 'a'),
      result('r1', 'a1', 'a'),
    ]
    expect(told(lines).join()).toContain('one')
    expect(callsOf(read(lines).session.messages)).toMatchObject([{ state: { status: 'completed', result: 'out a' } }])
    expect(codes(lines)).toEqual(['record-duplicate'])
  })

  it('tells of a circle of parents, on the conversation and off it', () => {
    const off = read([user('x', 'y', 'first'), user('y', 'x', 'second'), user('u', null, 'ask')])
    expect(off.branches).toEqual([{ leaf: 'y', root: 'x', messages: 2, preview: 'first' }])
    const on = read([
      user('u', null, 'ask'),
      user('x', 'y', 'first'),
      user('y', 'x', 'second'),
      user('z', 'y', 'third'),
    ])
    expect(short(on.session.messages)).toEqual(['user: first', 'user: second', 'user: third'])
    expect(on.changes.map(({ code, at }) => [code, at.line])).toEqual([
      ['history-truncated', 2],
      ['branch-left-out', 1],
    ])
  })

  it('tells of a result that stands off the conversation', () => {
    const call = { functionCall: { id: 'c', name: 'shell', args: {} } }
    const lines = [user('u1', null, 'one'), said('a1', 'u1', call), result('r1', 'a1', 'c'), user('u2', 'a1', 'two')]
    expect(read(lines).branches).toEqual([{ leaf: 'r1', root: 'r1', parent: 'a1', messages: 0, preview: '' }])
    expect(codes(lines)).toContain('branch-left-out')
  })

  it('goes on at the point that was rewound to; the other branch is named', () => {
    const lines = [
      user('u1', null, 'one'),
      said('a1', 'u1', { text: '1' }),
      user('u2', 'a1', 'two'),
      said('a2', 'u2', { text: '2' }),
      system('w1', 'a1', 'rewind'),
      user('u3', 'w1', 'three'),
    ]
    expect(told(lines)).toEqual(['user: one', 'assistant: 1', 'user: three'])
    const { branches, changes } = read(lines)
    expect(branches).toEqual([{ leaf: 'a2', root: 'u2', parent: 'a1', messages: 2, preview: 'two' }])
    expect(changes.map(({ code, at }) => [code, at.line])).toEqual([['branch-left-out', 4]])
    expect(told(lines, { leaf: 'a2' })).toEqual(['user: one', 'assistant: 1', 'user: two', 'assistant: 2'])
    expect(() => read(lines, { leaf: 'nope' })).toThrow(ReadError)
  })

  it('goes on at the newest earlier record where records are lost, but not at what was taken back', () => {
    const lines = [
      user('u1', null, 'one'),
      said('a1', 'u1', { text: '1' }),
      user('u2', 'lost', 'two'),
      said('a2', 'u2', { text: '2' }),
    ]
    expect(told(lines)).toEqual(['user: one', 'assistant: 1', 'user: two', 'assistant: 2'])
    expect(codes(lines)).toEqual(['history-truncated'])
    const rewound = [user('u1', null, 'one'), system('w1', 'lost', 'rewind'), user('u2', 'w1', 'two')]
    expect(told(rewound)).toEqual(['user: two'])
    const side = [user('s1', null, 'side', { isSidechain: true }), user('u2', 'lost', 'two')]
    expect(told(side)).toEqual(['user: two'])
    // The branch of the same tree is no lost part of it.
    const branched = [
      user('u0', null, 'zero'),
      user('u2', 'u1', 'two'),
      user('u1', 'lost', 'one'),
      user('u3', 'u1', 'three'),
    ]
    expect(told(branched)).toEqual(['user: zero', 'user: one', 'user: three'])
  })

  it('is what a compression left of it, or all of it', () => {
    const compressedHistory = [
      { role: 'user', parts: [{ text: '<state_snapshot>so far</state_snapshot>' }] },
      { role: 'model', parts: [{ text: 'Got it.' }, { functionCall: { id: 'k', name: 'f' } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'k', name: 'f', response: { output: 'kept' } } }] },
    ]
    const lines = [
      user('u1', null, 'one'),
      said('a1', 'u1', { text: '1' }),
      system('c1', 'a1', 'chat_compression', { compressedHistory }),
      user('u2', 'c1', 'two'),
    ]
    expect(told(lines)).toEqual([
      'summary: <state_snapshot>so far</state_snapshot>',
      'assistant: Got it., k=completed:kept',
      'user: two',
    ])
    expect(codes(lines)).toEqual(['compaction-applied'])
    expect(told(lines, { history: 'full' })).toEqual(['user: one', 'assistant: 1', 'user: two'])
    expect(codes(lines, { history: 'full' })).toEqual(['message-left-out'])
    // What was compressed is stored nowhere else.
    expect(told(lines.slice(2), { history: 'full' })).toEqual(told(lines))
    const broken = lines.with(2, system('c1', 'a1', 'chat_compression', { compressedHistory: 'x' }))
    expect(told(broken)).toEqual(['user: one', 'assistant: 1', 'user: two'])
  })

  it('of a sub-agent begins with what it was given, and names the session that started it', () => {
    const side = { isSidechain: true, agentId: 'explore-1' }
    const lines = [
      {
        ...system('b1', null, 'agent_bootstrap', { history: [{ role: 'user', parts: [{ text: 'context' }] }] }),
        ...side,
      },
      user('u1', 'b1', 'look', side),
    ]
    expect(told(lines)).toEqual(['user: context', 'user: look'])
    expect(read(lines).session).toMatchObject({ id: 'explore-1', agent: 'explore-1', parent: { id: 'S' } })
    expect(read([user('u1', null, 'x', { forkedFrom: { sessionId: 'P' } })]).session.parent).toEqual({ id: 'P' })
  })

  it('tells of what it cannot read', () => {
    const lines = [
      user('u1', null, 'hi'),
      record('x1', 'u1', 'new'),
      record('x2', 'x1', 'new'),
      record('u2', 'x2', 'user', { message: 7 }),
      user('u3', 'u2', 'call me', { subtype: 'realtime_message' }),
      { type: 'user' },
    ]
    expect(told(lines)).toEqual(['user: hi'])
    expect(codes(lines)).toEqual(['record-invalid', 'record-unknown', 'record-invalid', 'message-left-out'])
    expect(() => read([{ type: 'user' }])).toThrow(ReadError)
  })
})

describe('hostile sessions', () => {
  const SESSION: readonly Line[] = [
    user('u1', null, 'tok-one'),
    record('a1', 'u1', 'assistant', {
      model: 'm',
      usageMetadata: { promptTokenCount: 1 },
      ...parts('model', { text: 'tok-think', thought: true }, call('a')),
    }),
    result('r1', 'a1', 'a'),
    said('a2', 'r1', { text: 'tok-two' }),
    user('u2', 'a2', 'tok-three', { subtype: 'notification', provenance: 'x' }),
  ]
  const CUTTING: readonly Line[] = [
    system('c1', 'u2', 'chat_compression', { compressedHistory: [{ role: 'user', parts: [{ text: 'x' }] }] }),
    user('u3', 'c1', 'x'),
    system('w1', 'u2', 'rewind'),
    user('u4', 'w1', 'y'),
  ]

  it('survive cuts at every byte, flipped bytes and wrong values', () => {
    expect(batter(reader, jsonl([...SESSION, ...CUTTING]))).toBeGreaterThan(100)
    expect(batterValues(reader, [...SESSION, ...CUTTING], [{}, { history: 'full' }])).toBeGreaterThan(600)
  })

  it('lose nothing but the damaged record', () => {
    const tokens = SESSION.map((line) => JSON.stringify(line).match(/tok-\w+/)?.[0])
    for (const { lines, index } of damagedLines(SESSION, ['uuid', 'parentUuid', 'isSidechain'])) {
      const found = JSON.stringify(survives(reader, jsonl(lines))?.session.messages)
      // A line that is no record hides where it hangs; what comes before it is found again.
      expect(tokens.filter((token, place) => token !== undefined && place !== index && !found.includes(token))).toEqual(
        [],
      )
    }
  })

  it('survive the names of Object.prototype', () => {
    for (const name of PROTOTYPE_NAMES) {
      const lines = [
        user('u', null, name),
        said(name, 'u', call(name), { [name]: name }),
        result('r', name, name),
        record('x', 'r', name, { subtype: name }),
      ]
      expect(callsOf(read(lines).session.messages)).toMatchObject([{ id: name, state: { status: 'completed' } }])
    }
  })

  it('survive circles, and are read in linear time', () => {
    expect(told([user('u1', 'u2', 'one'), user('u2', 'u1', 'two')])).toEqual(['user: one', 'user: two'])
    expect(told([user('u1', 'u1', 'one')])).toEqual(['user: one'])
    const many = Array.from({ length: 20_000 }, (_, index) => index)
    const sources = [
      many.map((index) => user(`u${index}`, index === 0 ? null : `u${index - 1}`, 'hi')),
      many.map((index) => user(`u${index}`, index === 0 ? null : 'u0', 'hi')),
      many.map((index) => user(`u${index}`, `lost${index}`, 'hi')),
      many.map((index) => user(`u${index}`, `u${(index + 1) % many.length}`, 'hi')),
      many.map((index) => user('same', null, `hi ${index}`)),
      many.map((index) =>
        index % 3 === 0 ? user(`u${index}`, `lost${index}`, 'hi') : user(`u${index}`, `u${index - 1}`, 'hi'),
      ),
    ]
    for (const lines of sources) {
      const start = process.cpuUsage()
      read(lines)
      const { user: spent, system: of } = process.cpuUsage(start)
      expect((spent + of) / 1e6).toBeLessThan(4)
    }
  })
})
