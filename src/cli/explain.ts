import { existsSync } from 'node:fs'
import { type Explanation, explain as explainError } from '../check/index.ts'
import { escapeText } from '../view/escape.ts'
import { explanationLines, placeLines } from '../view/explanation.ts'
import { WRITABLE_APIS, type WritableApi } from '../write/index.ts'
import { apiOf, commandLine } from './arguments.ts'
import { type Command, type Console, EXIT, UsageError } from './command.ts'
import { SESSION_HELP, SESSION_OPTIONS, sessionOptions } from './session-options.ts'
import { placesIn } from './session-place.ts'
import { sessionOf, textOf } from './source.ts'

const help = `provider-history explain [TEXT|FILE|-] [options]

Says which rules of an API an error can stand for, what they want, and which repair or option obeys them. TEXT is an error
as it was printed or logged, whole or in part; without it, or with -, it is read from standard input. Exits with 1 when
nothing is known of it.

  --session FILE    also say which message, part or call of this session is meant
  --to API          the API that the session was sent to, where the error does not tell:
                    anthropic, openai-chat (chat), openai-responses (responses)
  --model ID        the model that was called
${SESSION_HELP}`

const beside = { to: { type: 'string' }, model: { type: 'string' }, ...SESSION_OPTIONS } as const
const options = { session: { type: 'string' }, ...beside } as const

export const explain: Command = {
  name: 'explain',
  summary: 'say what an error of an API means, and what repairs it',
  help,
  async run(argv, console) {
    const { values, positionals } = commandLine(argv, options)
    const { session, model } = values
    const source = sourceOf(positionals)
    const to = values.to === undefined ? undefined : apiOf(values.to, 'to')
    const reading = sessionOptions(values)
    for (const option of Object.keys(beside))
      if (session === undefined && option in values)
        throw new UsageError(`--${option} is looked at beside --session only`)
    if (session === '-' && source === '-') throw new UsageError('standard input cannot be both error and session')
    const text = await errorText(source, console)
    const explanation = explainError(text)
    if (explanation === undefined) {
      console.say(text.trim() === '' ? 'There is no error to explain.\n' : 'No rule is known for this error.\n')
      return EXIT.refused
    }
    console.print(`${explanationLines(explanation).join('\n')}\n`)
    if (session !== undefined) {
      const read = await sessionOf(session, reading, console)
      const places = placesIn(read.session, explanation, to ?? apiFor(explanation), model)
      for (const place of places) console.print(`${placeLines(place, read.session).join('\n')}\n`)
      if (places.length === 0) console.say(`${escapeText(session)}: the error names no place of this session\n`)
    }
    return EXIT.fine
  },
}

function sourceOf(positionals: readonly string[]): string {
  const [source = '-', ...rest] = positionals
  // An error without quotes around it is many words to the shell.
  return rest.length === 0 ? source : [source, ...rest].join(' ')
}

/** A text that could only be the name of a file is not taken for an error when there is no such file. */
function errorText(source: string, console: Console): Promise<string> {
  const isFile = source === '-' || (source.length < 1024 && existsSync(source))
  const looksLikeFile = /^[^\s{}'"]+\.[a-z]{1,5}$/i.test(source)
  return isFile || looksLikeFile ? textOf(source, console) : Promise.resolve(source)
}

function apiFor({ api }: Explanation): WritableApi {
  const found = WRITABLE_APIS.find((writable) => writable === api)
  if (found === undefined)
    throw new UsageError(`--to is missing: the error does not tell which of ${WRITABLE_APIS.join(', ')} it is`)
  return found
}
