import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { parseSession } from '../../src/model/schema.ts'
import { callsOf, codes, short } from './claude-code-lines.ts'
import { jsonl, type Line } from './hostile.ts'
import { call, entry, header, message, read, result, said, text, user } from './pi-lines.ts'

const shown = (lines: readonly Line[], options = {}): string[] => short(read(lines, options).session.messages)
const turn = (id: string, parent: string | null): Line[] => [
  said(`a${id}`, parent, [call(id)], { stopReason: 'toolUse' }),
  result(`r${id}`, `a${id}`, id, 'out'),
]

describe('a session file', () => {
  it('says what it is about', () => {
    const { session } = read([
      header({ parentSession: '/home/me/.pi/agent/sessions/--w--/2026-03-14T09-00-00-000Z_parent_1.jsonl' }),
      entry('model_change', 'm', null, { provider: 'anthropic', modelId: 'claude-sonnet-4-5' }),
      entry('thinking_level_change', 't', 'm', { thinkingLevel: 'high' }),
      user('u', 't', 'hi'),
      entry('session_info', 'i', 'u', { name: 'first' }),
      entry('session_info', 'j', 'i', { name: 'Refactor' }),
    ])
    expect(parseSession(session)).toBe(session)
    expect(session).toMatchObject({
      id: 'S',
      title: 'Refactor',
      cwd: '/w',
      createdAt: '2026-03-15T10:11:12.345Z',
      source: { format: 'pi', version: '3' },
      parent: { id: 'parent_1' },
      extra: { pi: { provider: 'anthropic', modelId: 'claude-sonnet-4-5', thinkingLevel: 'high' } },
      messages: [{ role: 'user', id: 'u', at: '2026-03-15T10:11:12.345Z', parts: [{ type: 'text', text: 'hi' }] }],
    })
  })

  it('gives each call its result, in its message', () => {
    const { session, changes } = read([
      header(),
      user('u', null, [text('look'), { type: 'image', data: 'AAAA', mimeType: 'image/png' }]),
      said('a', 'u', [text('I look.'), call('A'), call('B'), call('C')], { stopReason: 'toolUse' }),
      result('r1', 'a', 'B', [text('no such file')], { isError: true }),
      result('r2', 'r1', 'A', [text('a.ts'), { type: 'image', data: 'BBBB', mimeType: 'image/png' }]),
      user('u2', 'r2', 'go on'),
    ])
    const [, assistant] = session.messages
    expect(assistant).toMatchObject({
      role: 'assistant',
      by: { provider: 'anthropic', api: 'anthropic', model: 'claude-sonnet-4-5' },
      stop: 'tool-calls',
      parts: [
        { type: 'text', text: 'I look.' },
        { id: 'A', name: 'bash', args: { command: 'A' }, state: { status: 'completed' }, resultOrder: 1 },
        { id: 'B', state: { status: 'failed', error: [{ type: 'text', text: 'no such file' }] }, resultOrder: 0 },
        { id: 'C', state: { status: 'interrupted' } },
      ],
    })
    expect(callsOf(session.messages)[0]?.state).toEqual({
      status: 'completed',
      result: [
        { type: 'text', text: 'a.ts' },
        { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'BBBB' } },
      ],
    })
    expect(changes.map(({ code, at }) => [code, at.callId])).toEqual([['call-unfinished', 'C']])
  })

  it('at its very end leaves no call pending', () => {
    const { session } = read([header(), user('u', null, 'go'), said('a', 'u', [call('A')], { stopReason: 'toolUse' })])
    expect(callsOf(session.messages).map(({ state }) => state)).toEqual([{ status: 'interrupted' }])
  })

  it('of the first version is the order of its lines', () => {
    const stored = (fields: Line): Line => ({ type: 'message', timestamp: '2025-11-20T09:00:01.000Z', message: fields })
    const lines = [
      { type: 'session', id: 'u-1', timestamp: '2025-11-20T09:00:00.000Z', cwd: '/w', provider: 'anthropic' },
      stored({ role: 'user', content: 'old' }),
      stored({ role: 'assistant', content: [call('A', { partialJson: '{"co' })], stopReason: 'toolUse' }),
      stored({ role: 'toolResult', toolCallId: 'A', toolName: 'bash', output: 'out', isError: false }),
      stored({ role: 'user', content: 'kept' }),
      { type: 'compaction', timestamp: 'x', summary: 'Old.', firstKeptEntryIndex: 4, tokensBefore: 9 },
      stored({ role: 'user', content: 'new' }),
    ]
    expect(shown(lines, { history: 'full' })).toEqual([
      'user: old',
      'assistant: A=completed:out',
      'user: kept',
      'user: new',
    ])
    expect(shown(lines).slice(1)).toEqual(['user: kept', 'user: new'])
    // A line that was damaged later still counts, as it did when the index was written.
    const damaged = jsonl(lines).replace('"content":"old"}', '"content":"old"')
    expect(short(read(damaged).session.messages).slice(1)).toEqual(['user: kept', 'user: new'])
    expect(read(lines).session.source).toEqual({ format: 'pi', version: '1' })
  })

  it('of the second version names hooks as they were', () => {
    const hook = message('h', null, { role: 'hookMessage', customType: 'my-hook', content: 'fyi', display: true })
    const { session } = read([header({ version: 2 }), hook])
    expect(session.messages).toMatchObject([
      { role: 'user', kind: 'injected', parts: [{ text: 'fyi' }], extra: { pi: { customType: 'my-hook' } } },
    ])
  })

  it('may begin with lines of another program, or without its header', () => {
    const lines = [user('u', null, 'hi'), said('a', 'u', [text('ho')])]
    const shownTwice = ['user: hi', 'assistant: ho']
    const titled = read([{ type: 'title', v: 1, title: 'Mine' }, header(), ...lines])
    expect(titled.session.title).toBe('Mine')
    for (const found of [titled, read(lines), read(`\uFEFF\r\n{"broken\r\n${jsonl([header(), ...lines])}`)])
      expect(short(found.session.messages)).toEqual(shownTwice)
  })

  it('of the later store of the harness is refused by name', () => {
    const lines = [
      { kind: 'header', version: 4, id: 'x', createdAt: 'now' },
      { kind: 'entry', seq: 1 },
    ]
    expect(() => read(lines)).toThrow(/version 4/)
    expect(() => read([{ a: 1 }, { b: 2 }])).toThrow(ReadError)
  })
})

