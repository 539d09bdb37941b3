import { describe, expect, it } from 'vitest'
import { readSession, toAnthropic } from '../../src/index.ts'
import type { Session, ToolCallState } from '../../src/model/session.ts'
import { dirgeFile } from '../read/dirge-file.ts'
import { answered, asked, exported, text as shownText, tool } from '../read/opencode-samples.ts'
import { entry, header, text as piText, result, said, user } from '../read/pi-lines.ts'

/** What the systems did that this one grew from, in the files that they stored it in. */

const jsonl = (...lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
const statesOf = ({ messages }: Session): ToolCallState[] =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [part.state] : [])))
const textsOf = ({ messages }: Session): string[] =>
  messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('+'))

describe('a file of dirge', () => {
  const said = (role: string, id: string, more: object = {}): object => ({
    role,
    content: `text of ${id}`,
    id,
    timestamp: 1,
    estimated_tokens: 1,
    ...more,
  })
  const kept = {
    permission_allowlist: [{ tool: 'bash', pattern: 'cargo *' }],
    extra_entries: [{ custom_type: 'bookmark', data: 'opaque', display: true, timestamp: 1, seq: 0 }],
  }
  const called = (id: string, state: object): object => ({ id, name: 'bash', args: { command: id }, state })

  it('D1, D6: each call has its state on its message, and its result in the request', () => {
    const calls = [
      called('a', { kind: 'completed', result: 'as it was é' }),
      called('b', { kind: 'interrupted' }),
      called('c', { kind: 'failed', error: 'permission denied' }),
    ]
    const { session } = readSession(dirgeFile([said('user', 'u'), said('assistant', 'x', { tool_calls: calls })]))
    expect(statesOf(session)).toEqual([
      { status: 'completed', result: 'as it was é' },
      { status: 'interrupted' },
      { status: 'failed', error: 'permission denied' },
    ])
    const [, answer, results] = toAnthropic(session, { next: 'go on' }).request.messages
    expect(answer).toMatchObject({ content: [{ text: 'text of x' }, { id: 'a' }, { id: 'b' }, { id: 'c' }] })
    expect(results).toMatchObject({
      content: [{ tool_use_id: 'a' }, { tool_use_id: 'b' }, { tool_use_id: 'c' }, { text: 'go on' }],
    })
    for (const told of ['as it was é', 'its outcome is unknown', 'permission denied'])
      expect(JSON.stringify(results)).toContain(told)
  })

  it('D2: from before calls were kept loads, with none, and messages without calls stay plain', () => {
    const { session } = readSession(dirgeFile([said('user', 'u'), said('assistant', 'x')]))
    expect(textsOf(session)).toEqual(['text of u', 'text of x'])
    expect(statesOf(session)).toEqual([])
  })

  it('D7: side branches are told with root, parent, count and preview, and taken by their leaf', () => {
    const links: readonly (readonly [string, string | null])[] = [
      ['a', null],
      ['b', 'a'],
      ['c', 'a'],
    ]
    const stored = dirgeFile([said('user', 'a'), said('user', 'b')], {
      tree: {
        entries: Object.fromEntries(links.map(([id, parent]) => [id, { id, parent, timestamp: 1, label: null }])),
        leaf_id: 'b',
      },
      message_store: Object.fromEntries(links.map(([id]) => [id, said('user', id)])),
      branch_summaries: [{ root_id: 'x', parent_id: 'a', message_count: 3, preview: 'cut away', created_at: 'then' }],
    })
    const { branches, changes } = readSession(stored)
    expect(branches).toEqual([
      { leaf: 'c', root: 'c', parent: 'a', messages: 1, preview: 'text of c' },
      { leaf: 'x', root: 'x', parent: 'a', messages: 3, preview: 'cut away' },
    ])
    expect(changes.map(({ code }) => code)).toEqual(['branch-left-out', 'branch-left-out'])
    expect(textsOf(readSession(stored, { leaf: 'c' }).session)).toEqual(['text of a', 'text of c'])
  })

  it('D8: permissions and extra entries are with the session', () => {
    expect(readSession(dirgeFile([said('user', 'u')])).session.extra).toMatchObject({ dirge: kept })
  })
})

