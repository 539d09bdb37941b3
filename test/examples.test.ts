import { spawn } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { bundled } from './bundle.ts'

interface Run {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Inside of the project, so that packages are found. */
const folder = resolve('.tools/examples')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(file: string): Promise<Run> {
  const child = spawn(process.execPath, [await bundled(`examples/${file}`, folder)], {
    env: { ...process.env, NO_COLOR: '1' },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (data) => {
    out += data
  })
  child.stderr.on('data', (data) => {
    err += data
  })
  return new Promise((done) => child.on('close', (code) => done({ code, out, err })))
}

/** What each program must have said before it ended well; the contract test is run with the other tests. */
const SAYS: { readonly [file: string]: readonly string[] } = {
  'demo.ts': ['Anthropic Messages accepts it', 'OpenAI Responses refuses it', 'All as it should be.'],
  'switch.ts': [
    'to Claude, all as it is\n',
    'to GPT:\n    loss reasoning-left-out',
    'gpt-5: There are three forks as well.',
    'to Claude:\n    loss reasoning-left-out',
    'Nine pieces in all.',
    '5 requests, all accepted.',
    'to no other: yes\n',
  ],
  'journal.ts': [
    'killed by SIGKILL\n',
    'was open: it had started\n',
    'was open: it never started\n',
    '2 requests to GPT, all accepted; the truth was told: yes\n',
  ],
  'resume.ts': ['repair call-closed', '3 requests, all accepted; the truth was told: yes\n'],
}

/** Loaded by the others. */
const PARTS = ['unrepaired.ts']

describe('the examples', () => {
  it('are all run', () => {
    const programs = readdirSync('examples').filter((name) => name.endsWith('.ts') && !PARTS.includes(name))
    expect(programs.sort()).toEqual(Object.keys(SAYS).sort())
  })

  it.concurrent.each(Object.entries(SAYS))(
    '%s ends well',
    async (file, lines) => {
      const { code, out, err } = await run(file)
      expect({ file, code, err }).toEqual({ file, code: 0, err: '' })
      for (const line of lines) expect(out).toContain(line)
    },
    180_000,
  )
})
