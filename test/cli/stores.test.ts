import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { conversation, makeDatabase, OPENCODE, together } from '../files/database.ts'
import { command } from './console.ts'

const folder = mkdtempSync(join(tmpdir(), 'provider-history-test-'))
afterAll(() => rmSync(folder, { recursive: true }))
const database = join(folder, 'opencode.db')
makeDatabase(database, OPENCODE, together(conversation('ses_a', 10), conversation('ses_b', 20)))

describe('a database or a folder', () => {
  it.each([database, folder])('is inspected by its newest session, or by an id: %s', async (path) => {
    const newest = await command(['inspect', path])
    expect(newest).toMatchObject({ code: 0, err: '' })
    expect(newest.out).toMatch(/opencode 1\.18\.33, 2 messages, 1 call/)
    expect(newest.out).toMatch(/question of ses_b/)
    expect(newest.out).toMatch(/session-left-out/)
    expect((await command(['inspect', path, '--id', 'ses_a'])).out).toMatch(/question of ses_a/)
    expect((await command(['inspect', path, '--id', 'ses_x'])).err).toMatch(/no session .*has the id "ses_x"/)
  })

  it('is converted', async () => {
    const { code, out } = await command(['convert', database, '--to', 'chat', '--id', 'ses_a'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      messages: [{ content: 'question of ses_a' }, {}, { role: 'tool', content: 'answer of ses_a' }],
    })
  })

  it.each([database, folder])('is what an error is looked for in: %s', async (path) => {
    const text = "Invalid 'messages[0].name': string does not match pattern."
    const argv = ['explain', text, '--session', path, '--to', 'chat']
    expect((await command(argv)).out).toMatch(/session: message 0.*\n {4}question of ses_b/)
    expect((await command([...argv, '--id', 'ses_a'])).out).toMatch(/session: message 0.*\n {4}question of ses_a/)
    expect(await command([...argv, '--id', 'ses_x'])).toMatchObject({ code: 2 })
  })

  it('may come from standard input', async () => {
    expect((await command(['inspect', '-', '--id', 'ses_a'], readFileSync(database))).out).toMatch(/question of ses_a/)
  })

  it('holds no request body', async () => {
    expect((await command(['check', database, '--api', 'chat'])).err).toMatch(
      /an SQLite database, which is not read: only sessions/,
    )
  })
})
