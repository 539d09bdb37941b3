import { parseArgs } from 'node:util'
import type { Branch, ReadResult } from '../read/reader.ts'
import { groupedChangeLines } from '../view/changes.ts'
import { count } from '../view/count.ts'
import { escapeText, glimpse } from '../view/escape.ts'
import { factLines, messageLines, sessionSummary } from '../view/outline.ts'
import { choiceOf, fileOf } from './arguments.ts'
import { formatOf, HISTORIES } from './choices.ts'
import { type Command, EXIT } from './command.ts'
import { nameOf, sessionOf } from './source.ts'

const help = `provider-history inspect FILE [options]

Shows a stored session at a glance: its format, its messages, its calls with their state, other branches, and what
reading repaired. Nothing is written.

  --all             every message of a long session
  --from FORMAT     the format of FILE, where it is not recognised
  --id ID           the session to take of a database or a folder; without it, the newest
  --leaf ID         another branch
  --history WHICH   active (default): what the tool itself would send; full: without compactions;
                    portable: as active, but with the messages in place of a summary that only its own API can read
`

const options = {
  all: { type: 'boolean' },
  from: { type: 'string' },
  id: { type: 'string' },
  leaf: { type: 'string' },
  history: { type: 'string' },
} as const

const MOST_MESSAGES = 60

export const inspect: Command = {
  name: 'inspect',
  summary: 'show a stored session at a glance',
  help,
  async run(argv, console) {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true })
    const file = fileOf(positionals)
    const history = choiceOf(values.history, 'history', HISTORIES)
    const read = await sessionOf(
      file,
      { format: formatOf(values.from), id: values.id, leaf: values.leaf, history },
      console,
    )
    const most = values.all === true ? Number.POSITIVE_INFINITY : MOST_MESSAGES
    console.print(`${reportLines(nameOf(file), read, most).join('\n')}\n`)
    return EXIT.fine
  },
}

function reportLines(name: string, { session, format, changes, branches }: ReadResult, most: number): string[] {
  const version = session.source?.version === undefined ? '' : ` ${glimpse(session.source.version, 20)}`
  return [
    `${escapeText(name)}: ${format}${version}, ${sessionSummary(session)}`,
    ...factLines(session),
    ...below(messageLines(session, { most })),
    ...section(
      `${count(branches.length, 'other branch', 'other branches')}, read by --leaf:`,
      branches.map(branchLine),
    ),
    ...section('Found while reading:', groupedChangeLines(changes)),
  ]
}

const below = (lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : ['', ...lines])

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : below([title, ...lines.map((line) => `  ${line}`)])

const branchLine = ({ leaf, messages, preview }: Branch): string =>
  `${escapeText(leaf)}  ${count(messages, 'message')}  ${glimpse(preview, 60)}`