describe('the tree', () => {
  const lines = [
    header(),
    user('u', null, 'ask'),
    said('a1', 'u', [text('one')]),
    user('u2', 'a1', 'more'),
    said('b1', 'u', [text('two')]),
    entry('label', 'l', 'b1', { targetId: 'u', label: 'start' }),
  ]

  it('is read to its last record, whatever its kind', () => {
    const { session, branches, changes } = read(lines)
    expect(short(session.messages)).toEqual(['user: ask', 'assistant: two'])
    expect(branches).toEqual([{ leaf: 'u2', root: 'a1', parent: 'u', messages: 2, preview: 'one' }])
    expect(changes.map(({ code, at, before }) => [code, at.line, before])).toEqual([['branch-left-out', 4, 'one']])
  })

  it('is read to the record that is asked for', () => {
    const { session, branches } = read(lines, { leaf: 'u2' })
    expect(short(session.messages)).toEqual(['user: ask', 'assistant: one', 'user: more'])
    expect(branches.map(({ leaf }) => leaf)).toEqual(['l'])
    expect(() => read(lines, { leaf: 'nowhere' })).toThrow('nowhere')
  })

  it('is read to where a leaf record points', () => {
    const moved = [...lines, entry('leaf', 'x', 'l', { targetId: 'a1' })]
    expect(shown(moved)).toEqual(['user: ask', 'assistant: one'])
    expect(shown([...moved, user('u3', 'a1', 'again')])).toEqual(['user: ask', 'assistant: one', 'user: again'])
    const empty = read([...lines, entry('leaf', 'x', 'l', { targetId: null })])
    expect(empty.session.messages).toEqual([])
    expect(empty.branches).toHaveLength(2)
    const nowhere = read([...lines, entry('leaf', 'x', 'l', { targetId: 'gone' })])
    expect(short(nowhere.session.messages)).toEqual(['user: ask', 'assistant: two'])
    expect(codes(nowhere)).toContain('record-invalid')
  })

  it('may have several roots', () => {
    expect(shown([header(), user('u', null, 'first'), user('v', null, 'anew')])).toEqual(['user: anew'])
  })

  it('goes on at the record before where a parent was never written', () => {
    const found = read([header(), user('u', null, 'ask'), ...turn('A', 'gone')])
    expect(short(found.session.messages)).toEqual(['user: ask', 'assistant: A=completed:out'])
    expect(found.changes.map(({ code, before }) => [code, before])).toEqual([['history-truncated', 'gone']])
  })

  it('keeps the results of records that are stored twice', () => {
    const [asked, answered] = turn('A', 'u')
    const found = read([
      header(),
      user('u', null, 'ask'),
      asked!,
      answered!,
      answered!,
      said('z', 'rA', [text('done')]),
    ])
    expect(short(found.session.messages)).toEqual(['user: ask', 'assistant: A=completed:out', 'assistant: done'])
    expect(found.branches).toEqual([])
    expect(found.changes.map(({ code, at }) => [code, at.line])).toEqual([['record-duplicate', 4]])
  })

  it('tells of a record whose id another one has that says something else', () => {
    const lines = [header(), user('u', null, 'ask'), user('v', 'u', 'FIRST'), user('v', 'u', 'second')]
    const found = read([...lines, said('z', 'v', [text('done')])])
    expect(short(found.session.messages)).toEqual(['user: ask', 'user: second', 'assistant: done'])
    expect(found.changes.map(({ code, at }) => [code, at.line])).toEqual([['record-invalid', 3]])
    expect(found.changes[0]?.before).toContain('FIRST')
    expect(found.branches).toEqual([])
  })

  it('tells of a result that stands off the path', () => {
    const [asked, answered] = turn('A', 'u')
    const found = read([header(), user('u', null, 'ask'), asked!, answered!, user('v', asked!.id as string, 'go on')])
    expect(short(found.session.messages)).toEqual(['user: ask', 'assistant: A=interrupted', 'user: go on'])
    expect(found.branches).toEqual([
      { leaf: answered!.id, root: answered!.id, parent: asked!.id, messages: 0, preview: '' },
    ])
    expect(found.changes.map(({ code }) => code)).toEqual(['call-unfinished', 'branch-left-out'])
  })

  it('tells of a circle off the path', () => {
    const found = read([header(), user('x', 'y', 'first'), user('y', 'x', 'second'), user('u', null, 'ask')])
    expect(short(found.session.messages)).toEqual(['user: ask'])
    expect(found.branches).toEqual([{ leaf: 'y', root: 'x', messages: 2, preview: 'first' }])
    expect(found.changes.map(({ code, at }) => [code, at.line])).toEqual([['branch-left-out', 3]])
  })

  it('ends in no circle', () => {
    const circles: Line[][] = [
      [user('u', 'u', 'ask'), said('a', 'u', [text('one')])],
      [user('u', 'a', 'ask'), said('a', 'u', [text('one')])],
      [user('u', null, 'ask'), said('a', 'b', [text('one')]), entry('label', 'b', 'a')],
      // An id used twice, so that the last record with it hangs on itself.
      [user('u', null, 'ask'), said('a', 'u', [text('one')]), entry('label', 'u', 'a')],
    ]
    for (const circle of circles) expect(shown([header(), ...circle])).toEqual(['user: ask', 'assistant: one'])
  })
})

