import { describe, expect, it } from 'vitest'
import { ReadError } from '../../src/model/error.ts'
import { codes, jsonl, type Line, link, read, result, said, short, text, use, user } from './claude-code-lines.ts'

const ask = (n: number, parent: string | null): Line => user(`u${n}`, parent, `ask ${n}`)
const reply = (n: number, parent: string): Line => said(`a${n}`, parent, `m${n}`, text(`reply ${n}`))

describe('rewinds', () => {
  const lines = [ask(1, null), reply(1, 'u1'), ask(2, 'a1'), reply(2, 'u2'), ask(3, 'a1'), reply(3, 'u3')]

  it('leave the branch out that was left', () => {
    const found = read(lines)
    expect(short(found.session.messages)).toEqual([
      'user: ask 1',
      'assistant: reply 1',
      'user: ask 3',
      'assistant: reply 3',
    ])
    expect(found.branches).toEqual([{ leaf: 'a2', root: 'u2', parent: 'a1', messages: 2, preview: 'ask 2' }])
    expect(codes(found)).toEqual(['branch-left-out'])
  })

  it('are read the other way by `leaf`', () => {
    const found = read(lines, { leaf: 'a2' })
    expect(short(found.session.messages).slice(2)).toEqual(['user: ask 2', 'assistant: reply 2'])
    expect(found.branches).toEqual([{ leaf: 'a3', root: 'u3', parent: 'a1', messages: 2, preview: 'ask 3' }])
  })

  it('tell of a circle off the conversation', () => {
    const found = read([user('x', 'y', 'first'), user('y', 'x', 'second'), user('u', null, 'ask')])
    expect(short(found.session.messages)).toEqual(['user: ask'])
    expect(found.branches).toEqual([{ leaf: 'y', root: 'x', messages: 2, preview: 'first' }])
    expect(codes(found)).toEqual(['branch-left-out'])
  })

  it('refuse a leaf that is not stored', () => {
    for (const leaf of ['gone', '__proto__', 'constructor']) {
      expect(() => read(lines, { leaf })).toThrow(ReadError)
    }
  })

  it('never give the abandoned branch its results back', () => {
    const found = read([
      ask(1, null),
      said('a1', 'u1', 'm1', use('A')),
      result('r1', 'a1', 'A', 'old'),
      ask(2, 'u1'),
      reply(2, 'u2'),
    ])
    expect(short(found.session.messages)).toEqual(['user: ask 1', 'user: ask 2', 'assistant: reply 2'])
    expect(codes(found)).toEqual(['branch-left-out'])
  })
})

describe('several roots', () => {
  it('end with the newest conversation', () => {
    const found = read([ask(1, null), reply(1, 'u1'), ask(2, null), reply(2, 'u2')])
    expect(short(found.session.messages)).toEqual(['user: ask 2', 'assistant: reply 2'])
    expect(found.branches).toEqual([{ leaf: 'a1', root: 'u1', messages: 2, preview: 'ask 1' }])
  })
})

describe('the last record', () => {
  it('may be injected: no old side branch is taken for it', () => {
    const lines = [ask(1, null), reply(1, 'u1'), ask(2, 'a1'), ask(3, 'a1'), user('n1', 'u3', 'note', { isMeta: true })]
    expect(short(read(lines).session.messages)).toEqual([
      'user: ask 1',
      'assistant: reply 1',
      'user: ask 3',
      'injected: note',
    ])
  })

  it('may be a result that was written long after the conversation went on', () => {
    const found = read([
      ask(1, null),
      said('c1', 'u1', 'm1', use('A')),
      said('c2', 'c1', 'm1', use('B')),
      result('rB', 'c2', 'B', '2'),
      ask(2, 'rB'),
      reply(2, 'u2'),
      result('rA', 'c1', 'A', '1'),
    ])
    expect(short(found.session.messages)).toEqual([
      'user: ask 1',
      'assistant: A=completed:1, B=completed:2',
      'user: ask 2',
      'assistant: reply 2',
    ])
    expect(found.branches).toEqual([])
  })

  it('may be a progress record that hangs on an old message', () => {
    const late = link('progress', 'p1', 'a1', { data: { type: 'bash_progress' } })
    const found = read([ask(1, null), reply(1, 'u1'), ask(2, 'a1'), reply(2, 'u2'), late])
    expect(short(found.session.messages)).toHaveLength(4)
  })

  it('may be one of parallel results', () => {
    const found = read([
      ask(1, null),
      said('a1', 'u1', 'm1', use('A')),
      said('a2', 'a1', 'm1', use('B')),
      result('rB', 'a2', 'B', '2'),
      result('rA', 'a1', 'A', '1'),
    ])
    expect(short(found.session.messages)[1]).toBe('assistant: A=completed:1, B=completed:2')
    expect(found.branches).toEqual([])
  })
})

