import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { parseSession } from '../../src/model/schema.ts'
import type { Message, ToolCallEntry } from '../../src/model/session.ts'
import { reader } from '../../src/read/dirge/index.ts'
import type { ReadOptions } from '../../src/read/reader.ts'
import { readSource } from '../../src/read/source.ts'
import { dirgeFile } from './dirge-file.ts'

const message = (role: string, id: string, content: string, more: object = {}) => ({
  role,
  content,
  estimated_tokens: 2,
  id,
  timestamp: 1_780_000_000,
  tool_calls: [],
  ...more,
})
const call = (id: string, name: string, state: unknown, args: unknown = {}) => ({ id, name, args, state })

/** Tree and store of messages that follow each other as told: `[id, parent]`. */
const branching = (links: readonly (readonly [string, string | null])[], leaf: string) => ({
  tree: {
    entries: Object.fromEntries(
      links.map(([id, parent]) => [id, { id, parent, timestamp: 1, label: id === 'b' ? 'mark' : null }]),
    ),
    leaf_id: leaf,
  },
  message_store: Object.fromEntries(links.map(([id]) => [id, message('user', id, `text of ${id}`)])),
})

const read = (input: unknown, options: ReadOptions = {}) => {
  const result = reader.read(readSource(input as object), options)
  return { ...result, messages: result.session.messages, codes: result.changes.map((c) => c.code) }
}
const textsOf = (messages: readonly Message[]) =>
  messages.map((m) => m.parts.map((p) => ('text' in p ? p.text : p.type)).join('+'))
const callsOf = (messages: readonly Message[]): ToolCallEntry[] =>
  messages.flatMap((m) => (m.role === 'assistant' ? m.parts.filter((p) => p.type === 'tool-call') : []))