describe('compactions', () => {
  const lines = [
    header(),
    user('u1', null, 'one'),
    said('a1', 'u1', [text('first')]),
    entry('compaction', 'c1', 'a1', { summary: 'S1', firstKeptEntryId: 'a1', tokensBefore: 9 }),
    user('u2', 'c1', 'two'),
    ...turn('A', 'u2'),
    entry('compaction', 'c2', 'rA', { summary: 'S2', firstKeptEntryId: 'u2', tokensBefore: 9 }),
    user('u3', 'c2', 'three'),
  ]
  const summary = (of: string): string =>
    'summary: The conversation history before this point was compacted into the following summary:\n\n' +
    `<summary>\n${of}\n</summary>`

  it('of a path: the last one counts, with what it keeps', () => {
    const found = read(lines)
    expect(short(found.session.messages)).toEqual([
      summary('S2'),
      'user: two',
      'assistant: A=completed:out',
      'user: three',
    ])
    expect(found.changes.map(({ code, at }) => [code, at.line])).toEqual([['compaction-applied', 8]])
    expect(shown(lines, { history: 'portable' })).toEqual(short(found.session.messages))
  })

  it.each(['c2', 'gone', undefined, 7])('keep nothing where %s is the first to keep', (firstKeptEntryId) => {
    const changed = lines.with(7, entry('compaction', 'c2', 'rA', { summary: 'S2', firstKeptEntryId }))
    expect(shown(changed)).toEqual([summary('S2'), 'user: three'])
  })

  it('may keep from the middle of a turn: what has lost its call is told', () => {
    const changed = lines.with(7, entry('compaction', 'c2', 'rA', { summary: 'S2', firstKeptEntryId: 'rA' }))
    const found = read(changed)
    expect(short(found.session.messages)).toEqual([summary('S2'), 'user: three'])
    expect(codes(found)).toEqual(['compaction-applied', 'orphan-result'])
  })

  it('are left out of the full history', () => {
    const found = read(lines, { history: 'full' })
    expect(short(found.session.messages)).toEqual([
      'user: one',
      'assistant: first',
      'user: two',
      'assistant: A=completed:out',
      'user: three',
    ])
    expect(codes(found)).toEqual(['message-left-out', 'message-left-out'])
    // Where what a summary stands for is not stored, it stays.
    expect(shown([header(), ...lines.slice(7)], { history: 'full' })).toEqual([summary('S2'), 'user: three'])
  })

  it('without a summary are none', () => {
    const changed = lines.with(7, entry('compaction', 'c2', 'rA', { summary: 7, firstKeptEntryId: 'u2' }))
    expect(shown(changed)[0]).toBe(summary('S1'))
  })

  it('bring the prompt as it was then', () => {
    const system = (id: string, parent: string | null, fields: Line): Line =>
      message(id, parent, { role: 'system', ...fields })
    const base = [header(), system('s', null, { content: 'You are.', sections: { cwd: '/w' } }), user('u', 's', 'hi')]
    const later = system('s2', 'u', { content: '', sections: { cwd: '/x' } })
    const compaction = { summary: 'S', firstKeptEntryId: 's', tokensBefore: 1 }
    const own = { role: 'system', content: 'You are.', sections: { cwd: '/own' } }
    const prompt = (fields: Line): unknown =>
      read([...base, later, entry('compaction', 'c', 's2', { ...compaction, ...fields })]).session
    expect(prompt({ systemMessage: own })).toMatchObject({ instructions: [{ text: 'You are.\n\n/own' }] })
    expect(prompt({})).toMatchObject({ instructions: [{ text: 'You are.\n\n/x' }] })
    expect(prompt({})).toMatchObject({ messages: [{ kind: 'summary' }, { role: 'user' }] })
  })
})

