/**
 * Packs the package, installs the file into an empty project, and uses each entry point from there: types under both
 * resolutions, modules in Node, and the command. Run by `npm run package`.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { entryPoints } from './entry-points.ts'

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly name: string; readonly version: string }
const entries = entryPoints().map(({ entry }) => manifest.name + entry.slice(1))

/** What a consumer writes, as the README has it. */
const USE = `
import { readSession, toAnthropic, toOpenAIChat, type Change, type Session } from 'provider-history'
import { check } from 'provider-history/check'
import { mockProviders } from 'provider-history/mock'

const { session }: { session: Session } = readSession('[]', { format: 'entries' })
const changes: readonly Change[] = toAnthropic(session, { model: 'claude-sonnet-4-6' }).changes
const roles: string[] = toOpenAIChat(session).request.messages.map((message) => message.role)
const words: string[] = check('openai-chat', {}).map((violation) => violation.message)
export const handlers: readonly object[] = mockProviders({ level: 'strict' }).handlers
export { changes, roles, words }
`

const consumer = mkdtempSync(join(tmpdir(), 'provider-history-consumer-'))
try {
  install(packed())
  checkTypes('nodenext', 'nodenext')
  checkTypes('esnext', 'bundler')
  importEntries()
  runCommand()
  console.log(`Package: ${entries.length} entry points compile and load, and the command runs.`)
} finally {
  rmSync(consumer, { recursive: true, force: true })
}

/** The file that would be published; `prepack` builds it anew. */
function packed(): string {
  const [pack] = JSON.parse(npm('.', 'pack', '--json', '--pack-destination', consumer)) as [Pack]
  const paths = pack.files.map(({ path }) => path)
  const foreign = paths.filter(
    (path) => !/^(dist\/.*\.(js|d\.ts)|package\.json|README\.md|CHANGELOG\.md|LICENSE)$/.test(path),
  )
  if (foreign.length > 0) throw new Error(`The package holds what it should not: ${foreign.join(', ')}`)
  console.log(`Package: ${paths.length} files, ${Math.round(pack.size / 1024)} kB packed.`)
  return join(consumer, pack.filename)
}

interface Pack {
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}

function install(file: string): void {
  writeFileSync(join(consumer, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
  npm(consumer, 'install', file, '--prefer-offline', '--no-audit', '--no-fund', '--omit=optional')
}

/** Also what the declarations import is checked, so that none of them needs an optional peer. */
function checkTypes(module: string, moduleResolution: string): void {
  const lines = entries.map((entry, index) => `import * as entry${index} from '${entry}'\nexport { entry${index} }`)
  writeFileSync(join(consumer, 'index.ts'), [...lines, USE].join('\n'))
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    lib: ['es2023', 'dom'],
    types: [],
    module,
    moduleResolution,
  }
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['index.ts'] }))
  node(resolve('node_modules/typescript/bin/tsc'), '-p', consumer)
}

/** All but the mock load without msw; the mock finds it where its user has it. */
function importEntries(): void {
  const withoutMsw = entries.filter((entry) => !entry.endsWith('/mock'))
  node('--input-type=module', '-e', withoutMsw.map((entry) => `await import('${entry}');`).join('\n'))
  mkdirSync(join(consumer, 'node_modules'), { recursive: true })
  symlinkSync(resolve('node_modules/msw'), join(consumer, 'node_modules/msw'), 'junction')
  node('--input-type=module', '-e', `await import('${manifest.name}/mock')`)
}

function runCommand(): void {
  const main = join(consumer, 'node_modules', manifest.name, 'dist/cli/main.js')
  if (!readFileSync(main, 'utf8').startsWith('#!/usr/bin/env node\n')) throw new Error('The command has no shebang.')
  const version = node(main, '--version').trim()
  if (version !== manifest.version) throw new Error(`The command says version ${version}.`)
  const out = npm(consumer, 'exec', '--offline', '--', manifest.name, 'inspect', resolve('examples/session.jsonl'))
  if (!out.includes('claude-code')) throw new Error(`The command says: ${out}`)
}

function node(...argv: string[]): string {
  return run(process.execPath, argv, consumer)
}

function npm(cwd: string, ...argv: string[]): string {
  const script = process.env.npm_execpath
  return script === undefined ? run('npm', argv, cwd) : run(process.execPath, [script, ...argv], cwd)
}

/** Standard output; what a failing command said is printed. */
function run(command: string, argv: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, argv, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    throw new Error(`${[command, ...argv].join(' ')}\n${stdout ?? ''}${stderr ?? ''}`)
  }
}