describe('a session file', () => {
  const stored = dirgeFile([
    message('user', 'm-1', 'list files'),
    message('assistant', 'a-1', 'Here:', {
      tool_calls: [
        call('call_1', 'bash', { kind: 'completed', result: 'a\nb' }, { command: 'ls' }),
        call('call_2', 'read', { kind: 'interrupted' }, { path: '/x' }),
        call('call_3', 'bash', { kind: 'failed', error: 'permission denied' }, { command: 'rm' }),
      ],
    }),
  ])

  it('keeps calls with their outcome behind the text, as stored', () => {
    const { session, codes } = read(stored)
    expect(parseSession(session).messages).toEqual([
      {
        role: 'user',
        id: 'm-1',
        at: '2026-05-28T20:26:40.000Z',
        parts: [{ type: 'text', text: 'list files' }],
        extra: { dirge: { estimated_tokens: 2 } },
      },
      {
        role: 'assistant',
        id: 'a-1',
        at: '2026-05-28T20:26:40.000Z',
        by: { provider: 'p', model: 'm' },
        extra: { dirge: { estimated_tokens: 2 } },
        parts: [
          { type: 'text', text: 'Here:' },
          {
            type: 'tool-call',
            id: 'call_1',
            name: 'bash',
            args: { command: 'ls' },
            state: { status: 'completed', result: 'a\nb' },
          },
          {
            type: 'tool-call',
            id: 'call_2',
            name: 'read',
            args: { path: '/x' },
            state: { status: 'interrupted' },
          },
          {
            type: 'tool-call',
            id: 'call_3',
            name: 'bash',
            args: { command: 'rm' },
            state: { status: 'failed', error: 'permission denied' },
          },
        ],
      },
    ])
    expect(codes).toEqual([])
  })

  it('keeps all else in its slot', () => {
    const { session } = read(stored)
    const { messages: _messages, id: _id, name: _name, working_dir: _cwd, created_at: _created, ...rest } = stored
    expect(session).toMatchObject({
      id: '1b0c',
      cwd: '/w',
      createdAt: '2026-06-01T00:00:00+00:00',
      source: { format: 'dirge', version: '2' },
    })
    expect(session.extra?.dirge).toEqual(rest)
    expect(session).not.toHaveProperty('title')
    expect(read(dirgeFile([], { name: 'a name' })).session.title).toBe('a name')
  })

  it('is known by its fields, whatever its version', () => {
    const detect = (input: object) => reader.detect(readSource(input))
    expect(detect(stored)).toBeGreaterThan(0.95)
    expect(detect(dirgeFile([]))).toBeGreaterThan(0.95)
    const { schema_version: _version, extra_entries: _extra, ...old } = stored
    expect(detect(old)).toBeGreaterThan(0.95)
    expect(read(old).session.source?.version).toBe('0')
    for (const other of [
      {},
      [],
      { messages: [] },
      { messages: [], provider: 'p', model: 'm' },
      { version: 1, messages: [] },
    ]) {
      expect(detect(other)).toBe(0)
    }
  })

  it('reads messages from before ids, time stamps and calls', () => {
    const { messages, codes } = read(
      dirgeFile([
        { role: 'user', content: 'hi', estimated_tokens: 1 },
        { role: 'assistant', content: 'ho', timestamp: 0 },
      ]),
    )
    expect(messages).toEqual([
      { role: 'user', parts: [{ type: 'text', text: 'hi' }], extra: { dirge: { estimated_tokens: 1 } } },
      { role: 'assistant', by: { provider: 'p', model: 'm' }, parts: [{ type: 'text', text: 'ho' }] },
    ])
    expect(codes).toEqual([])
  })

  it('makes leading system messages the instructions, and later ones messages', () => {
    const { session } = read(
      dirgeFile([message('system', 's', 'sys'), message('user', 'u', 'hi'), message('system', 't', 'note')]),
    )
    expect(session.instructions?.map((part) => part.text)).toEqual(['sys'])
    expect(session.instructions?.[0]?.extra?.dirge).toMatchObject({ id: 's', estimated_tokens: 2 })
    expect(session.messages[1]).toMatchObject({ role: 'instruction', authority: 'system', id: 't' })
  })

  it('keeps the note of an interrupted run and tells the stop', () => {
    const note = 'half\n[interrupted by user (Esc); 1 tool calls ran in this turn — results not preserved]'
    const { messages } = read(
      dirgeFile([message('assistant', 'a', note, { tool_calls: [call('c', 'bash', { kind: 'interrupted' })] })]),
    )
    expect(messages[0]).toMatchObject({ stop: 'aborted', parts: [{ text: note }, { type: 'tool-call' }] })
  })

  it('leaves arguments stored as a string a string, since the program stores values', () => {
    const { messages } = read(
      dirgeFile([message('assistant', 'a', '', { tool_calls: [call('c', 'x', { kind: 'interrupted' }, '{"a":1}')] })]),
    )
    expect(callsOf(messages)[0]?.args).toBe('{"a":1}')
    expect(messages[0]?.parts).toHaveLength(1)
  })

  it('gives each of two calls with one id its own result', () => {
    const calls = [
      call('c', 'x', { kind: 'completed', result: '1' }),
      call('c', 'x', { kind: 'completed', result: '2' }),
    ]
    const { messages, codes } = read(dirgeFile([message('assistant', 'a', '', { tool_calls: calls })]))
    expect(callsOf(messages).map((c) => c.state)).toEqual([
      { status: 'completed', result: '1' },
      { status: 'completed', result: '2' },
    ])
    expect(codes).toEqual([])
  })
})

