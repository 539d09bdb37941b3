import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readers } from '../../src/read/index.ts'
import { command, SESSION } from './console.ts'

/** What is said of a wrong command line: a sentence, a hint, and never a stack. */
async function complaint(...argv: string[]): Promise<string> {
  const { code, out, err } = await command(argv)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^provider-history: /)
  expect(err).not.toMatch(/\n\s+at /)
  return err
}

describe('the command line', () => {
  it('has help for all and for each command', async () => {
    for (const argv of [['--help'], ['-h'], ['help']]) {
      const { code, out } = await command(argv)
      expect(code).toBe(0)
      for (const name of ['convert', 'inspect', 'list', 'repair', 'check', 'explain', 'formats'])
        expect(out).toContain(`provider-history ${name}`)
    }
    for (const name of ['convert', 'inspect', 'list', 'repair', 'check', 'explain', 'formats']) {
      const { code, out } = await command([name, SESSION, '--help'])
      expect({ code, head: out.split('\n')[0] }).toEqual({
        code: 0,
        head: expect.stringMatching(`^provider-history ${name}`),
      })
    }
  })

  it('names every option in the help of its command', async () => {
    for (const [name, options] of [
      ['convert', ['to', 'model', 'level', 'next', 'platform', 'dialect', 'from', 'id', 'leaf', 'history', 'changes']],
      ['convert', ['strict']],
      ['inspect', ['from', 'id', 'leaf', 'history', 'all']],
      ['list', ['all', 'json']],
      ['repair', ['write', 'force', 'from', 'id', 'json']],
      ['check', ['api', 'level', 'platform', 'dialect']],
      ['explain', ['session', 'to', 'model', 'from', 'id', 'leaf', 'history']],
    ] as const) {
      const { out } = await command([name, '--help'])
      for (const option of options) expect(out).toMatch(new RegExp(`^ {2}--${option} `, 'm'))
    }
  })

  it('has the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(await command(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' })
  })

  it('says what is wrong with it', async () => {
    expect(await complaint()).toMatch(/a command is missing/)
    expect(await complaint('frob')).toMatch(/frob is no command/)
    expect(await complaint('constructor')).toMatch(/constructor is no command/)
    expect(await complaint('convert')).toMatch(/FILE is missing/)
    expect(await complaint('convert', SESSION)).toMatch(/--to is missing: one of anthropic/)
    expect(await complaint('convert', SESSION, '--to', 'claude')).toMatch(/--to claude is not known/)
    expect(await complaint('convert', SESSION, '--to', '__proto__')).toMatch(/not known/)
    expect(await complaint('convert', SESSION, 'b', '--to', 'chat')).toMatch(/one FILE is taken/)
    expect(await complaint('convert', SESSION, '--to', 'chat', '--level', 'mild')).toMatch(/live, strict/)
    expect(await complaint('inspect', SESSION, '--from', 'word')).toMatch(/--from word is not known/)
    expect(await complaint('check', SESSION)).toMatch(/--api is missing/)
    expect(await complaint('inspect', SESSION, '--frob')).toMatch(/--frob/)
    expect(await complaint('formats', 'x')).toMatch(/no arguments/)
    expect(await complaint('repair')).toMatch(/: FILE is missing$/m)
    expect(await complaint('list', '-')).toMatch(/ROOT .* not standard input/)
    expect(await complaint('help', 'frob')).toMatch(/frob is no command/)
  })

  it('says no more of an unknown option than that it is none, and who tells the options', async () => {
    expect(await complaint('inspect', SESSION, '--xyzzy')).toBe(
      "provider-history: Unknown option '--xyzzy'\nprovider-history inspect --help tells its options.\n",
    )
    expect(await complaint('frob')).toMatch(/\nprovider-history --help lists the commands\.\n$/)
  })

  it('offers what is near to a command or an option that there is not', async () => {
    expect(await complaint('convrt', SESSION)).toMatch(/convrt is no command; convert may be meant\n/)
    expect(await complaint('Inspect', SESSION)).toMatch(/Inspect is no command; inspect may be meant\n/)
    expect(await complaint('help', 'lsit')).toMatch(/lsit is no command; list may be meant\n/)
    for (const [command, wrong, meant] of [
      ['convert', '--modle', '--model'],
      ['convert', '--api', '--to'],
      ['inspect', '--form', '--from'],
      ['inspect', '--lef=x', '--leaf'],
      ['check', '--to', '--api'],
      ['check', '--levl', '--level'],
      ['explain', '--sesion', '--session'],
      ['repair', '--wirte', '--write'],
      ['list', '--jsn', '--json'],
    ] as const)
      expect(await complaint(command, SESSION, wrong)).toContain(
        `Unknown option '${wrong.split('=')[0]}'; ${meant} may be meant\n`,
      )
  })

  it('takes nothing empty, as a variable that is not set makes it', async () => {
    expect(await complaint('inspect', '')).toMatch(/: FILE is empty\n/)
    expect(await complaint('list', '')).toMatch(/: ROOT is empty\n/)
    for (const option of ['to', 'model', 'level', 'next', 'platform', 'dialect', 'from', 'id', 'leaf', 'history'])
      expect(await complaint('convert', SESSION, '--to', 'chat', `--${option}`, '')).toMatch(`: --${option} is empty\n`)
    expect(await complaint('check', 'package.json', '--api=')).toMatch(/: --api is empty\n/)
    expect(await complaint('inspect', SESSION, '--id=')).toMatch(/: --id is empty\n/)
    expect(await complaint('explain', 'x', '--session=')).toMatch(/: --session is empty\n/)
  })

  it('takes no more words than it looks at', async () => {
    expect(await complaint('help', 'check', 'inspect')).toMatch(/help takes one command, not also inspect\n/)
    expect(await complaint('version', 'convert')).toMatch(/version takes no arguments\n/)
  })

  it('says when an option does not go with the API', async () => {
    expect(await complaint('convert', SESSION, '--to', 'anthropic', '--dialect', 'deepseek')).toMatch(
      /--dialect .* openai-chat/,
    )
    expect(await complaint('check', 'package.json', '--api', 'anthropic', '--dialect', 'deepseek')).toMatch(
      /--dialect .* openai-chat, openai-responses/,
    )
    expect(await complaint('check', 'package.json', '--api', 'anthropic', '--platform', 'azure')).toMatch(
      /--platform azure is not known: one of anthropic, bedrock, vertex/,
    )
    expect(await complaint('check', 'package.json', '--api', 'chat', '--platform', 'vertex')).toMatch(
      /one of openai, azure/,
    )
    expect(await complaint('convert', SESSION, '--to', 'chat', '--platform', 'vertex')).toMatch(/one of openai, azure/)
  })

  it('tells of a command and of its version in either order of words', async () => {
    expect(await command(['help', 'convert'])).toEqual(await command(['convert', '--help']))
    expect(await command(['version'])).toEqual(await command(['--version']))
  })

  it('names the file that cannot be read', async () => {
    expect(await complaint('inspect', 'none.jsonl')).toMatch(/none\.jsonl: there is no such file/)
    expect(await complaint('inspect', 'docs')).toMatch(/docs: this is a directory that holds no session/)
    expect(await complaint('inspect', 'package.json', '--from', 'claude-code')).toMatch(/package\.json: claude-code/)
    expect(await complaint('repair', 'none.jsonl')).toMatch(/none\.jsonl: there is no such file/)
    expect(await complaint('repair', 'docs')).toMatch(/docs: this is a directory; name a file of it/)
    if (process.platform !== 'win32')
      expect(await complaint('inspect', '/dev/null')).toMatch(
        /null: this is not a regular file, but a device or a pipe: .* standard input, as FILE -/,
      )
    expect(await complaint('inspect', 'package.json')).toMatch(/package\.json: no known format fits .*--from/)
  })

  it('does not print controls of its own arguments', async () => {
    expect(await complaint('inspect', 'a\u001b[31m')).toContain('a\\x1b[31m')
  })
})

describe('formats', () => {
  it('lists what can be read, each with its meaning, and what can be written', async () => {
    const { out } = await command(['formats'])
    const [read, written] = out.split('\n\n') as [string, string]
    for (const { format } of readers) expect(read).toMatch(new RegExp(`^  ${format} +\\S`, 'm'))
    expect(read).toContain('(~/.claude/projects, or by $CLAUDE_CONFIG_DIR)')
    expect(read).toContain('(.crush)')
    expect(written.match(/^ {2}\S+/gm)).toEqual(['  anthropic', '  openai-chat', '  openai-responses'])
  })
})