describe('the journal of a child of zut', () => {
  const time = '2026-08-01T10:00:00Z'
  const event = (type: string, fields: object = {}): object => ({ version: 1, type, time, ...fields })
  const block = (value: string): object => ({ text: value })
  const begun = [
    event('child.accepted', { spec: { id: 'c1', session_id: 's1', provider: 'anthropic', model: 'm' }, prompt: 'go' }),
    event('message.user', { message: { role: 'user', content: [block('go')], time } }),
    event('message.assistant', {
      message: { role: 'assistant', content: [{ id: 'A', name: 'bash', arguments: {} }], time },
    }),
  ]
  const gave = (id: string, value: string, isError = false): object =>
    event('tool.result', { tool_id: id, tool_result: { Content: [block(value)], IsError: isError } })

  it('Z5: is read up to an end without a newline, and what is damaged before it is told with its line', () => {
    const torn = readSession(`${jsonl(...begun, gave('A', 'found'))}{"version":1,"type":"tool.res`)
    expect(statesOf(torn.session)).toMatchObject([{ status: 'completed' }])
    const corrupt = readSession(`${jsonl(...begun)}{"version":1,"ty\n${jsonl(gave('A', 'found'), gave('X', 'stray'))}`)
    expect(statesOf(corrupt.session)).toMatchObject([{ status: 'completed' }])
    expect(corrupt.changes.map(({ code, at }) => [code, at.line])).toEqual([
      ['line-unreadable', 4],
      ['orphan-result', 6],
    ])
  })

  it('Z7: a closer that the real result followed is undone, and that is told', () => {
    const closer = gave('A', 'tool interrupted by resident host restart', true)
    const { session, changes } = readSession(jsonl(...begun, closer, event('child.interrupted'), gave('A', 'real')))
    expect(statesOf(session)).toEqual([{ status: 'completed', result: [{ type: 'text', text: 'real' }] }])
    expect(changes.map(({ code }) => code)).toEqual(['synthetic-result-replaced'])
  })
})

describe('what they point to', () => {
  it('P1: the state of a tool stands on its part, and pending and running are sent as interrupted', () => {
    const { session } = readSession(
      exported([
        asked('msg_a', 1, shownText('go')),
        answered(
          'msg_b',
          2,
          {},
          tool('waits', { status: 'pending' }),
          tool('runs', { status: 'running' }),
          tool('ran', { status: 'completed', output: 'out', title: '', metadata: {} }),
          tool('broke', { status: 'error', error: 'no such file' }),
        ),
      ]),
    )
    expect(statesOf(session).map(({ status }) => status)).toEqual(['interrupted', 'interrupted', 'completed', 'failed'])
    const wire = JSON.stringify(toAnthropic(session, { next: 'go on' }).request.messages)
    expect(wire.match(/interrupted before it started/g)).toHaveLength(1)
    expect(wire.match(/its outcome is unknown/g)).toHaveLength(1)
  })

  it('P2: a tree with a leaf, compactions with the first message kept, summaries of branches, and edits', () => {
    const lines = [
      header(),
      user('u1', null, 'one'),
      said('a1', 'u1', [piText('first')]),
      user('side', 'a1', 'a side way'),
      entry('branch_summary', 'b', 'a1', { fromId: 'side', summary: 'What was tried' }),
      user('u2', 'b', 'two'),
      said('a2', 'u2', [{ type: 'toolCall', id: 'A', name: 'bash', arguments: {} }]),
      result('r2', 'a2', 'A', [piText('out')]),
      entry('compaction', 'c', 'r2', { summary: 'So far', firstKeptEntryId: 'u2', tokensBefore: 9 }),
      entry('context_edit', 'e', 'c', { targetId: 'r2', replacement: { content: [piText('[pruned]')] } }),
      user('u3', 'e', 'three'),
    ]
    const { session, branches } = readSession(jsonl(...lines))
    expect(textsOf(session).slice(1)).toEqual(['two', 'tool-call', 'three'])
    expect(textsOf(session)[0]).toContain('So far')
    expect(statesOf(session)).toEqual([{ status: 'completed', result: [{ type: 'text', text: '[pruned]' }] }])
    expect(branches).toMatchObject([{ leaf: 'side', parent: 'a1', messages: 1, preview: 'a side way' }])
    expect(textsOf(readSession(jsonl(...lines), { history: 'full' }).session).join()).toContain('What was tried')
    expect(textsOf(readSession(jsonl(...lines), { leaf: 'side' }).session)).toEqual(['one', 'first', 'a side way'])
  })
})
