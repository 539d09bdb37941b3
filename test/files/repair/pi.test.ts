import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, entry, header, message, result, said, text, user } from '../../read/pi-lines.ts'
import { faulty } from './faulty.ts'
import {
  age,
  at,
  describeAppending,
  describeShared,
  type Fields,
  jsonl,
  NOW,
  orphans,
  repair,
  repaired,
  stored,
} from './kit.ts'
import { loadPi } from './pi-loader.ts'

const asked = [
  header(),
  user('a', null, 'list'),
  said('b', 'a', [text('Looking.'), call('A'), call('B'), call('C')], { stopReason: 'toolUse' }),
]
const killed = [...asked, result('c', 'b', 'B', [text('out')])]

describeAppending({
  name: 'pi',
  load: loadPi,
  killed: { text: jsonl(killed), open: ['A', 'C'] },
  clean: jsonl([header(), user('a', null, 'hi'), said('b', 'a', [call('A')]), result('c', 'b', 'A', 'out')]),
})

const dispatch = entry('custom', 'd', 'c', { customType: 'oino.dispatch', data: { toolCallId: 'A', toolName: 'bash' } })

describeAppending({
  name: 'oino',
  load: loadPi,
  killed: { text: jsonl([...killed, dispatch]), open: ['A', 'C'] },
  clean: jsonl([
    ...asked.slice(0, 2),
    said('b', 'a', [call('A')]),
    { ...dispatch, parentId: 'b' },
    result('c', 'd', 'A', 'out'),
  ]),
})

const values = (lines: readonly string[]): Fields[] => lines.map((line) => JSON.parse(line) as Fields)

describe('closers of pi', () => {
  it('are results behind the leaf, one behind the other', async () => {
    const { appended, format } = await repaired(stored(jsonl(killed)))
    expect(format).toBe('pi')
    const [first, second] = values(appended)
    expect(first).toMatchObject({
      type: 'message',
      parentId: 'c',
      timestamp: NOW.toISOString(),
      message: { role: 'toolResult', toolCallId: 'A', toolName: 'bash', isError: true, timestamp: NOW.getTime() },
    })
    expect(first?.id).toMatch(/^[0-9a-f]{8}$/)
    expect(second).toMatchObject({ parentId: first?.id, message: { toolCallId: 'C' } })
    expect(JSON.stringify(at(first, 'message', 'content'))).toContain('its outcome is unknown')
  })

  it.each([
    ['a prompt came later', [user('d', 'c', 'go on')]],
    ['an answer came later', [said('d', 'c', [text('done')])]],
    ['a message of an extension came later', [entry('custom_message', 'd', 'c', { customType: 'x', content: 'y' })]],
  ])('are left to pi where %s', async (_why, later) => {
    const path = stored(jsonl([...killed, ...later]))
    const result = await repaired(path)
    expect(result).toMatchObject({ written: false, closed: [], leftToTool: [{ id: 'A' }, { id: 'C' }] })
    expect(orphans(loadPi(readFileSync(path, 'utf8')))).toEqual([])
  })

  it('are not written for answers that failed or were aborted, which pi takes away', async () => {
    for (const stopReason of ['error', 'aborted']) {
      const path = stored(jsonl([header(), user('a', null, 'hi'), said('b', 'a', [call('A')], { stopReason })]))
      expect(await repaired(path)).toMatchObject({ written: false, closed: [] })
      expect(orphans(loadPi(readFileSync(path, 'utf8')))).toEqual([])
    }
  })

  it('heed what was edited out of the context, and notes in between', async () => {
    const path = stored(
      jsonl([
        ...asked,
        user('c', 'b', 'a retry that is hidden'),
        entry('context_edit', 'd', 'c', { targetId: 'c', replacement: null }),
        entry('label', 'e', 'd', { targetId: 'a', label: 'start' }),
      ]),
    )
    expect((await repaired(path)).closed.map(({ id }) => id)).toEqual(['A', 'B', 'C'])
    expect(orphans(loadPi(readFileSync(path, 'utf8')))).toEqual([])
  })

  it('stand on the active branch', async () => {
    const path = stored(jsonl([...asked, user('x', 'a', 'another way'), said('y', 'x', [call('D')])]))
    const { appended, closed } = await repaired(path)
    expect(closed.map(({ id }) => id)).toEqual(['D'])
    expect(values(appended)[0]).toMatchObject({ parentId: 'y' })
  })

  it('link nothing in a file of the first version', async () => {
    const bare = killed.map(({ id, parentId, ...rest }) => rest)
    const path = stored(
      jsonl([{ type: 'session', id: 'S', timestamp: NOW.toISOString(), cwd: '/w' }, ...bare.slice(1)]),
    )
    const { appended } = await repaired(path)
    expect(values(appended).map((one) => Object.keys(one))).toEqual([
      ['type', 'timestamp', 'message'],
      ['type', 'timestamp', 'message'],
    ])
    expect(orphans(loadPi(readFileSync(path, 'utf8')))).toEqual([])
  })
})