const boundary = (uuid: string, before: string, fields: Line = {}): Line =>
  link('system', uuid, null, { subtype: 'compact_boundary', logicalParentUuid: before, ...fields })
const summary = (uuid: string, parent: string | null): Line =>
  user(uuid, parent, `so far ${uuid}`, { isCompactSummary: true, isVisibleInTranscriptOnly: true })

describe('compactions', () => {
  const lines = [
    ask(1, null),
    said('a1', 'u1', 'm1', use('A')),
    said('a1b', 'a1', 'm1', use('B')),
    result('r1', 'a1', 'A', 'ok'),
    result('r2', 'a1b', 'B', 'ok'),
    boundary('b1', 'r2'),
    summary('s1', 'b1'),
    ask(2, 's1'),
    reply(2, 'u2'),
  ]

  it.each([undefined, 'active', 'portable'] as const)('begin the history with the summary (%s)', (history) => {
    const found = read(lines, { history })
    expect(short(found.session.messages)).toEqual(['summary: so far s1', 'user: ask 2', 'assistant: reply 2'])
    expect(codes(found)).toEqual(['compaction-applied'])
    expect(found.branches).toEqual([])
  })

  it('are passed over by the full history', () => {
    const found = read(lines, { history: 'full' })
    expect(short(found.session.messages)).toEqual([
      'user: ask 1',
      'assistant: A=completed:ok, B=completed:ok',
      'user: ask 2',
      'assistant: reply 2',
    ])
    expect(codes(found)).toEqual(['message-left-out'])
  })

  it('keep their summary in the full history when what it stands for is not stored', () => {
    const found = read([boundary('b1', 'gone'), summary('s1', 'b1'), ask(2, 's1'), reply(2, 'u2')], { history: 'full' })
    expect(short(found.session.messages)[0]).toBe('summary: so far s1')
    expect(codes(found)).toEqual(['history-truncated'])
  })

  it('go on at the newest earlier message when the one that they name is not stored', () => {
    const found = read([ask(1, null), reply(1, 'u1'), boundary('b1', 'gone'), summary('s1', 'b1'), ask(2, 's1')], {
      history: 'full',
    })
    expect(short(found.session.messages)).toEqual(['user: ask 1', 'assistant: reply 1', 'user: ask 2'])
  })

  it('may follow one another', () => {
    const twice = [...lines, boundary('b2', 'a2'), summary('s2', 'b2'), ask(3, 's2')]
    expect(short(read(twice).session.messages)).toEqual(['summary: so far s2', 'user: ask 3'])
    expect(short(read(twice, { history: 'full' }).session.messages)).toEqual([
      'user: ask 1',
      'assistant: A=completed:ok, B=completed:ok',
      'user: ask 2',
      'assistant: reply 2',
      'user: ask 3',
    ])
  })

  it('that lost their summary line still keep the history', () => {
    const lost = [ask(1, null), reply(1, 'u1'), boundary('b1', 'a1'), ask(2, 's1')]
    expect(short(read(lost).session.messages)).toEqual(['user: ask 1', 'assistant: reply 1', 'user: ask 2'])
    expect(codes(read(lost))).toEqual(['history-truncated'])
  })

  it('report results whose calls were cut away', () => {
    const cut = read([
      ask(1, null),
      said('a1', 'u1', 'm1', use('A')),
      boundary('b1', 'a1'),
      summary('s1', 'b1'),
      result('r1', 's1', 'A', 'ok'),
      reply(2, 'r1'),
    ])
    expect(short(cut.session.messages)).toEqual(['summary: so far s1', 'assistant: reply 2'])
    expect(codes(cut)).toEqual(['compaction-applied', 'orphan-result'])
  })

  it.each([
    ['a list', { preservedMessages: { anchorUuid: 's1', uuids: ['u1', 'a1'], allUuids: ['u1', 'a1', 'never'] } }],
    ['a segment', { preservedSegment: { headUuid: 'u1', anchorUuid: 's1', tailUuid: 'a1' } }],
  ])('keep messages verbatim behind the summary: %s', (_, compactMetadata) => {
    const kept = [ask(0, null), ask(1, 'u0'), reply(1, 'u1'), boundary('b1', 'a1', { compactMetadata })]
    expect(short(read([...kept, summary('s1', 'b1'), ask(2, 's1')]).session.messages)).toEqual([
      'summary: so far s1',
      'user: ask 1',
      'assistant: reply 1',
      'user: ask 2',
    ])
  })

  it('ignore a list of which a record was never written', () => {
    const compactMetadata = { preservedMessages: { anchorUuid: 's1', uuids: ['a1', 'never'] } }
    const found = read([ask(1, null), reply(1, 'u1'), boundary('b1', 'a1', { compactMetadata }), summary('s1', 'b1')])
    expect(short(found.session.messages)).toEqual(['summary: so far s1'])
  })

  it('of memory only keep all results', () => {
    const micro = link('system', 'b1', 'r1', {
      subtype: 'microcompact_boundary',
      microcompactMetadata: { compactedToolIds: ['A'] },
    })
    const found = read([
      ask(1, null),
      said('a1', 'u1', 'm1', use('A')),
      result('r1', 'a1', 'A', 'ok'),
      micro,
      reply(2, 'b1'),
    ])
    expect(short(found.session.messages)[1]).toBe('assistant: A=completed:ok')
  })
})