describe('compaction', () => {
  const compaction = (summary: string, first_kept_index: number) => ({
    summary,
    first_kept_index,
    summarized_count: 12,
    token_savings: 9000,
    created_at: '2026-06-01T00:00:00+00:00',
  })
  const SUMMARY = '[Previous conversation summary]\nthey said hi'

  it('gives the summary once, though it is stored twice', () => {
    const stored = dirgeFile([message('system', 's', 'they said hi'), message('user', 'u', 'go on')], {
      compactions: [compaction('they said hi', 1)],
    })
    for (const history of ['active', 'portable', 'full'] as const) {
      const { session, codes } = read(stored, { history })
      expect(session.messages).toMatchObject([
        { role: 'user', kind: 'summary', id: 's', parts: [{ text: SUMMARY }] },
        { role: 'user', id: 'u' },
      ])
      expect(session).not.toHaveProperty('instructions')
      expect(codes).toEqual(['compaction-applied'])
    }
  })

  it('counts the last one of older files, which keep the messages', () => {
    const stored = dirgeFile(
      ['1', '2', '3', '4'].map((id) => message('user', id, `text ${id}`)),
      { compactions: [compaction('first', 1), compaction('they said hi', 3)] },
    )
    expect(textsOf(read(stored).messages)).toEqual([SUMMARY, 'text 4'])
    const full = read(stored, { history: 'full' })
    expect(textsOf(full.messages)).toEqual(['text 1', 'text 2', 'text 3', 'text 4'])
    expect(full.codes).toEqual(['message-left-out', 'message-left-out'])
    expect(full.changes.map(({ before }) => before)).toEqual(['first', 'they said hi'])
  })

  it('survives any index', () => {
    for (const index of [-1, 1e9, 0.5, null, 'x', undefined]) {
      const stored = dirgeFile([message('user', 'u', 'hi')], {
        compactions: [{ ...compaction('s', 0), first_kept_index: index }],
      })
      const kept = typeof index === 'number' && index > 1 ? [] : ['hi']
      expect(textsOf(read(stored).messages)).toEqual(['[Previous conversation summary]\ns', ...kept])
    }
  })
})