describe('closers of oino', () => {
  it('O4, O5: say of each call whether it was started, and one record says what was closed, and is synced', async () => {
    const { files, faults } = faulty(0, 'once')
    const path = stored(`${jsonl([...killed, dispatch])}{"type":"mess`)
    const { appended, format, closed, changes } = await repair(path, { write: true }, { files })
    expect(format).toBe('oino')
    expect(faults.log.map((one) => one.split(' ')[0]).slice(-4)).toEqual(['write', 'sync', 'stat', 'close'])
    expect(changes.map(({ code }) => code)).toContain('line-torn')
    expect(closed).toEqual([
      { id: 'A', name: 'bash', dispatched: true },
      { id: 'C', name: 'bash', dispatched: false },
    ])
    const [first, second, note] = values(appended)
    expect(JSON.stringify(first)).toContain('outcome is unknown')
    expect(JSON.stringify(second)).toContain('interrupted before it started; it was not run')
    expect(note).toMatchObject({
      type: 'custom',
      parentId: second?.id,
      timestamp: NOW.toISOString(),
      data: {
        closed: [
          { toolCallId: 'A', dispatched: true },
          { toolCallId: 'C', dispatched: false },
        ],
        tornTail: true,
      },
    })
    expect(JSON.stringify(first)).toContain('Verify the current state before running it again.')
    age(path)
    const text = readFileSync(path, 'utf8')
    expect(await repair(path, { write: true })).toMatchObject({ written: false, appended: [] })
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('O2, O3: only come behind what is there: a torn last line gets an end first, a whole one without a newline too', async () => {
    const text = jsonl([...killed, dispatch])
    for (const [start, between] of [
      [text, ''],
      [text.trimEnd(), '\n'],
      [`${text}{"type":"mess`, '\n'],
    ] as const) {
      const path = stored(start)
      const { appended } = await repaired(path)
      expect(appended).toHaveLength(3)
      expect(readFileSync(path, 'utf8')).toBe(`${start}${between}${appended.map((line) => `${line}\n`).join('')}`)
    }
  })

  it('O6, O7: make no call again, are written once, and not at all when the system fails or there is no file', async () => {
    const text = jsonl([...killed, dispatch])
    const path = stored(text)
    const { files } = faulty(5, 'once')
    await expect(repair(path, { write: true }, { files })).rejects.toMatchObject({ reason: 'io' })
    expect(readFileSync(path, 'utf8')).toBe(text)
    const missing = join(dirname(path), 'never.jsonl')
    await expect(repair(missing, { write: true })).rejects.toMatchObject({ reason: 'io' })
    expect(existsSync(missing)).toBe(false)
    const { appended } = await repaired(path)
    expect(values(appended).map((one) => at(one, 'message', 'role') ?? one.customType)).toEqual([
      'toolResult',
      'toolResult',
      'oino.repair',
    ])
    expect((await repaired(path)).appended).toEqual([])
  })

  it('are not written into files of records, whose first line names their last', async () => {
    const records = [
      { record: 'header', header: { version: 1, session_id: 's', cwd: '/w' }, leaf_id: 'b' },
      {
        record: 'entry',
        entry: { id: 'b', parent: null, kind: { kind: 'message', message: { kind: 'user', id: 'u', content: [] } } },
      },
    ]
    await expect(repair(stored(jsonl(records)))).rejects.toMatchObject({ reason: 'unsupported' })
  })
})

it('hostile entries cost nothing', async () => {
  const odd = [
    null,
    [],
    { type: '__proto__', id: 'constructor', parentId: 'b' },
    message('z', 'constructor', { role: 'toString' }),
  ]
  const path = stored(jsonl([...killed, ...(odd as object[])]))
  await repaired(path)
  expect(await repaired(path)).toMatchObject({ written: false })
})

describeShared('pi', loadPi)
