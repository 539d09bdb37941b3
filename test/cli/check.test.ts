import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { command, SESSION } from './console.ts'

const folder = mkdtempSync(join(tmpdir(), 'provider-history-'))
afterAll(() => rmSync(folder, { recursive: true }))

const chat = (messages: unknown[]): string => JSON.stringify({ model: 'gpt-4.1', messages })
const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } }

describe('check', () => {
  it('exits with 0 for a body that the API takes', async () => {
    const { code, out, err } = await command(['check', '-', '--api', 'chat'], chat([{ role: 'user', content: 'hi' }]))
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toMatch(/openai-chat takes it \(level live\)/)
  })

  it("says the API's own words, the rule and the place, and exits with 1", async () => {
    const file = join(folder, 'body.json')
    writeFileSync(
      file,
      chat([
        { role: 'user', content: 'hi' },
        { role: 'assistant', tool_calls: [call] },
      ]),
    )
    const { code, out, err } = await command(['check', file, '--api', 'openai-chat'])
    expect(code).toBe(1)
    expect(out).toContain(
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1",
    )
    expect(out).toMatch(/openai-chat\/tool-message-missing at /)
    expect(err).toMatch(/refuses it: 1 violation/)
  })

  it('looks further at level strict', async () => {
    const body = JSON.stringify({
      model: 'claude-3-haiku-20240307',
      max_tokens: 10,
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'user', content: 'there' },
      ],
    })
    expect((await command(['check', '-', '--api', 'anthropic'], body)).code).toBe(0)
    expect((await command(['check', '-', '--api', 'anthropic', '--level', 'strict'], body)).code).toBe(1)
  })

  it('does not print controls of the body', async () => {
    const evil = { id: 'a\u001b[31m\u202e', type: 'function', function: { name: 'read', arguments: '{}' } }
    const body = chat([
      { role: 'user', content: 'hi' },
      { role: 'assistant', tool_calls: [evil] },
    ])
    const { out } = await command(['check', '-', '--api', 'chat'], body)
    expect(out).toContain('a\\x1b[31m\\u202e')
    expect(out).not.toMatch(/[\u001b\u202e]/)
  })

  it('exits with 2 for what is no JSON', async () => {
    const { code, err } = await command(['check', '-', '--api', 'chat'], '{"messages":')
    expect(code).toBe(2)
    expect(err).toMatch(/standard input: this is no JSON body/)
  })

  it('says what makes a body of a stored session', async () => {
    const { code, err } = await command(['check', SESSION, '--api', 'chat'])
    expect(code).toBe(2)
    expect(err).toMatch(/: this is no JSON body \(.*\); of a stored session, convert prints one\n$/)
    for (const torn of ['{"model":\n', '{"model":"x"', '', '[]\n[]', 'null\n1'])
      expect((await command(['check', '-', '--api', 'chat'], torn)).err).not.toContain('convert')
  })
})
