import { describe, expect, it } from 'vitest'
import { reader } from '../../src/read/pi/index.ts'
import { growth, LINEAR } from '../hostile/growth.ts'
import { FULL } from '../laws/runs.ts'
import { callsOf, codes, short } from './claude-code-lines.ts'
import { batter, batterValues, damagedLines, jsonl, type Line, PROTOTYPE_NAMES, survives } from './hostile.ts'
import { call, entry, header, message, read, result, said, text, user } from './pi-lines.ts'

/** Every kind of record and of block that the reader looks into. */
const SESSION: readonly Line[] = [
  header({ parentSession: '/s/x_y.jsonl' }),
  entry('model_change', 'm', null, { provider: 'p', modelId: 'm' }),
  message('s', 'm', { role: 'system', content: [text('You')], sections: { a: 'b' }, toolsAdded: [{ name: 't' }] }),
  user('u1', 's', [text('ask'), { type: 'image', data: 'AA', mimeType: 'image/png' }]),
  said('a1', 'u1', [{ type: 'thinking', thinking: 'hm', thinkingSignature: 's' }, call('A'), call('B')], {
    usage: { input: 1, cost: { total: 1 } },
    errorMessage: 'e',
  }),
  result('r1', 'a1', 'A', [text('out')], { details: { synthetic: true }, isError: true }),
  entry('custom', 'd', 'r1', { customType: 'tool.dispatch', data: { toolCallId: 'B', readOnly: true } }),
  entry('custom', 'p', 'd', { customType: 'repair', data: { closed: [{ id: 'A', dispatched: true }], torn: true } }),
  entry('custom_message', 'c', 'p', { customType: 'x', content: 'note', display: true }),
  message('b', 'c', { role: 'bashExecution', command: 'ls', output: 'o', exitCode: 1 }),
  entry('branch_summary', 'bs', 'b', { fromId: 'x', summary: 'tried' }),
  entry('context_edit', 'e', 'bs', { targetId: 'c', replacement: { content: 'edited' } }),
  entry('compaction', 'k', 'e', {
    summary: 'S',
    firstKeptEntryId: 'a1',
    systemMessage: { role: 'system', content: 'P' },
  }),
  said('a2', 'k', [text('reply', { textSignature: 'x' })], { api: 'openai-responses' }),
  entry('label', 'l', 'a2', { targetId: 'u1', label: 'x' }),
  entry('leaf', 'f', 'l', { targetId: 'l' }),
]

describe('damage', () => {
  it('of bytes is survived', () => {
    const linear = SESSION.map(({ id: _id, parentId: _parent, ...line }) => line)
    const runs = batter(reader, jsonl(SESSION)) + (FULL ? batter(reader, jsonl(linear), { history: 'full' }) : 0)
    console.info(`pi: ${runs} cuts and flips`)
  })

  it('of values is survived', () => {
    const runs = batterValues(reader, SESSION, FULL ? [{}, { history: 'full' }, { leaf: 'r1' }] : [{}])
    console.info(`pi: ${runs} damaged values`)
    expect(runs).toBeGreaterThan(100)
  })

  it('of one record costs no other', () => {
    const words = ['ask', 'hm', 'note', 'Ran `ls`', 'tried', 'reply']
    // Of the first user, answer, note, command, branch summary and last answer.
    const places = [3, 4, 8, 9, 10, 13]
    const plain = SESSION.filter(({ type }) => type !== 'context_edit' && type !== 'leaf')
    let tried = 0
    for (const { lines, index } of damagedLines(plain, ['type', 'message'])) {
      // A record without a parent is a root: a conversation of its own.
      if (lines[index]?.parentId === null && plain[index]?.parentId !== null) continue
      const found = JSON.stringify(survives(reader, jsonl(lines), { history: 'full' })?.session.messages)
      const wanted = words.filter((_, place) => places[place] !== index)
      expect(wanted.filter((word) => !found.includes(word))).toEqual([])
      tried++
    }
    expect(tried).toBeGreaterThan(150)
  })

  it('that cuts the file keeps all whole records', () => {
    const whole = jsonl(SESSION)
    for (let end = 1; end < whole.length; end += FULL ? 1 : 7) {
      const count = whole.slice(0, end + 1).split('\n').length - 1
      const cut = survives(reader, whole.slice(0, end), { history: 'full' })
      const wanted = count === 0 ? undefined : read(SESSION.slice(0, count), { history: 'full' }).session.messages
      expect(cut?.session.messages ?? []).toEqual(wanted ?? [])
    }
  })
})

