import { readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { at, describeAppending, type Fields, jsonl, NOW, orphans, repair, repaired, stored } from './kit.ts'
import { loadZut, loadZutJournal, messagesOf, runningTurn } from './zut-loader.ts'

const TIME = '2026-08-01T10:00:00Z'
const meta: Fields = {
  type: 'meta',
  meta: { id: 'ab12cd34', cwd: '/w', model: 'm', provider: 'anthropic', started: TIME, version: '0.9' },
}
const row = (role: string, ...content: readonly Fields[]): Fields => ({
  type: 'message',
  message: { role, content, time: TIME },
})
const text = (value: string): Fields => ({ text: value })
const call = (id: string): Fields => ({ id, name: 'bash', arguments: { command: id } })
const result = (id: string): Fields => ({ call_id: id, content: [text('out')], is_error: false })

const asked = [meta, row('user', text('list')), row('assistant', text('ok'), call('A'), call('B'))]

describeAppending({
  name: 'zut',
  load: loadZut,
  killed: { text: jsonl(asked), open: ['A', 'B'] },
  clean: jsonl([...asked, row('tool', result('A'), result('B'))]),
  dropsTorn: true,
})

const values = (lines: readonly string[]): Fields[] => lines.map((line) => JSON.parse(line) as Fields)

describe('closers of zut', () => {
  it('of one answer stand in one tool message right behind it, where zut looks for them', async () => {
    const path = stored(jsonl(asked))
    const { appended } = await repaired(path)
    expect(values(appended)).toMatchObject([
      {
        type: 'message',
        message: {
          role: 'tool',
          time: NOW.toISOString(),
          content: [
            { call_id: 'A', is_error: true },
            { call_id: 'B', is_error: true },
          ],
        },
      },
    ])
    expect(messagesOf(readFileSync(path, 'utf8')).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(appended[0]).toContain('its outcome is unknown')
  })

  it('are left to zut where the conversation went on', async () => {
    const path = stored(jsonl([...asked, row('user', text('go on'))]))
    expect(await repaired(path)).toMatchObject({ written: false, leftToTool: [{ id: 'A' }, { id: 'B' }] })
    expect(orphans(loadZut(readFileSync(path, 'utf8')))).toEqual([])
  })

  it('are written for the results that are missing behind others, and after a compaction', async () => {
    const compaction = { type: 'compaction', messages: asked.slice(1).map(({ message }) => message) }
    const path = stored(
      jsonl([meta, row('user', text('old')), row('assistant', call('old')), compaction, row('tool', result('B'))]),
    )
    expect((await repaired(path)).closed.map(({ id }) => id)).toEqual(['A'])
    expect(orphans(loadZut(readFileSync(path, 'utf8')))).toEqual([])
  })

  it('a torn line goes also where nothing is open, since zut would not load the file', async () => {
    const whole = jsonl([meta, row('user', text('hi'))])
    const path = stored(`${whole}{"type":"mess`)
    const { written, replaced, backup } = await repaired(path)
    expect({ written, replaced }).toEqual({ written: true, replaced: [{ place: 'the end', before: '{"type":"mess' }] })
    expect(readFileSync(path, 'utf8')).toBe(whole)
    expect(statSync(backup!).mode & 0o777).toBe(0o600)
  })
})

const event = (type: string, fields: Fields = {}): Fields => ({ version: 1, type, time: TIME, ...fields })
const accepted = event('child.accepted', {
  spec: { id: 'c', session_id: 's', initial_turn_id: 't1', provider: 'anthropic', model: 'm' },
  prompt: 'go',
})
const user = event('message.user', { message: { role: 'user', content: [text('go')], time: TIME } })
const assistant = (...content: readonly Fields[]): Fields =>
  event('message.assistant', { message: { role: 'assistant', content, time: TIME } })
const called = (id: string): Fields =>
  event('tool.call', { tool_id: id, tool_name: 'bash', tool_args: { command: id } })
const gave = (id: string, value: string, IsError = false): Fields =>
  event('tool.result', {
    tool_id: id,
    tool_result: { Content: [text(value)], IsError, ActivateTools: null, Details: null, Timing: null },
  })
const turn = (type: string, fields: Fields = {}): Fields => event(type, { turn_id: 't1', ...fields })

const running = [
  accepted,
  turn('turn.accepted', { prompt: 'go' }),
  turn('turn.started'),
  user,
  assistant(call('A'), call('B')),
]

describeAppending({
  name: "zut's journal",
  load: loadZutJournal,
  killed: { text: jsonl([...running, called('A'), called('B')]), open: ['A', 'B'] },
  clean: jsonl([
    ...running.slice(0, 4),
    called('A'),
    gave('A', 'out'),
    turn('turn.finished', { outcome: 'completed' }),
  ]),
  dropsTorn: true,
})

describe("the journal of zut's children", () => {
  it('gets a result for each open call, in their order, and then the interruption of its turn', async () => {
    const path = stored(jsonl([...running, called('A'), called('B'), gave('B', 'out')]))
    const { appended } = await repaired(path)
    const [first, second] = values(appended)
    expect(first).toMatchObject({ version: 1, type: 'tool.result', time: NOW.toISOString(), tool_id: 'A' })
    expect(Object.keys(at(first, 'tool_result') as object)).toEqual([
      'Content',
      'IsError',
      'ActivateTools',
      'Details',
      'Timing',
    ])
    expect(at(first, 'tool_result', 'IsError')).toBe(true)
    expect(second).toMatchObject({ version: 1, type: 'child.interrupted', turn_id: 't1', outcome: 'interrupted' })
    expect(runningTurn(readFileSync(path, 'utf8'))).toBeUndefined()
    expect(orphans(loadZutJournal(readFileSync(path, 'utf8')))).toEqual([])
  })

  it('Z6: a turn that was queued or ran is interrupted, with its open calls, once; a second time changes not even the time', async () => {
    for (const started of [running, running.toSpliced(2, 1)]) {
      const path = stored(jsonl([...started, called('A'), called('B')]))
      const { appended } = await repaired(path)
      expect(values(appended).map(({ type, tool_id }) => [type, tool_id])).toEqual([
        ['tool.result', 'A'],
        ['tool.result', 'B'],
        ['child.interrupted', undefined],
      ])
      const text = readFileSync(path, 'utf8')
      expect(runningTurn(text)).toBeUndefined()
      const { mtimeMs } = statSync(path)
      expect(await repaired(path)).toMatchObject({ written: false, appended: [], closed: [] })
      expect(readFileSync(path, 'utf8')).toBe(text)
      expect(statSync(path).mtimeMs).toBe(mtimeMs)
    }
  })

  it('gets the record of a call that only its message names, which a result needs', async () => {
    const path = stored(jsonl([...running, called('A'), gave('A', 'out')]))
    const { appended } = await repaired(path)
    expect(values(appended).map(({ type, tool_id }) => [type, tool_id])).toEqual([
      ['tool.call', 'B'],
      ['tool.result', 'B'],
      ['child.interrupted', undefined],
    ])
    expect(values(appended)[0]).toMatchObject({ tool_name: 'bash', tool_args: { command: 'B' } })
    expect(orphans(loadZutJournal(readFileSync(path, 'utf8')))).toEqual([])
  })

  it('is interrupted where a turn waits and no call is open; a child that ended is not', async () => {
    const waiting = stored(jsonl([accepted, turn('turn.accepted', { prompt: 'go' })]))
    expect(values((await repaired(waiting)).appended)).toMatchObject([{ type: 'child.interrupted', turn_id: 't1' }])
    expect(await repaired(waiting)).toMatchObject({ written: false })
    const over = stored(
      jsonl([...running, called('A'), called('B'), gave('B', 'x'), turn('turn.finished', { outcome: 'failed' })]),
    )
    expect(values((await repaired(over)).appended)).toMatchObject([{ type: 'tool.result', tool_id: 'A' }])
  })
})

describe('Z7: a false recovery in a journal of zut', () => {
  const RESTART = 'tool interrupted by resident host restart'
  const start = [...running, called('A'), called('B')]
  const interrupted = turn('child.interrupted', { outcome: 'interrupted' })

  it('is undone: the made-up result goes, the real one stays, and the old file is kept in private', async () => {
    const lines = [...start, gave('A', RESTART, true), gave('B', RESTART, true), interrupted, gave('A', 'out')]
    const path = stored(jsonl(lines), 'transcript.jsonl')
    expect(() => loadZutJournal(jsonl(lines))).toThrow('duplicate result A')
    const { backup, replaced, closed, written } = await repaired(path)
    expect({ closed, written }).toEqual({ closed: [], written: true })
    expect(replaced).toMatchObject([{ place: 'line 8' }])
    expect(replaced[0]?.before).toContain(RESTART)
    expect(readFileSync(path, 'utf8')).toBe(jsonl(lines.toSpliced(7, 1)))
    expect(readFileSync(backup!, 'utf8')).toBe(jsonl(lines))
    expect(statSync(backup!).mode & 0o777).toBe(0o600)
    expect(orphans(loadZutJournal(readFileSync(path, 'utf8')))).toEqual([])
    expect(await repaired(path)).toMatchObject({ written: false })
  })

  it('may be one of several at once, and of our own repair', async () => {
    const path = stored(jsonl(start))
    await repaired(path)
    const late = readFileSync(path, 'utf8') + jsonl([gave('A', 'a'), gave('B', 'b')])
    const again = stored(late)
    await repaired(again)
    const ended = { ...interrupted, time: NOW.toISOString() }
    const kept = readFileSync(again, 'utf8')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Fields]))
    expect(kept).toEqual([...start, ended, gave('A', 'a'), gave('B', 'b')])
    expect(orphans(loadZutJournal(readFileSync(again, 'utf8')))).toEqual([])
  })

  it.each([
    [
      'the interruption of another turn stands between',
      [gave('A', RESTART, true), event('child.interrupted', { turn_id: 't0' }), gave('A', 'out')],
    ],
    ['something else stands between', [gave('A', RESTART, true), interrupted, user, gave('A', 'out')]],
    ['the real result came first', [gave('A', 'out'), gave('A', RESTART, true)]],
    ['there are two real results', [gave('A', 'out'), gave('A', 'other')]],
    ['there are three results', [gave('A', RESTART, true), gave('A', 'out'), gave('A', 'other')]],
    ['the first was no made-up one', [gave('A', 'exit code 1', true), interrupted, gave('A', 'out')]],
  ])('is refused where %s', async (_why, rest) => {
    const content = jsonl([...start, gave('B', 'b'), ...rest])
    const path = stored(content)
    await expect(repair(path, { write: true })).rejects.toMatchObject({ reason: 'ambiguous' })
    expect(readFileSync(path, 'utf8')).toBe(content)
  })
})