describe('side chains', () => {
  const side = (line: Line, agentId?: string): Line => ({ ...line, isSidechain: true, ...(agentId ? { agentId } : {}) })
  const inline = [
    ask(1, null),
    said('a1', 'u1', 'm1', use('T', 'Task')),
    side(user('x1', null, 'explore')),
    side(said('x2', 'x1', 'mx', text('found'))),
    result('r1', 'a1', 'T', 'found'),
  ]

  it('are no part of the main conversation, also when they come last', () => {
    for (const lines of [inline, [...inline.slice(0, 2), inline[4]!, inline[2]!, inline[3]!]]) {
      const found = read(lines)
      expect(short(found.session.messages)).toEqual(['user: ask 1', 'assistant: T=completed:found'])
      expect(found.branches).toEqual([{ leaf: 'x2', root: 'x1', messages: 2, preview: 'explore' }])
    }
  })

  it('are read by their leaf', () => {
    const { session } = read(inline, { leaf: 'x2' })
    expect(short(session.messages)).toEqual(['user: explore', 'assistant: found'])
    expect(session.parent).toEqual({ id: 'S' })
  })

  it('fill a file of their own', () => {
    const own = [side(user('x1', null, 'explore'), 'ag1'), side(said('x2', 'x1', 'mx', text('found')), 'ag1')]
    const { session } = read(own)
    expect(short(session.messages)).toEqual(['user: explore', 'assistant: found'])
    expect(session).toMatchObject({ id: 'ag1', agent: 'ag1', parent: { id: 'S' } })
  })

  it('get the same completion of parallel results', () => {
    const own = [
      user('x1', null, 'explore'),
      said('x2', 'x1', 'mx', use('A')),
      said('x3', 'x2', 'mx', use('B')),
      result('y1', 'x2', 'A', '1'),
      result('y2', 'x3', 'B', '2'),
      said('x4', 'y2', 'my', text('found')),
    ].map((line) => side(line, 'ag1'))
    expect(short(read(own).session.messages)[1]).toBe('assistant: A=completed:1, B=completed:2')
  })

  it('of team members are left out alike', () => {
    const found = read([ask(1, null), reply(1, 'u1'), { ...ask(2, 'a1'), teamName: 'crew' }])
    expect(short(found.session.messages)).toEqual(['user: ask 1', 'assistant: reply 1'])
  })
})

