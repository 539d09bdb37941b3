import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { command, SESSION } from './console.ts'

const folder = mkdtempSync(join(tmpdir(), 'provider-history-'))
afterAll(() => rmSync(folder, { recursive: true }))

const MISSING =
  'messages.7: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01push. Each `tool_use` block must have a corresponding `tool_result` block in the next message.'
const BODY = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: MISSING } })

describe('explain', () => {
  it('says which rules a text can stand for, and what obeys them', async () => {
    const { code, out, err } = await command(['explain', MISSING])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const [head, rule, meaning, repair] = out.split('\n')
    expect(head).toBe('anthropic, at messages.7, names toolu_01push')
    expect(rule).toBe('anthropic/tool-result-missing')
    expect(meaning).toMatch(/^ {4}A call has no result/)
    expect(repair).toMatch(/^ {4}Writers .*`texts`/)
  })

  it('takes a text without quotes around it, a file, and standard input', async () => {
    const file = join(folder, 'error.json')
    writeFileSync(file, BODY)
    const wanted = await command(['explain', MISSING])
    for (const [argv, stdin] of [
      [['explain', ...MISSING.split(' ')], ''],
      [['explain', file], ''],
      [['explain', '-'], BODY],
      [['explain'], `API Error: 400 ${BODY}\n`],
    ] as const) {
      expect(await command(argv, stdin)).toEqual(wanted)
    }
  })

  it('exits with 1 for what it does not understand', async () => {
    const { code, out, err } = await command(['explain', 'the machine is on fire'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/No rule is known/)
    expect(await command(['explain'], ' \n')).toEqual({ code: 1, out: '', err: 'There is no error to explain.\n' })
  })

  it('exits with 2 for what it cannot read', async () => {
    for (const argv of [
      ['explain', 'none.json'],
      ['explain', 'examples'],
      ['explain', MISSING, '--session', 'none.jsonl'],
      ['explain', MISSING, '--session', SESSION, '--to', 'claude'],
      ['explain', MISSING, '--session', SESSION, '--from', 'word'],
      ['explain', '-', '--session', '-'],
      ['explain', MISSING, '--frob'],
    ]) {
      const { code, err } = await command(argv, BODY)
      expect([argv, code]).toEqual([argv, 2])
      expect(err).toMatch(/^provider-history: /)
    }
  })

  it('does not print controls of the error', async () => {
    const evil = MISSING.replace('toolu_01push', 'a\u001b[31m\u202e')
    const { out } = await command(['explain', evil])
    expect(out).toContain('a\\x1b[31m\\u202e')
    expect(out).not.toMatch(/[\u001b\u202e]/)
  })

  it('names its options in its help', async () => {
    const { out } = await command(['explain', '--help'])
    for (const option of ['session', 'to', 'model', 'from', 'id', 'leaf', 'history'])
      expect(out).toContain(`--${option}`)
  })
})

describe('explain --session', () => {
  it('names the call that the error names, wherever it stands', async () => {
    const { code, out } = await command(['explain', MISSING, '--session', SESSION])
    expect(code).toBe(0)
    expect(out).toContain('session: message 3, part 1, call toolu_01push (assistant)\n    call Bash ')
  })

  it('names what stands at the path in the request that the session converts to', async () => {
    // The request is: user, assistant with two calls, results, assistant with a call ...
    const text = 'messages.1.content.0: Invalid `signature` in `thinking` block'
    const { code, out } = await command(['explain', text, '--session', SESSION, '--to', 'anthropic'])
    expect(code).toBe(0)
    expect(out).toMatch(/session: message 1, part \d+ \(assistant\)/)
    const chat = JSON.stringify({
      error: { message: "Invalid 'messages[0].name': string does not match pattern.", param: 'messages[0].name' },
    })
    expect((await command(['explain', chat, '--session', SESSION])).out).toMatch(
      /session: message 0.* \(user\)\n {4}Orders of/,
    )
  })

  it('reads the session in the format that is named', async () => {
    const argv = ['explain', MISSING, '--session', SESSION, '--from', 'claude-code']
    expect((await command(argv)).out).toContain('session: message 3')
  })

  it('takes another branch, and looks at what was compacted away', async () => {
    const line = (record: object): string => JSON.stringify({ sessionId: 's', ...record })
    const said = (uuid: string, parentUuid: string | null, content: string): string =>
      line({ type: 'user', uuid, parentUuid, message: { role: 'user', content } })
    const file = join(folder, 'branches.jsonl')
    writeFileSync(file, [said('a', null, 'first'), said('b', 'a', 'old way'), said('c', 'a', 'new way')].join('\n'))
    const text = 'messages.0.content.1.text: text content blocks must be non-empty'
    const argv = ['explain', text, '--session', file, '--to', 'anthropic']
    expect((await command(argv)).out).toMatch(/session: message 1, .*\n {4}new way/)
    expect((await command([...argv, '--leaf', 'b'])).out).toMatch(/session: message 1, .*\n {4}old way/)
    expect((await command([...argv, '--leaf', 'zzz'])).code).toBe(2)
    expect((await command([...argv, '--history', 'full'])).code).toBe(0)
    expect((await command([...argv, '--history', 'none'])).err).toMatch(/one of active, full, portable/)
  })

  it.each(['to', 'model', 'from', 'id', 'leaf', 'history'])('is wanted beside --%s', async (option) => {
    const value = { to: 'chat', from: 'codex', history: 'full' }[option] ?? 'x'
    const { code, out, err } = await command(['explain', MISSING, `--${option}`, value])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(`: --${option} is looked at beside --session only\n`)
  })

  it('says so when the error names no place of it', async () => {
    const argv = ['explain', 'messages.99: `tool_use` ids must be unique', '--session', SESSION]
    const { code, out, err } = await command(argv)
    expect(code).toBe(0)
    expect(out).not.toContain('session:')
    expect(err).toMatch(/names no place of this session/)
  })

  it('wants the API where the error does not tell it', async () => {
    const text = 'Your input exceeds the context window of this model'
    expect((await command(['explain', text, '--session', SESSION])).err).toMatch(/--to is missing/)
    expect((await command(['explain', text, '--session', SESSION, '--to', 'responses'])).code).toBe(0)
  })
})
