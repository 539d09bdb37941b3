import { parseArgs } from 'node:util'
import { check as checkBody } from '../check/index.ts'
import { PLATFORMS } from '../model/platforms.ts'
import { count } from '../view/count.ts'
import { escapeText } from '../view/escape.ts'
import { violationLines } from '../view/violations.ts'
import { apiOf, choiceOf, fileOf, onlyFor } from './arguments.ts'
import { LEVELS } from './choices.ts'
import { type Command, EXIT } from './command.ts'
import { jsonOf, nameOf } from './source.ts'

const help = `provider-history check FILE --api API [options]

Says what an API would refuse in the request body that stands in FILE, in the API's own words: the first line is what it
would answer. The body is the whole one, also with what convert leaves to you: the model, and max_tokens where the API wants
it. Exits with 1 when it would refuse the body.

  --api API         anthropic, openai-chat (chat), openai-responses (responses)
  --level LEVEL     live (default): what is refused today; strict: also what older versions and models refuse
  --platform NAME   of anthropic: anthropic (default), bedrock, vertex; of the others: openai (default), azure
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
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true })
    const file = fileOf(positionals)
    const api = apiOf(values.api, 'api')
    const level = choiceOf(values.level, 'level', LEVELS) ?? 'live'
    const { dialect } = values
    const platform = choiceOf<string>(values.platform, 'platform', PLATFORMS[api])
    onlyFor(['openai-chat', 'openai-responses'], api, dialect, 'dialect')
    const violations = checkBody(api, await jsonOf(file, console), { level, platform, dialect })
    for (const violation of violations) console.print(`${violationLines(violation).join('\n')}\n`)
    const name = escapeText(nameOf(file))
    if (violations.length === 0) console.say(`${name}: ${api} takes it (level ${level})\n`)
    else console.say(`${name}: ${api} refuses it: ${count(violations.length, 'violation')} (level ${level})\n`)
    return violations.length === 0 ? EXIT.fine : EXIT.refused
  },
}
