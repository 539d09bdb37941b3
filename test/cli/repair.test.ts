import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { jsonl, said, text, use, user } from '../read/claude-code-lines.ts'
import { command } from './console.ts'

const folder = mkdtempSync(join(tmpdir(), 'provider-history-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let made = 0

function stored(content: string): string {
  const path = join(folder, `${++made}.jsonl`)
  writeFileSync(path, content)
  utimesSync(path, 1e9, 1e9)
  return path
}

const evil = '\u001b]0;owned\u0007\u202e'
const killed = jsonl([
  user('u1', null, 'list files'),
  said('a1', 'u1', 'msg_1', text('Looking.')),
  said('a2', 'a1', 'msg_1', use('toolu_A')),
])

describe('repair', () => {
  it('without --write changes nothing, and shows what it would append and both requests', async () => {
    const path = stored(killed)
    const { code, out, err } = await command(['repair', path])
    expect(code).toBe(1)
    expect(err).toBe(`${path}: nothing was written; --write repairs it\n`)
    const lines = out.split('\n')
    expect(lines[0]).toBe(`${path}: claude-code, 1 open call`)
    expect(lines[1]).toBe('  Bash [toolu_A]  outcome unknown')
    expect(out).toMatch(/\nTo be appended:\n {2}\{"parentUuid":"a2",.*"tool_use_id":"toolu_A"/)
    expect(out).toMatch(/\nRequest before: anthropic, claude-opus-4-6 refuses it: 400 invalid_request_error: .*toolu_A/)
    expect(out).toMatch(/\nRequest after: anthropic, claude-opus-4-6 takes it\n/)
    expect(out).toMatch(/\n {5}2 \{"role":"user","content":\[\{"type":"tool_result","tool_use_id":"toolu_A"/)
    expect(readFileSync(path, 'utf8')).toBe(killed)
  })

  it('with --write repairs the file, and the next time there is nothing to do', async () => {
    const path = stored(killed)
    const { code, err } = await command(['repair', path, '--write'])
    expect({ code, err }).toEqual({ code: 0, err: `${path}: repaired\n` })
    expect(readFileSync(path, 'utf8').startsWith(killed)).toBe(true)
    const again = await command(['repair', path, '--write', '--force'])
    expect(again).toEqual({
      code: 0,
      out: `${path}: claude-code, 0 open calls, nothing to repair\n`,
      err: `${path}: nothing to repair, nothing was written\n`,
    })
  })

  it('refuses in a sentence what was changed just now, unless it is forced', async () => {
    const path = stored(killed)
    const now = new Date()
    utimesSync(path, now, now)
    const { code, out, err } = await command(['repair', path, '--write'])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^provider-history: .*changed less than 10 seconds ago/)
    expect((await command(['repair', path, '--write', '--force'])).code).toBe(0)
  })

  it('says what is replaced, and where the backup is', async () => {
    const history = JSON.stringify([
      {
        role: 'user',
        content: [
          { type: 'text', text: '<task>' },
          { type: 'text', text: '<environment_details>' },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'a', input: {} }],
        modelInfo: { modelId: 'm' },
      },
    ])
    const path = stored(history)
    const { code, out, err } = await command(['repair', path, '--write'])
    expect(code).toBe(0)
    expect(out).toMatch(/\nReplaced:\n {2}behind \[1\]: now \{"role":"user"/)
    expect(err).toMatch(/: repaired; as it was it stands in .*\.backup\n$/)
    expect(readdirSync(folder).some((name) => name.endsWith('.backup'))).toBe(true)
  })

  it('prints all as JSON', async () => {
    const { code, out } = await command(['repair', stored(killed), '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      format: 'claude-code',
      written: false,
      closed: [{ id: 'toolu_A', name: 'Bash' }],
      before: { api: 'anthropic', request: { messages: [{}, {}] }, violations: [{ status: 400 }, {}] },
      after: { request: { messages: [{}, {}, {}] }, violations: [] },
    })
  })

  it('shows what a file would do to a terminal instead of doing it', async () => {
    const path = stored(jsonl([user('u1', null, evil), said('a1', 'u1', 'msg_1', use(`toolu_${evil}`, evil))]))
    for (const argv of [
      ['repair', path],
      ['repair', path, '--json'],
    ]) {
      const { out, err } = await command(argv)
      expect((out + err).replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
    }
  })

  it('takes the folder of a storage tree, and names each file that it replaces', async () => {
    const tree = join(folder, 'storage')
    const put = (name: string, value: object): void => {
      mkdirSync(dirname(join(tree, name)), { recursive: true })
      writeFileSync(join(tree, name), JSON.stringify(value))
      utimesSync(join(tree, name), 1e9, 1e9)
    }
    put('session/global/ses_a.json', { title: 'T', time: { updated: 1 } })
    put('message/ses_a/msg_a.json', { role: 'user', time: { created: 1 } })
    put('part/msg_a/prt_a.json', { type: 'text', text: 'go' })
    put('message/ses_a/msg_b.json', { role: 'assistant', time: { created: 2 } })
    put('part/msg_b/prt_b.json', { type: 'tool', tool: 'bash', callID: 'call_1', state: { status: 'running' } })
    const { code, out } = await command(['repair', tree])
    expect(code).toBe(1)
    expect(out).toMatch(
      /\nTo be replaced:\n {2}part\/msg_b\/prt_b\.json state: was \{"status":"running"\}, now \{"status":"error"/,
    )
    expect(out).toMatch(/\nRequest before: .* refuses it: 400/)
    expect(out).toMatch(/\nRequest after: .* takes it\n/)
    const written = await command(['repair', tree, '--id', 'ses_a', '--write'])
    expect(written.code).toBe(0)
    expect(written.err).toMatch(/: repaired; as it was it stands in .*ses_a\.\d+T\d+Z\.backup\n$/)
    expect((await command(['repair', join(tree, 'session/global/ses_a.json')])).err).toMatch(/nothing to repair/)
  })

  it('says what is wrong with a format that is named', async () => {
    const { code, out, err } = await command(['repair', '--from', 'codex', stored(killed)])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/: this is a file of claude-code, not of codex\n$/)
    const none = await command(['repair', '--from', 'codex', stored('{"some":"thing"}')])
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining('codex: no record of a rollout found') })
  })

  it('wants a file by its name', async () => {
    expect((await command(['repair', '-'])).err).toMatch(/standard input cannot be repaired/)
    expect((await command(['repair'])).err).toMatch(/FILE is missing/)
    expect((await command(['repair', join(folder, 'missing')])).code).toBe(2)
  })
})
