import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { command, SESSION } from './console.ts'

const request = (out: string): { [key: string]: unknown[] } => JSON.parse(out) as { [key: string]: unknown[] }

describe('convert', () => {
  it('prints the request of the API alone on standard output', async () => {
    for (const [name, list] of [
      ['anthropic', 'messages'],
      ['openai-chat', 'messages'],
      ['chat', 'messages'],
      ['responses', 'input'],
      ['openai-responses', 'input'],
    ] as const) {
      const { code, out } = await command(['convert', SESSION, '--to', name])
      expect(code).toBe(0)
      expect(request(out)[list]!.length).toBeGreaterThan(4)
    }
  })

  it('says on one line what was changed', async () => {
    const { err } = await command(['convert', SESSION, '--to', 'chat'])
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect(err).toMatch(/claude-code to openai-chat: 5 messages, 4 calls/)
    expect(err).toMatch(/1 loss \(reasoning-left-out\)/)
    expect(err).toMatch(/1 repair \(call-closed\)/)
  })

  it('lists each change when asked', async () => {
    const { err } = await command(['convert', SESSION, '--to', 'chat', '--changes'])
    expect(err).toMatch(/^repair call-closed .*message 3, part 1, call toolu_01push/m)
    expect(err).toMatch(/^loss +reasoning-left-out .*message 1, part 0/m)
  })

  it('says so when nothing was changed', async () => {
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'hello' }], model: 'gpt-4.1' })
    const { err } = await command(['convert', '-', '--from', 'openai-chat', '--to', 'chat'], body)
    expect(err).toMatch(/nothing was changed/)
  })

  it('takes no loss under --strict', async () => {
    const { code, out, err } = await command(['convert', SESSION, '--to', 'chat', '--strict'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/reasoning-left-out/)
    const kept = ['convert', SESSION, '--to', 'anthropic', '--model', 'claude-sonnet-4-6', '--strict']
    expect((await command(kept)).code).toBe(0)
  })

  it('counts what reading lost, too', async () => {
    const torn = `${readFileSync(SESSION, 'utf8')}{"type":"user","mess`
    const argv = ['convert', '-', '--to', 'anthropic', '--model', 'claude-sonnet-4-6']
    expect((await command(argv, torn)).code).toBe(0)
    const { code, err } = await command([...argv, '--strict'], torn)
    expect(code).toBe(1)
    expect(err).toMatch(/line-torn/)
  })

  it('puts the coming turn at the end', async () => {
    const { out } = await command(['convert', SESSION, '--to', 'anthropic', '--next', 'Please look.'])
    expect(JSON.stringify(request(out).messages!.at(-1))).toContain('Please look.')
  })

  it('keeps to what the platform takes', async () => {
    const image = { type: 'media', kind: 'image', mediaType: 'image/png', source: { url: 'https://example.org/a.png' } }
    const session = JSON.stringify({ version: 1, messages: [{ role: 'user', parts: [image] }] })
    const argv = ['convert', '-', '--to', 'anthropic']
    expect((await command(argv, session)).out).toContain('"url": "https://example.org/a.png"')
    for (const platform of ['bedrock', 'vertex'])
      expect((await command([...argv, '--platform', platform], session)).out).not.toContain('"type": "url"')
    expect(await command([...argv, '--platform', 'anthropic'], session)).toEqual(await command(argv, session))
  })

  it('reads standard input, also compressed', async () => {
    const bytes = readFileSync(SESSION)
    const plain = await command(['convert', '-', '--to', 'anthropic'], bytes)
    const packed = await command(['convert', '-', '--to', 'anthropic'], gzipSync(bytes))
    expect(plain.out).toBe((await command(['convert', SESSION, '--to', 'anthropic'])).out)
    expect(packed.out).toBe(plain.out)
  })

  it('prints valid JSON of which a terminal obeys nothing', async () => {
    const text = '\u001b]0;x\u0007\u009b31m\u202eabc\u2028'
    const body = JSON.stringify([{ role: 'user', content: text }])
    const { out } = await command(['convert', '-', '--from', 'openai-chat', '--to', 'chat'], body)
    expect(out).not.toMatch(/[\u0007\u001b\u009b\u202e\u2028]/)
    expect(JSON.stringify(request(out))).toContain(JSON.stringify(text).slice(1, -1))
  })
})
