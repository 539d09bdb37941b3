import { placeTold } from '../files/places.ts'
import { FORMATS } from '../model/formats.ts'
import type { FormatId } from '../model/session.ts'
import { readers } from '../read/index.ts'
import { WRITABLE_APIS } from '../write/index.ts'
import { aliasesOf, commandLine } from './arguments.ts'
import { type Command, EXIT, UsageError } from './command.ts'

const help = `provider-history formats

Lists the formats that can be read, with the place where each tool keeps its sessions, and the APIs that can be written.
`

export const formats: Command = {
  name: 'formats',
  summary: 'list the formats that can be read and the APIs that can be written',
  help,
  async run(argv, console) {
    const { positionals } = commandLine(argv, {})
    if (positionals.length > 0) throw new UsageError('formats takes no arguments')
    const readable = readers.map(({ format }) => row(format, FORMATS[format] + placed(format)))
    const writable = WRITABLE_APIS.map((api) => {
      const aliases = aliasesOf(api)
      return row(api, aliases.length === 0 ? '' : `or ${aliases.join(', ')}`)
    })
    console.print(['Read:', ...readable, '', 'Written:', ...writable, ''].join('\n'))
    return EXIT.fine
  },
}

function placed(format: FormatId): string {
  const place = placeTold(format)
  return place === undefined ? '' : ` (${place})`
}

const row = (name: string, meaning: string): string => `  ${name.padEnd(18)}${meaning}`.trimEnd()
