import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { listSessions, readSessionDir, readSessionFile } from '../../src/files/index.ts'
import { testFolder } from '../folders.ts'
import { said, user } from '../read/claude-code-lines.ts'

let folder = ''
let clock = Date.parse('2026-05-01T12:00:00.000Z')
beforeEach(() => {
  folder = testFolder()
})

/** Each file a minute newer than the one before. */
function write(path: string, content: string | readonly object[]): string {
  const whole = join(folder, path)
  mkdirSync(dirname(whole), { recursive: true })
  const text = typeof content === 'string' ? content : content.map((record) => `${JSON.stringify(record)}\n`).join('')
  writeFileSync(whole, text)
  clock += 60_000
  utimesSync(whole, new Date(clock), new Date(clock))
  return whole
}

const task = { type: 'tool_use', id: 'toolu_task', name: 'Task', input: { prompt: 'Look' } }

const agent = (id: string): readonly object[] => {
  const fields = { isSidechain: true, agentId: id, sessionId: 'S1' }
  return [user('a', null, 'Look', fields), said('b', 'a', 'msg_2', { type: 'text', text: 'Seen' }, fields)]
}

function transcripts(notes: string | object | undefined): string {
  write('S1.jsonl', [user('a', null, 'Hello', { sessionId: 'S1' }), said('b', 'a', 'msg_1', task, { sessionId: 'S1' })])
  if (notes !== undefined) {
    write('S1/subagents/agent-x1.meta.json', typeof notes === 'string' ? notes : JSON.stringify(notes))
  }
  return write('S1/subagents/agent-x1.jsonl', agent('x1'))
}

const NOTES = { agentType: 'Explore', description: 'Look around', toolUseId: 'toolu_task' }

describe('a sub-agent of Claude Code', () => {
  it('is linked to the call that started it', async () => {
    const path = transcripts(NOTES)
    const { sessions, changes } = await readSessionDir(folder)
    expect(changes).toEqual([])
    expect(sessions.map(({ session: { id, parent, agent } }) => ({ id, parent, agent }))).toEqual([
      { id: 'x1', parent: { id: 'S1', callId: 'toolu_task' }, agent: 'Explore' },
      { id: 'S1', parent: undefined, agent: undefined },
    ])
    expect((await readSessionFile(path)).session.parent).toEqual({ id: 'S1', callId: 'toolu_task' })
    expect((await listSessions(folder)).map(({ id, parent }) => [id, parent])).toEqual([
      ['x1', { id: 'S1', callId: 'toolu_task' }],
      ['S1', undefined],
    ])
  })

  it('is not taken for the newest session of a folder', async () => {
    transcripts(NOTES)
    expect((await readSessionFile(folder)).session.id).toBe('S1')
    expect((await readSessionFile(folder, { id: 'x1' })).session.id).toBe('x1')
  })

  it('may have been started by another one', async () => {
    transcripts({ ...NOTES, parentAgentId: 'x0' })
    const { session } = await readSessionFile(folder, { id: 'x1' })
    expect(session.parent).toEqual({ id: 'x0', callId: 'toolu_task' })
  })

  it.each([
    ['no notes', undefined],
    ['notes of an older version', { agentType: 'Explore', description: 'Look around' }],
    ['notes that are cut off', '{"agentType":"Ex'],
    ['notes of another kind', '[1]'],
    ['fields of wrong types', { toolUseId: 7, agentType: {}, parentAgentId: null }],
    ['notes of no end', `{"a":"${'x'.repeat(100_000)}"}`],
  ])('is read with %s', async (_name, notes) => {
    const { session } = await readSessionFile(transcripts(notes))
    expect(session.parent).toEqual({ id: 'S1' })
    expect(session.messages).toHaveLength(2)
  })

  it('is not told by notes that are a link', async () => {
    const path = transcripts(undefined)
    const outside = write('outside.json', JSON.stringify(NOTES))
    symlinkSync(outside, path.replace('.jsonl', '.meta.json'))
    expect((await readSessionFile(path)).session.parent).toEqual({ id: 'S1' })
  })
})
