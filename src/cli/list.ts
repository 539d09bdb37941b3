import { type Listed, listSessions } from '../files/index.ts'
import { count } from '../view/count.ts'
import { escapeJson, escapeText } from '../view/escape.ts'
import { commandLine } from './arguments.ts'
import { type Command, EXIT, UsageError } from './command.ts'
import { named } from './source.ts'

const help = `provider-history list [ROOT] [options]

Lists stored sessions, the last changed first: those below ROOT, or without it those in the places where the known tools
keep them (see formats). Only beginnings and ends of files are read.

  --all             also those that another session started, such as sub-agents
  --json            one JSON object a line
`

const options = { all: { type: 'boolean' }, json: { type: 'boolean' } } as const

export const list: Command = {
  name: 'list',
  summary: 'list stored sessions',
  help,
  async run(argv, console) {
    const { values, positionals } = commandLine(argv, options)
    const [root, ...rest] = positionals
    if (root === '') throw new UsageError('ROOT is empty')
    if (root === '-') throw new UsageError('ROOT is a file or a folder, not standard input')
    if (rest.length > 0) throw new UsageError(`one ROOT is taken, not also ${rest.join(' ')}`)
    const all = await (root === undefined ? listSessions() : named(root, () => listSessions(root)))
    const shown = values.all === true ? all : all.filter(({ parent }) => parent === undefined)
    for (const session of shown) console.print(values.json === true ? jsonLine(session) : lines(session))
    const hidden = all.length - shown.length
    console.say(
      `${count(shown.length, 'session')}${hidden === 0 ? '' : `; --all also lists ${hidden} started by others`}\n`,
    )
    return EXIT.fine
  },
}

const jsonLine = (session: Listed): string => `${escapeJson(JSON.stringify(session))}\n`

const INDENT = ' '.repeat(19)

function lines({ format, path, id, title, modifiedAt, bytes }: Listed): string {
  const time = `${modifiedAt.slice(0, 10)} ${modifiedAt.slice(11, 16)}Z`
  const first = `${time}  ${format.padEnd(12)} ${sizeOf(bytes).padStart(8)}  ${escapeText(title ?? '')}`.trimEnd()
  const named = id === undefined ? '' : ` --id ${escapeText(id)}`
  return `${first}\n${INDENT}${escapeText(path)}${named}\n`
}

const UNITS = ['B', 'kB', 'MB', 'GB']

function sizeOf(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const size = bytes / 1000 ** unit
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`
}