describe('names of Object.prototype', () => {
  it.each(PROTOTYPE_NAMES)('%s is an id and a name like any other', (name) => {
    const found = read([
      header({ id: name }),
      user(name, null, 'ask'),
      said('a1', name, [call(name, { name }), { type: name }]),
      result('r1', 'a1', name, 'out', { toolName: name }),
      entry(name, 'x', 'r1', { [name]: 1 }),
      message('y', 'x', { role: name, content: 'z' }),
      entry('context_edit', 'e', 'y', { targetId: name, replacement: { content: 'asked' } }),
    ])
    expect(short(found.session.messages)).toEqual(['user: asked', `assistant: ${name}=completed:out`])
    expect(codes(found).sort()).toEqual(['compaction-applied', 'part-invalid', 'record-unknown', 'record-unknown'])
  })

  it('as keys of arguments stay what they are', () => {
    const input = JSON.parse('{"__proto__":{"x":1},"constructor":2,"toString":3}') as Line
    const { session } = read([header(), said('a', null, [call('A', { arguments: input })])])
    expect(JSON.stringify(callsOf(session.messages)[0]?.args)).toBe(JSON.stringify(input))
  })
})

describe('sizes', () => {
  const count = FULL ? 100_000 : 4096
  const many =
    (line: (index: number, length: number) => Line) =>
    (length: number): Line[] => [header(), ...Array.from({ length }, (_, i) => line(i, length))]
  const above = (index: number): string | null => (index === 0 ? null : `x${index - 1}`)

  it.each<[string, (count: number) => Line[]]>([
    ['prompts', many((i) => user(`x${i}`, above(i), 'hi'))],
    ['branches of one record', many((i) => user(`x${i}`, i === 0 ? null : 'x0', 'hi'))],
    ['missing parents', many((i) => user(`x${i}`, `gone${i}`, 'hi'))],
    ['forward parents', many((i, length) => user(`x${i}`, `x${length - 1 - i}`, 'hi'))],
    ['records of one id', many((i) => user('x', i === 0 ? null : 'x', 'hi'))],
    ['edits', many((i) => entry('context_edit', `x${i}`, above(i), { targetId: 'x0', replacement: null }))],
    ['compactions', many((i) => entry('compaction', `x${i}`, above(i), { summary: 's', firstKeptEntryId: 'x0' }))],
    ['calls of one id', many((i) => said(`x${i}`, above(i), [call('A')], { stopReason: 'aborted' }))],
    [
      'dispatches of one call',
      many((i) => entry('custom', `x${i}`, above(i), { customType: 'dispatch', data: { id: 'A' } })),
    ],
  ])('%s', async (_what, lines) => {
    const both = (fewer: number): void => {
      const source = jsonl(lines(fewer))
      read(source)
      read(source, { history: 'full' })
    }
    expect(await growth(count, both)).toBeLessThan(LINEAR)
  })

  it('deep values are kept as text', () => {
    const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`
    const lines = jsonl([header(), said('a', null, [call('A', { arguments: { deep: 'DEEP' } })])]).replace(
      '"DEEP"',
      deep,
    )
    const found = read(lines)
    expect(codes(found)).toContain('value-too-deep')
    expect(callsOf(found.session.messages)[0]?.args).toBe(`{"deep":${deep}}`)
  })
})
