import { parseArgs } from 'node:util'
import type { FormatId } from '../model/session.ts'
import { readers } from '../read/index.ts'
import { WRITABLE_APIS } from '../write/index.ts'
import { aliasesOf } from './arguments.ts'
import { type Command, EXIT, UsageError } from './command.ts'

const help = `provider-history formats

Lists the formats that can be read and the APIs that can be written.
`

/** What a stored format is; `formats` lists those that have a reader. */
const MEANINGS: { readonly [format in FormatId]?: string } = {
  entries: "this library's own form, whole or as people store it by hand",
  dirge: 'sessions of dirge',
  'claude-code': 'transcripts of Claude Code (~/.claude/projects/*/*.jsonl)',
  anthropic: 'request bodies, message arrays and answers of the Anthropic Messages API',
  'openai-chat': 'the same of OpenAI Chat Completions and of the servers that speak it',
  'openai-responses': 'the same of OpenAI Responses',
}

export const formats: Command = {
  name: 'formats',
  summary: 'list the formats that can be read and the APIs that can be written',
  help,
  async run(argv, console) {
    const { positionals } = parseArgs({ args: [...argv], options: {}, allowPositionals: true })
    if (positionals.length > 0) throw new UsageError('formats takes no arguments')
    const readable = readers.map(({ format }) => row(format, MEANINGS[format] ?? ''))
    const writable = WRITABLE_APIS.map((api) => {
      const aliases = aliasesOf(api)
      return row(api, aliases.length === 0 ? '' : `or ${aliases.join(', ')}`)
    })
    console.print(['Read:', ...readable, '', 'Written:', ...writable, ''].join('\n'))
    return EXIT.fine
  },
}

const row = (name: string, meaning: string): string => `  ${name.padEnd(18)}${meaning}`.trimEnd()
