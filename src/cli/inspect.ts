import type { Branch, ReadResult } from '../read/reader.ts'
import { groupedChangeLines } from '../view/changes.ts'
import { count } from '../view/count.ts'
import { escapeText, glimpse } from '../view/escape.ts'
import { factLines, messageLines, sessionSummary } from '../view/outline.ts'
import { commandLine, fileOf } from './arguments.ts'
import { type Command, EXIT } from './command.ts'
import { SESSION_HELP, SESSION_OPTIONS, sessionOptions } from './session-options.ts'
import { nameOf, sessionOf } from './source.ts'

const help = `provider-history inspect FILE [options]

Shows a stored session at a glance: its format, its messages, its calls with their state, other branches, and what
reading repaired. Nothing is written.

  --all             every message of a long session
${SESSION_HELP}`

const options = { all: { type: 'boolean' }, ...SESSION_OPTIONS } as const

const MOST_MESSAGES = 60

export const inspect: Command = {
  name: 'inspect',
  summary: 'show a stored session at a glance',
  help,
  async run(argv, console) {
    const { values, positionals } = commandLine(argv, options)
    const file = fileOf(positionals)
    const read = await sessionOf(file, sessionOptions(values), console)
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
