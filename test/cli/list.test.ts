import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { user } from '../read/claude-code-lines.ts'
import { command } from './console.ts'

const folder = mkdtempSync(join(tmpdir(), 'provider-history-cli-list-'))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (name: string, content: string, minute: number): void => {
  writeFileSync(join(folder, name), content)
  const at = new Date(Date.UTC(2026, 0, 1, 10, minute))
  utimesSync(join(folder, name), at, at)
}

write('a.jsonl', JSON.stringify(user('a', null, 'Fix \u001b[31mit', { sessionId: 'S1' })), 30)
write(
  'agent-b.jsonl',
  JSON.stringify(user('a', null, 'Look', { sessionId: 'S1', isSidechain: true, agentId: 'b' })),
  20,
)

describe('list', () => {
  it('prints each session with the command line that reads it', async () => {
    const { code, out, err } = await command(['list', folder])
    expect(code).toBe(0)
    const [first, second, ...rest] = out.split('\n')
    expect(first).toMatch(/^2026-01-01 10:30Z {2}claude-code +\d+ B {2}Fix \\x1b\[31mit$/)
    expect(second).toBe(`${' '.repeat(19)}${join(folder, 'a.jsonl')} --id S1`)
    expect(rest).toEqual([''])
    expect(err).toBe('1 session; --all also lists 1 started by others\n')
  })

  it('prints all, also as JSON', async () => {
    const { out } = await command(['list', folder, '--all', '--json'])
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { format: 'claude-code', id: 'S1' },
      { format: 'claude-code', id: 'b', parent: { id: 'S1' } },
    ])
  })

  it('says when the place is not there', async () => {
    expect(await command(['list', join(folder, 'none')])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/none: there is no such/),
    })
  })
})