describe('edits of earlier messages', () => {
  const lines = [
    header(),
    user('u', null, 'ask'),
    ...turn('A', 'u'),
    said('x', 'rA', [call('A'), call('B')], { stopReason: 'error' }),
    result('y', 'x', 'B', 'late'),
    ...turn('C', 'y'),
  ]
  const edit = (id: string, targetId: unknown, replacement: unknown, parent = 'rC'): Line =>
    entry('context_edit', id, parent, { targetId, replacement })

  it('stand in the place of the stored content, the newest one', () => {
    const found = read([
      ...lines,
      edit('e1', 'rC', { content: 'first' }),
      edit('e2', 'rC', { content: [text('[pruned]')] }, 'e1'),
      edit('e3', 'u', { content: 'ask (edited)' }, 'e2'),
    ])
    const shownNow = short(found.session.messages)
    expect(shownNow[0]).toBe('user: ask (edited)')
    expect(shownNow.at(-1)).toBe('assistant: C=completed:[{"type":"text","text":"[pruned]"}]')
    expect(found.changes.filter(({ before }) => before === 'ask')).toHaveLength(1)
  })

  it('take a failed attempt out, with its results', () => {
    const found = read([...lines, edit('e', 'x', null)])
    expect(short(found.session.messages)).toEqual([
      'user: ask',
      'assistant: A=completed:out',
      'assistant: C=completed:out',
    ])
    expect(codes(found)).toEqual(['message-left-out', 'message-left-out'])
  })

  it('of the wrong type change nothing', () => {
    for (const bad of [edit('e', 7, null), edit('e', 'u', 7), edit('e', 'u', {}), edit('e', 'u', { content: 7 })]) {
      const found = read([...lines, bad])
      expect(short(found.session.messages)[0]).toBe('user: ask')
      expect(codes(found)).toContain('record-invalid')
    }
  })
})
