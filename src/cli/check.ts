import { check as checkBody } from '../check/index.ts'
import { count } from '../view/count.ts'
import { escapeText } from '../view/escape.ts'
import { violationLines } from '../view/violations.ts'
import { apiOf, choiceOf, commandLine, fileOf, onlyFor } from './arguments.ts'
import { LEVELS, PLATFORM_HELP, platformOf } from './choices.ts'
import { type Command, EXIT } from './command.ts'
import { jsonOf, nameOf } from './source.ts'

const help = `provider-history check FILE --api API [options]

Says what an API would refuse in the request body that stands in FILE, in the API's own words: the first line is what it
would answer. The body is the whole one, also with what convert leaves to you: the model, and max_tokens where the API wants
it. Exits with 1 when it would refuse the body.

  --api API         anthropic, openai-chat (chat), openai-responses (responses)
  --level LEVEL     live (default): what is refused today; strict: also what older versions and models refuse
${PLATFORM_HELP}\
  --dialect NAME    the server, where another speaks an API of OpenAI's: deepseek, mistral, llamacpp ...
`

const options = {
  api: { type: 'string' },
  level: { type: 'string' },
  platform: { type: 'string' },
  dialect: { type: 'string' },
} as const

export const check: Command = {
  name: 'check',
  summary: 'say what an API would refuse in a request body',
  help,
  async run(argv, console) {
    const { values, positionals } = commandLine(argv, options)
    const file = fileOf(positionals)
    const api = apiOf(values.api, 'api')
    const level = choiceOf(values.level, 'level', LEVELS) ?? 'live'
    const { dialect } = values
    const platform = platformOf(values.platform, api)
    onlyFor(['openai-chat', 'openai-responses'], api, dialect, 'dialect')
    const violations = checkBody(api, await jsonOf(file, console), { level, platform, dialect })
    for (const violation of violations) console.print(`${violationLines(violation).join('\n')}\n`)
    const name = escapeText(nameOf(file))
    if (violations.length === 0) console.say(`${name}: ${api} takes it (level ${level})\n`)
    else console.say(`${name}: ${api} refuses it: ${count(violations.length, 'violation')} (level ${level})\n`)
    return violations.length === 0 ? EXIT.fine : EXIT.refused
  },
}
