import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { check } from '../src/check/index.ts'
import type { ApiId } from '../src/index.ts'
import { readers } from '../src/read/index.ts'
import { WRITABLE_APIS } from '../src/write/index.ts'
import { bundled } from './bundle.ts'
import { command } from './cli/console.ts'

const README = readFileSync('README.md', 'utf8')

interface Block {
  readonly name: string
  readonly code: string
  /** What stands below it as what it prints. */
  readonly output: string | undefined
}

const blocks: readonly Block[] = [
  ...README.matchAll(/<!-- run: (\S+) -->\n\n```ts\n([\s\S]*?)```\n(?:\n```text\n([\s\S]*?)```)?/g),
].map((match) => ({ name: match[1]!, code: match[2]!, output: match[3] }))

/** Inside of the project, so that packages are found. */
const folder = resolve('test/readme/run')

const PATHS = {
  'provider-history': 'src/index.ts',
  'provider-history/node': 'src/files/index.ts',
  'provider-history/mock': 'src/mock/index.ts',
}

beforeAll(() => {
  mkdirSync(folder, { recursive: true })
  const paths = Object.fromEntries(Object.entries(PATHS).map(([name, file]) => [name, [`../../../${file}`]]))
  const config = { extends: '../../../tsconfig.json', compilerOptions: { paths }, include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  copyFileSync('examples/session.jsonl', join(folder, 'session.jsonl'))
  copyFileSync('test/readme/agent.ts', join(folder, 'agent.ts'))
  for (const { name, code } of blocks) writeFileSync(join(folder, `${name}.ts`), code)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function node(...argv: string[]): { status: number | null; stdout: string; stderr: string } {
  const env = { ...process.env, ANTHROPIC_API_KEY: 'none', OPENAI_API_KEY: 'none', NO_COLOR: '1' }
  return spawnSync(process.execPath, argv, { cwd: folder, env, encoding: 'utf8' })
}

describe('the code of README.md', () => {
  it('is all of it run', () => {
    expect(README.match(/^```ts$/gm)).toHaveLength(blocks.length)
    expect(blocks.map(({ name }) => name)).toEqual(['resume', 'switch', 'contract', 'entries'])
  })

  it('compiles', () => {
    const { stdout, status } = node(resolve('node_modules/typescript/bin/tsc'), '--noEmit', '-p', folder)
    expect(stdout).toBe('')
    expect(status).toBe(0)
  })

  it.each(blocks)('runs and prints what is said: $name', async ({ name, output }) => {
    const program = (file: string): Promise<string> => bundled(file, folder, PATHS)
    const providers = name === 'contract' ? [] : ['--import', await program('test/readme/providers.ts')]
    const { status, stdout, stderr } = node(...providers, await program(join(folder, `${name}.ts`)))
    expect(stderr).toBe('')
    expect(status).toBe(0)
    if (output !== undefined) expect(stdout).toBe(output)
  })
})

describe('the tables of README.md', () => {
  it('name each format that is read and each API that is written', () => {
    const named = (id: string): boolean => README.includes(`(\`${id}\`)`)
    expect(readers.map(({ format }) => format).filter((format) => !named(format))).toEqual([])
    expect(WRITABLE_APIS.filter((api) => !named(api))).toEqual([])
  })
})

describe('the commands of README.md', () => {
  it('print what is said', async () => {
    const { out } = await command(['inspect', 'examples/session.jsonl'])
    expect(README).toContain(`\`\`\`text\n${out.replace('examples/', '')}\`\`\``)
  })
})

const push = { type: 'tool_use', id: 'toolu_01push', name: 'push', input: {} }
const pushed = { type: 'tool_result', tool_use_id: 'toolu_01push', content: 'ok' }
const hello = { role: 'user', content: 'hello' }
const chatCall = { id: 'call_push', type: 'function', function: { name: 'push', arguments: '{}' } }
const item = { type: 'function_call', call_id: 'call_push', name: 'push', arguments: '{}' }

const claude = (messages: unknown[]): object => ({ model: 'claude-sonnet-4-6', max_tokens: 100, messages })
const chat = (messages: unknown[]): object => ({ model: 'gpt-4.1', messages })
const responses = (input: unknown[]): object => ({ model: 'gpt-5', input })

/** A body for each error text, in the order of the page. */
const REFUSED: readonly (readonly [ApiId, object])[] = [
  ['anthropic', claude([...Array.from({ length: 11 }, () => hello), { role: 'assistant', content: [push] }, hello])],
  ['anthropic', claude([{ role: 'user', content: [pushed] }])],
  ['anthropic', claude([hello, { role: 'assistant', content: [push] }, { role: 'user', content: [pushed, pushed] }])],
  ['openai-chat', chat([hello, { role: 'assistant', tool_calls: [chatCall] }, hello])],
  ['openai-chat', chat([hello, { role: 'tool', tool_call_id: 'call_push', content: 'ok' }])],
  ['openai-responses', responses([hello, item])],
  ['openai-responses', responses([hello, { type: 'function_call_output', call_id: 'call_push', output: 'ok' }])],
  [
    'openai-responses',
    responses([hello, { type: 'reasoning', id: 'rs_01', summary: [], encrypted_content: 'gAAAAA' }]),
  ],
]

describe('the error texts of README.md', () => {
  const section = README.slice(README.indexOf('## The error'), README.indexOf('## Install'))
  const texts = [...section.matchAll(/```text\n([\s\S]*?)```/g)].flatMap((match) => match[1]!.trim().split('\n'))

  it('are all looked at', () => {
    expect(texts).toHaveLength(REFUSED.length)
  })

  it.each(REFUSED.map(([api, body], index) => ({ api, body, text: texts[index] })))(
    'are the words of the API: $text',
    ({ api, body, text }) => {
      expect(check(api, body)[0]?.message).toBe(text)
    },
  )
})