describe('damage', () => {
  it('a missing parent: goes on at the newest earlier message, so that the prompt is not lost', () => {
    const found = read([ask(1, null), reply(1, 'u1'), reply(2, 'never-written'), ask(3, 'a2')])
    expect(short(found.session.messages)).toEqual([
      'user: ask 1',
      'assistant: reply 1',
      'assistant: reply 2',
      'user: ask 3',
    ])
    expect(found.changes).toMatchObject([{ code: 'history-truncated', at: { line: 3 }, before: 'never-written' }])
  })

  it('a missing parent: never goes on in the conversation of another agent', () => {
    const side = { ...user('x1', null, 'explore'), isSidechain: true }
    const found = read([ask(1, null), side, reply(2, 'never-written')])
    expect(short(found.session.messages)).toEqual(['user: ask 1', 'assistant: reply 2'])
  })

  it('a missing parent at the very beginning', () => {
    const found = read([reply(1, 'cut'), ask(2, 'a1')])
    expect(short(found.session.messages)).toEqual(['assistant: reply 1', 'user: ask 2'])
    expect(codes(found)).toEqual(['history-truncated'])
  })

  it('records of one id that say different things: one is left out, with what it says', () => {
    const found = read([user('u1', null, 'one'), said('a1', 'u1', 'm1', text('ok')), user('u1', 'a1', 'another')])
    expect(found.changes).toMatchObject([
      { code: 'record-invalid', at: { line: 1 }, before: '[{"type":"text","text":"one"}]' },
      { code: 'history-truncated' },
    ])
  })

  it('records written twice: the copy counts whose parent is stored', () => {
    const lost = said('a1', 'never-written', 'm1', text('reply 1'))
    const found = read([ask(1, null), lost, ask(1, null), reply(1, 'u1'), ask(2, 'a1')])
    expect(short(found.session.messages)).toEqual(['user: ask 1', 'assistant: reply 1', 'user: ask 2'])
    expect(found.changes).toMatchObject([
      { code: 'record-duplicate', at: { line: 3 } },
      { code: 'record-duplicate', at: { line: 2 } },
    ])
  })

  it('a circle of parents', () => {
    const found = read([ask(1, 'a2'), reply(1, 'u1'), ask(2, 'a1'), reply(2, 'u2')])
    expect(short(found.session.messages)).toEqual([
      'user: ask 1',
      'assistant: reply 1',
      'user: ask 2',
      'assistant: reply 2',
    ])
    expect(codes(found)).toEqual(['history-truncated'])
  })

  it('a record that is its own parent', () => {
    const found = read([ask(1, null), reply(1, 'a1'), ask(2, 'a1')])
    expect(short(found.session.messages)).toEqual(['user: ask 1', 'assistant: reply 1', 'user: ask 2'])
  })

  it('glued records', () => {
    const glued = jsonl([ask(1, null)]) + JSON.stringify(reply(1, 'u1')) + jsonl([ask(2, 'a1')])
    const found = read(glued)
    expect(short(found.session.messages)).toEqual(['user: ask 1', 'assistant: reply 1', 'user: ask 2'])
    expect(codes(found)).toEqual(['line-glued'])
  })

  it('a torn last line', () => {
    const found = read(jsonl([ask(1, null), reply(1, 'u1')]) + JSON.stringify(ask(2, 'a1')).slice(0, 60))
    expect(short(found.session.messages)).toEqual(['user: ask 1', 'assistant: reply 1'])
    expect(codes(found)).toEqual(['line-torn'])
  })

  it('a bad line in the middle', () => {
    const found = read(`${jsonl([ask(1, null)])}{"type":"assi\n${jsonl([ask(2, 'a1')])}`)
    expect(short(found.session.messages)).toEqual(['user: ask 1', 'user: ask 2'])
    expect(codes(found)).toEqual(['line-unreadable', 'history-truncated'])
  })

  it('a resume above an interrupted branch', () => {
    const note = said('a9', 'u1', 'x', text('No response requested.'), {
      message: { id: 'x', model: '<synthetic>', content: [text('No response requested.')] },
    })
    const found = read([
      ask(1, null),
      reply(1, 'u1'),
      user('i1', 'a1', '[Request interrupted by user]'),
      note,
      ask(2, 'a9'),
    ])
    expect(short(found.session.messages)).toEqual(['user: ask 1', 'user: ask 2'])
    expect(codes(found)).toEqual(['message-left-out', 'branch-left-out'])
  })
})
