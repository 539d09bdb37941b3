import { describe, expect, it } from 'vitest'
import { command, SESSION } from './console.ts'

describe('inspect', () => {
  it('shows format, messages, calls with their state, and what reading found', async () => {
    const { code, out, err } = await command(['inspect', SESSION])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^examples\/session\.jsonl: claude-code 2\.1\.40, 5 messages, 4 calls/)
    expect(out).toMatch(/\(2 completed, 1 failed, 1 interrupted\)/)
    expect(out).toMatch(/^ {3}0 user {7}Orders of an empty cart/m)
    expect(out).toMatch(/call Read .*\[toolu_01read\] completed: export const/)
    expect(out).toMatch(/call Bash .*\[toolu_01test\] failed: Exit code 1/)
    expect(out).toMatch(/call Bash .*\[toolu_01push\] interrupted, outcome unknown/)
    expect(out).toMatch(/call-unfinished .*line 11/)
  })

  it('lists branches that were not taken, and reads one', async () => {
    const record = (uuid: string, parentUuid: string | null, content: string): string =>
      JSON.stringify({ type: 'user', uuid, parentUuid, sessionId: 's', message: { role: 'user', content } })
    const file = [record('a', null, 'first'), record('b', 'a', 'old way'), record('c', 'a', 'new way')].join('\n')
    const { out } = await command(['inspect', '-'], file)
    expect(out).toMatch(/^1 other branch, read by --leaf:\n {2}b {2}/m)
    expect(out).toContain('new way')
    const other = await command(['inspect', '-', '--leaf', 'b'], file)
    expect(other.out).toMatch(/ old way$/m)
    expect((await command(['inspect', '-', '--leaf', 'zzz'], file)).code).toBe(2)
  })

  it('leaves no gap where a session has no messages', async () => {
    const opened = { timestamp: '2026-01-01T00:00:00.000Z', type: 'session_meta', payload: { id: 's', cwd: '/w' } }
    const file = `${JSON.stringify(opened)}\n{"type":"never heard of","payload":{}}\n`
    const { out } = await command(['inspect', '-', '--from', 'codex'], file)
    expect(out).toMatch(/: codex, 0 messages, 0 calls\n(?:.+\n)*\nFound while reading:\n/)
    expect(out).not.toContain('\n\n\n')
  })

  it('says so when the file is of another format than the one asked for', async () => {
    const { code, err } = await command(['inspect', SESSION, '--from', 'codex'])
    expect(code).toBe(2)
    expect(err).toContain('nothing of this format was found')
  })

  it('shows the ends of a long session, or all of it', async () => {
    const messages = Array.from({ length: 200 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `text ${index}`,
    }))
    const argv = ['inspect', '-', '--from', 'openai-chat']
    const { out } = await command(argv, JSON.stringify(messages))
    expect(out).toMatch(/ text 0\n/)
    expect(out).toMatch(/ text 199\n/)
    expect(out).not.toMatch(/ text 100\n/)
    expect(out).toMatch(/140 messages more, shown by --all/)
    expect((await command([...argv, '--all'], JSON.stringify(messages))).out).toMatch(/ text 100\n/)
  })

  it('shows what a session would do to a terminal instead of doing it', async () => {
    const evil = '\u001b]0;owned\u0007\u202etxt.exe'
    const call = { id: evil, type: 'function', function: { name: evil, arguments: JSON.stringify({ [evil]: evil }) } }
    const messages = [
      { role: 'system', content: evil },
      { role: 'user', content: evil },
      { role: 'assistant', content: evil, tool_calls: [call] },
      { role: 'tool', tool_call_id: evil, content: evil },
      { role: 'tool', tool_call_id: `${evil}2`, content: evil },
    ]
    const { code, out } = await command(['inspect', '-', '--from', 'openai-chat'], JSON.stringify(messages))
    expect(code).toBe(0)
    expect(out.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
    expect(out).toContain('\\x1b]0;owned\\x07\\u202etxt.exe')
  })
})
