import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { result, said, text, use, user } from '../../read/claude-code-lines.ts'
import { loadClaudeCode } from './claude-code-loader.ts'
import { describeAppending, describeShared, jsonl, NOW, orphans, parsedLines, repaired, stored } from './kit.ts'

const killed = [
  user('u1', null, 'list files'),
  said('a1', 'u1', 'msg_1', text('Looking.')),
  said('a2', 'a1', 'msg_1', use('toolu_A')),
  said('a3', 'a2', 'msg_1', use('toolu_B', 'Read')),
  said('a4', 'a3', 'msg_1', use('toolu_C')),
  result('r1', 'a2', 'toolu_A', 'a.ts'),
]

describeAppending({
  name: 'Claude Code',
  load: loadClaudeCode,
  killed: { text: jsonl(killed), open: ['toolu_B', 'toolu_C'] },
  clean: jsonl([
    ...killed.slice(0, 3),
    result('r1', 'a2', 'toolu_A', 'a.ts'),
    said('a9', 'r1', 'msg_2', text('One file.')),
  ]),
})

describe('closers of Claude Code', () => {
  it('are user records on the active branch, in the envelope of the record before them', async () => {
    const path = stored(jsonl(killed))
    const { appended } = await repaired(path)
    const [first, second] = appended.map((line) => JSON.parse(line))
    expect(first).toMatchObject({
      parentUuid: 'r1',
      type: 'user',
      isSidechain: false,
      userType: 'external',
      cwd: '/w',
      sessionId: 'S',
      version: '2.1.40',
      gitBranch: 'main',
      timestamp: NOW.toISOString(),
      sourceToolAssistantUUID: 'a3',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_B', is_error: true }] },
    })
    expect(first.message.content[0].content).toMatch(/outcome is unknown: it may or may not have taken effect\. Verify/)
    expect(first.toolUseResult).toBe(`Error: ${first.message.content[0].content}`)
    expect(second).toMatchObject({ parentUuid: first.uuid, sourceToolAssistantUUID: 'a4' })
    expect(first.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('do not take the conversation back to a call that was left behind long ago', async () => {
    const path = stored(
      jsonl([
        ...killed.slice(0, 3),
        user('u2', 'a2', 'never mind'),
        said('a8', 'u2', 'msg_2', text('Fine.')),
        said('a9', 'a8', 'msg_2', use('toolu_D')),
      ]),
    )
    const { closed } = await repaired(path)
    expect(closed.map(({ id }) => id)).toEqual(['toolu_A', 'toolu_D'])
    const loaded = loadClaudeCode(readFileSync(path, 'utf8'))
    expect(orphans(loaded)).toEqual([])
    expect(loaded.calls).toContain('toolu_D')
  })

  it('are not written for other branches, nor for calls that the tool does not load', async () => {
    const path = stored(
      jsonl([
        user('u1', null, 'old'),
        said('b1', 'u1', 'msg_old', use('toolu_old')),
        said('c1', 'nowhere', 'msg_1', text('The record before was never written.')),
        user('u2', 'c1', 'new'),
        said('a1', 'u2', 'msg_2', use('toolu_new')),
      ]),
    )
    const { closed } = await repaired(path)
    expect(closed.map(({ id }) => id)).toEqual(['toolu_new'])
  })

  it('stand in the file of a sub-agent as its own', async () => {
    const side = { isSidechain: true, agentId: 'abc' }
    const path = stored(jsonl([user('u1', null, 'task', side), said('a1', 'u1', 'msg_1', use('toolu_A'), side)]))
    const { appended } = await repaired(path)
    expect(JSON.parse(appended[0]!)).toMatchObject({ ...side, parentUuid: 'a1' })
  })

  it('pass over what stands on a glued line, as the tool does', async () => {
    const glued = `${jsonl([user('u1', null, 'go')])}${JSON.stringify(said('a1', 'u1', 'msg_1', use('toolu_A')))}{"type":"summary"}\n`
    const { closed, written } = await repaired(stored(glued))
    expect({ closed, written }).toEqual({ closed: [], written: false })
  })

  it('outlive hostile records', async () => {
    const odd = [
      null,
      [],
      5,
      {},
      { type: 'user', uuid: '__proto__', parentUuid: 'constructor', message: { content: 7 } },
    ]
    const path = stored(
      [...killed.map((line) => JSON.stringify(line)), ...odd.map((line) => JSON.stringify(line)), '\u0000\u0000'].join(
        '\n',
      ),
    )
    await repaired(path)
    expect(parsedLines(readFileSync(path, 'utf8')).length).toBeGreaterThan(killed.length)
    expect(await repaired(path)).toMatchObject({ written: false })
  })
})

describeShared('claude-code', loadClaudeCode)
