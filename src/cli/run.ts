import { ReadError } from '../model/error.ts'
import { misspelt } from '../model/misspelt.ts'
import { own } from '../model/own.ts'
import { escapeText } from '../view/escape.ts'
import { check } from './check.ts'
import { type Command, type Console, EXIT, type ExitCode, UsageError } from './command.ts'
import { convert } from './convert.ts'
import { explain } from './explain.ts'
import { formats } from './formats.ts'
import { inspect } from './inspect.ts'
import { list } from './list.ts'
import { repair } from './repair.ts'
import { version } from './version.ts'

const COMMANDS: readonly Command[] = [convert, inspect, list, repair, check, explain, formats]

const help = `provider-history reads a stored agent session, repairs it, and writes the messages of the API you want to call next.

${COMMANDS.map(({ name, summary }) => `  provider-history ${name.padEnd(9)} ${summary}`).join('\n')}

FILE is a file, plain or compressed by gzip or zstd, a database, a folder, or - for standard input.
provider-history COMMAND --help tells more.
Exit codes: 0 fine; 1 refused, not understood, to be repaired, or content lost under --strict; 2 not readable, or a wrong
command line.
`

/** Runs one command line. Never throws: what goes wrong is said in a sentence. */
export async function run(argv: readonly string[], console: Console): Promise<ExitCode> {
  try {
    return await dispatch(argv, console)
  } catch (error) {
    console.say(`provider-history: ${escapeText(reasonOf(error, argv))}\n`)
    if (isUsage(error)) console.say(`${hintFor(argv)}\n`)
    return EXIT.failed
  }
}

async function dispatch([name, ...rest]: readonly string[], console: Console): Promise<ExitCode> {
  if (name === undefined) throw new UsageError('a command is missing')
  if (name === '--help' || name === '-h' || name === 'help') return printed(helpOf(rest), console)
  if (name === '--version' || name === '-v' || name === 'version') return printed(versionOf(rest), console)
  const command = commandOf(name)
  return asksForHelp(rest) ? printed(command.help, console) : command.run(rest, console)
}

const known = (name: string | undefined): Command | undefined => COMMANDS.find((command) => command.name === name)

/** @throws {UsageError} when there is none of that name. */
function commandOf(name: string): Command {
  const command = known(name)
  if (command === undefined) throw new UsageError(`${name} is no command${meaning(misspelt(name, NAMES))}`)
  return command
}

function helpOf([name, ...rest]: readonly string[]): string {
  if (rest.length > 0) throw new UsageError(`help takes one command, not also ${rest.join(' ')}`)
  return name === undefined || name === '--help' || name === '-h' ? help : commandOf(name).help
}

function versionOf(rest: readonly string[]): string {
  if (rest.length > 0) throw new UsageError('version takes no arguments')
  return `${version()}\n`
}

const NAMES = [...COMMANDS.map(({ name }) => name), 'help', 'version']

const meaning = (meant: string | undefined): string => (meant === undefined ? '' : `; ${meant} may be meant`)

/** What some commands call otherwise. */
const ELSEWHERE: { readonly [option: string]: string } = { api: 'to', to: 'api' }

/** The option of a command that is near to one that it does not have; its help names them all. */
function optionMeant(argv: readonly string[], said: string): string | undefined {
  const given = /^Unknown option '--([^']+)'/.exec(said)?.[1]
  if (given === undefined) return undefined
  const lines = (known(argv[0])?.help ?? '').split('\n')
  const options = lines.flatMap((line) => /^ {2}--([a-z]+) /.exec(line)?.[1] ?? [])
  const meant = options.find((option) => option === own(ELSEWHERE, given)) ?? misspelt(given, options)
  return meant === undefined ? undefined : `--${meant}`
}

function hintFor([name]: readonly string[]): string {
  const command = known(name)
  return command === undefined
    ? 'provider-history --help lists the commands.'
    : `provider-history ${command.name} --help tells its options.`
}

function printed(text: string, console: Console): ExitCode {
  console.print(text)
  return EXIT.fine
}

/** Behind `--` stand file names only. */
function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end < 0 ? argv : argv.slice(0, end)).some((word) => word === '--help' || word === '-h')
}

const isParsing = (error: unknown): boolean =>
  String((error as NodeJS.ErrnoException)?.code).startsWith('ERR_PARSE_ARGS')

const isUsage = (error: unknown): boolean => error instanceof UsageError || isParsing(error)

/** Without a stack: what a user can do nothing about is still said in a sentence. */
function reasonOf(error: unknown, argv: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error)
  // Node goes on with advice on positional arguments, over several lines.
  if (isParsing(error)) return message.split(/\. To specify|\n/, 1).join('') + meaning(optionMeant(argv, message))
  return ReadError.is(error) || isUsage(error) ? message : `unexpected: ${message}`
}