describe('branches', () => {
  // a - b - c - d is active; e - f leaves it at b, g leaves e.
  const links = [
    ['a', null],
    ['b', 'a'],
    ['c', 'b'],
    ['d', 'c'],
    ['e', 'b'],
    ['f', 'e'],
    ['g', 'e'],
  ] as const
  const active = ['a', 'b', 'c', 'd'].map((id) => message('user', id, `text of ${id}`))
  const stored = dirgeFile(active, branching(links, 'd'))

  it('are listed, and told', () => {
    const { branches, codes, session } = read(stored)
    expect(textsOf(session.messages)).toEqual(['text of a', 'text of b', 'text of c', 'text of d'])
    expect(branches).toEqual([
      { leaf: 'f', root: 'e', parent: 'b', messages: 2, preview: 'text of e' },
      { leaf: 'g', root: 'e', parent: 'b', messages: 2, preview: 'text of e' },
    ])
    expect(codes).toEqual(['branch-left-out', 'branch-left-out'])
  })

  it('are taken by their leaf', () => {
    const { messages, branches } = read(stored, { leaf: 'g' })
    expect(textsOf(messages)).toEqual(['text of a', 'text of b', 'text of e', 'text of g'])
    expect(branches).toEqual([
      { leaf: 'd', root: 'c', parent: 'b', messages: 2, preview: 'text of c' },
      { leaf: 'f', root: 'f', parent: 'e', messages: 1, preview: 'text of f' },
    ])
    expect(textsOf(read(stored, { leaf: 'b' }).messages)).toEqual(['text of a', 'text of b'])
    expect(textsOf(read(dirgeFile(active), { leaf: 'c' }).messages)).toEqual(['text of a', 'text of b', 'text of c'])
    expect(() => read(stored, { leaf: 'constructor' })).toThrow(ReadError)
  })

  it('keep the summary when they go on from behind it', () => {
    const compactions = [{ summary: 'text of a', first_kept_index: 2 }]
    const withSummary = { ...stored, compactions }
    expect(textsOf(read(withSummary, { leaf: 'g' }).messages)).toEqual([
      '[Previous conversation summary]\ntext of a',
      'text of e',
      'text of g',
    ])
    const behind = { ...stored, compactions: [{ summary: 's', first_kept_index: 3 }] }
    expect(textsOf(read(behind, { leaf: 'g' }).messages)[0]).toBe('text of a')
  })

  it('that a compaction cut away are told by their notes', () => {
    const notes = [{ root_id: 'x', parent_id: 'y', message_count: 3, preview: 'p', created_at: 'then' }, null, {}]
    const { branches, codes } = read(dirgeFile(active, { branch_summaries: notes }))
    expect(branches).toEqual([{ leaf: 'x', root: 'x', parent: 'y', messages: 3, preview: 'p' }])
    expect(codes).toEqual(['branch-left-out'])
  })

  it('may go in circles, lack messages, or end nowhere', () => {
    const odd = branching(
      [
        ['a', 'c'],
        ['b', 'a'],
        ['c', 'b'],
        ['x', 'c'],
        ['y', 'gone'],
        ['z', 'z'],
      ],
      'x',
    )
    const tree = dirgeFile([message('user', 'q', 'hi')], odd)
    expect(textsOf(read(tree, { leaf: 'x' }).messages)).toEqual(['text of a', 'text of b', 'text of c', 'text of x'])
    expect(read(tree, { leaf: 'x' }).codes).toContain('history-truncated')
    expect(read(tree, { leaf: 'y' }).codes).toContain('history-truncated')
    expect(read(tree).branches.map((branch) => branch.leaf)).toEqual(['x', 'y', 'z'])
    const hollow = dirgeFile(active, { tree: branching(links, 'd').tree })
    const { messages, codes } = read(hollow, { leaf: 'f' })
    expect(textsOf(messages)).toEqual(['text of a', 'text of b'])
    expect(codes).toContain('history-truncated')
  })

  it('are listed when every one of very many messages has a leaf of its own', () => {
    const count = 20_000
    const long = Array.from({ length: count }, (_, i) => [`n${i}`, i === 0 ? null : `n${i - 1}`] as const)
    const leaves = long.map(([id]) => [`l${id}`, id] as const)
    const { branches } = read(dirgeFile([message('user', 'q', 'hi')], branching([...long, ...leaves], 'q')))
    expect(branches).toHaveLength(count)
    expect(branches.at(-1)).toMatchObject({ leaf: `ln${count - 1}`, root: 'n0', messages: count + 1 })
  })
})

