import { checker as anthropic } from '../check/anthropic/index.ts'
import { checker as openaiChat } from '../check/openai-chat/index.ts'
import { checker as openaiResponses } from '../check/openai-responses/index.ts'
import { rulesLeftOut } from '../check/options.ts'
import { isObject, preview } from '../model/json.ts'
import { checkOptions, type OptionRule, type OptionRules, oneOf } from '../model/options.ts'
import { COUNT_SAME } from './anthropic.ts'

const CHECKERS = [anthropic, openaiChat, openaiResponses]
const MOCKED: readonly string[] = CHECKERS.map(({ api }) => api)

/** A text for each API, or none; `fault` says what is wrong with one. */
function textOfEachApi(fault: (text: string) => string | undefined = () => undefined): OptionRule {
  const why = (value: unknown): string | undefined => {
    if (!isObject(value)) return undefined
    const given = Object.entries(value).filter(([, text]) => text !== undefined)
    const unknown = given.find(([api]) => !MOCKED.includes(api))
    if (unknown !== undefined) return `there is no mock of ${preview(unknown[0])}; there are ${MOCKED.join(', ')}`
    return given
      .map(([, text]) => (typeof text === 'string' ? fault(text) : undefined))
      .find((one) => one !== undefined)
  }
  return {
    wanted: 'an object with a text for an API',
    fits: (value) =>
      isObject(value) &&
      Object.values(value).every((text) => text === undefined || typeof text === 'string') &&
      why(value) === undefined,
    why,
  }
}

/** No client sends a request to another base, so that the mock would wait for nothing. */
function noBase(base: string): string | undefined {
  if (/^(?:https?:\/\/[^/?#\s]|\/)[^?#\s]*$/i.test(base)) return undefined
  return `'${preview(base)}' is no URL that begins with http:// or https://, and no path that begins with /`
}

const OPTIONS: OptionRules = {
  level: oneOf('live', 'strict'),
  baseUrls: textOfEachApi(noBase),
  without: rulesLeftOut([...CHECKERS.flatMap(({ rules }) => rules), COUNT_SAME]),
  dialects: textOfEachApi(),
  onViolation: oneOf('respond', 'throw'),
}

/** @throws {TypeError} that names the option and what it may be. */
export function checkMockOptions(options: unknown): void {
  checkOptions(options, OPTIONS)
}
