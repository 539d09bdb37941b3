import type { Change } from '../model/session.ts'
import type { ReadResult } from '../read/reader.ts'
import { changeLine, changesSummary } from '../view/changes.ts'
import { escapeJson } from '../view/escape.ts'
import { sessionSummary } from '../view/outline.ts'
import { convert as convertSession, type WritableApi } from '../write/index.ts'
import { apiOf, choiceOf, commandLine, fileOf, onlyFor } from './arguments.ts'
import { LEVELS, PLATFORM_HELP, platformOf } from './choices.ts'
import { type Command, type Console, EXIT, type ExitCode } from './command.ts'
import { SESSION_HELP, SESSION_OPTIONS, sessionOptions } from './session-options.ts'
import { sessionOf } from './source.ts'

const help = `provider-history convert FILE --to API [options]

Prints the request (messages, system prompt and tools) with which API goes on with the session of FILE, as JSON.
A summary of what was changed goes to standard error.

  --to API          anthropic, openai-chat (chat), openai-responses (responses)
  --model ID        the model that will be called; without it, what the least tolerant one takes
  --level LEVEL     strict (default): also what older versions and models refuse; live: only what is refused today
  --next TEXT       the coming user turn
${PLATFORM_HELP}\
  --dialect NAME    the server, where another speaks the chat API: deepseek, mistral, llamacpp ...
${SESSION_HELP}\
  --changes         list each change
  --strict          print nothing and exit with 1 when content would be lost
`

const options = {
  to: { type: 'string' },
  model: { type: 'string' },
  level: { type: 'string' },
  next: { type: 'string' },
  platform: { type: 'string' },
  dialect: { type: 'string' },
  ...SESSION_OPTIONS,
  changes: { type: 'boolean' },
  strict: { type: 'boolean' },
} as const

export const convert: Command = {
  name: 'convert',
  summary: 'print the request with which an API goes on with a session',
  help,
  async run(argv, console) {
    const { values, positionals } = commandLine(argv, options)
    const file = fileOf(positionals)
    const api = apiOf(values.to, 'to')
    const { model, next, dialect } = values
    onlyFor(['openai-chat'], api, dialect, 'dialect')
    const level = choiceOf(values.level, 'level', LEVELS)
    const platform = platformOf(values.platform, api)
    const read = await sessionOf(file, sessionOptions(values), console)
    const target = { model, level, next, platform, dialect }
    const { request, changes } = convertSession<WritableApi>(read.session, api, target)
    const all = [...read.changes, ...changes]
    const code = values.strict === true ? refuseLoss(all, console) : EXIT.fine
    if (code === EXIT.fine) console.print(`${escapeJson(JSON.stringify(request, null, 2))}\n`)
    report(read, api, all, values.changes === true, console)
    return code
  },
}

function refuseLoss(changes: readonly Change[], console: Console): ExitCode {
  const lost = changes.filter((change) => change.severity === 'loss')
  if (lost.length === 0) return EXIT.fine
  for (const change of lost) console.say(`${changeLine(change)}\n`)
  console.say('Nothing was printed, since --strict takes no loss.\n')
  return EXIT.refused
}

function report(read: ReadResult, api: WritableApi, changes: readonly Change[], each: boolean, console: Console): void {
  if (each) for (const change of changes) console.say(`${changeLine(change)}\n`)
  const told = changesSummary(changes)
  const hint = told === undefined || each ? '' : '; --changes lists each'
  console.say(`${read.format} to ${api}: ${sessionSummary(read.session)}; ${told ?? 'nothing was changed'}${hint}\n`)
}