describe('hostile files', () => {
  const small = dirgeFile(
    [
      message('user', 'u', 'hi'),
      message('assistant', 'a', 'ho', {
        tool_calls: [call('c', 'bash', { kind: 'completed', result: 'R' }, { x: 1 })],
      }),
      message('user', 'v', 'end'),
    ],
    branching(
      [
        ['u', null],
        ['a', 'u'],
        ['v', 'a'],
        ['w', 'u'],
      ],
      'v',
    ),
  )

  it('lose no neighbour of a bad message or call', () => {
    const bad = [null, 7, 'x', [], {}, message('robot', 'r', 'x'), { ...message('user', 'n', ''), content: 5 }]
    const { messages, codes } = read(
      dirgeFile([
        message('user', 'u', 'hi'),
        ...bad,
        message('assistant', 'a', 'ho', {
          tool_calls: [
            null,
            { id: 1 },
            call('c', 'x', 'odd'),
            call('d', 'x', { kind: 'completed', result: 'D' }),
            { name: 'n' },
          ],
        }),
        message('user', 'v', 'end', { tool_calls: 'none', timestamp: 'now', id: 9 }),
      ]),
    )
    expect(textsOf(messages)).toEqual(['hi', 'ho+tool-call+tool-call+tool-call', 'end'])
    expect(callsOf(messages).map((c) => c.state.status)).toEqual(['interrupted', 'completed', 'interrupted'])
    expect(codes).toEqual([
      ...bad.map(() => 'record-invalid'),
      'part-invalid',
      'part-invalid',
      'part-invalid',
      // Calls of a user.
      'part-invalid',
      'call-unfinished',
    ])
  })

  it('name calls that are no list, and keep the text beside them', () => {
    const { messages, changes } = read(dirgeFile([message('assistant', 'a', 'ho', { tool_calls: 'none' })]))
    expect(textsOf(messages)).toEqual(['ho'])
    expect(changes).toMatchObject([{ code: 'part-invalid', at: { message: 0 }, before: 'none' }])
  })

  const odd = [null, 0, -1, 1e300, '', 'constructor', '__proto__', true, [], {}, [null], [{}], { a: { b: 1 } }]
  it.each(Object.keys(small))('survive anything as %s', (key) => {
    for (const value of odd) {
      const damaged = { ...small, [key]: value }
      reader.detect(readSource(damaged))
      if (key === 'messages' && !Array.isArray(value)) expect(() => read(damaged)).toThrow(ReadError)
      else expect(parseSession(read(damaged).session).messages.length).toBe(key === 'messages' ? 0 : 3)
    }
  })

  it('survive anything in any place of messages, calls and the tree', () => {
    for (const value of odd) {
      const calls = small.messages[1] as { tool_calls: object[] }
      for (const key of ['id', 'name', 'args', 'state']) {
        const damaged = { ...calls, tool_calls: [{ ...calls.tool_calls[0], [key]: value }] }
        expect(parseSession(read(dirgeFile([damaged])).session).messages).toHaveLength(1)
      }
      for (const key of ['role', 'content', 'id', 'timestamp', 'tool_calls', 'estimated_tokens']) {
        const damaged = dirgeFile([{ ...calls, [key]: value }, message('user', 'kept', 'kept')])
        expect(textsOf(parseSession(read(damaged).session).messages).at(-1)).toBe('kept')
      }
      for (const tree of [
        { entries: value },
        { entries: { u: value } },
        { entries: { u: { parent: value } }, leaf_id: value },
      ]) {
        expect(parseSession(read({ ...small, tree, message_store: value }).session).messages).toHaveLength(3)
      }
    }
  })

  it('take every name of Object.prototype for nothing special', () => {
    for (const name of Object.getOwnPropertyNames(Object.prototype)) {
      const args = JSON.parse(`{"${name}":1}`) as object
      const stored = dirgeFile([
        message(name, name, 'x'),
        message('assistant', name, 'y', { tool_calls: [call(name, name, { kind: name }, args)] }),
      ])
      const { session, messages } = read(stored)
      expect(textsOf(parseSession(session).messages)).toEqual(['y+tool-call'])
      expect(callsOf(messages)).toMatchObject([{ id: name, name, state: { status: 'interrupted' } }])
    }
  })

  it('survive every cut', () => {
    for (const text of [JSON.stringify(small), JSON.stringify(small, null, 2)]) {
      for (let cut = 0; cut < text.length; cut += 3) {
        try {
          const source = readSource(text.slice(0, cut))
          reader.detect(source)
          parseSession(reader.read(source, {}).session)
        } catch (error) {
          if (!ReadError.is(error)) throw error
        }
      }
    }
  })

  it('keep values nested too deeply as text', () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
    const text = JSON.stringify(
      dirgeFile([message('assistant', 'a', '', { tool_calls: [call('c', 'x', { kind: 'interrupted' }, 'DEEP')] })], {
        extra_entries: 'DEEP',
      }),
    )
    const { session, codes } = read(text.replaceAll('"DEEP"', deep))
    expect(callsOf(parseSession(session).messages)[0]?.args).toBe(deep)
    expect(session.extra?.dirge).toMatchObject({ extra_entries: deep })
    expect(codes).toEqual(['value-too-deep', 'value-too-deep'])
  })
})
