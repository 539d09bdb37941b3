import { checkAnthropic } from '../../../src/check/anthropic/index.ts'
import { checkOpenAIChat } from '../../../src/check/openai-chat/index.ts'
import { checkOpenAIResponses } from '../../../src/check/openai-responses/index.ts'
import type { Violation } from '../../../src/check/rule.ts'
import type { ApiId } from '../../../src/model/session.ts'
import { CASES as ANTHROPIC_CASES } from '../anthropic/cases.ts'
import { CASES as CHAT_CASES } from '../openai-chat/rule-cases.ts'
import { CASES as RESPONSES_CASES } from '../openai-responses/rule-cases.ts'

export interface Told {
  readonly api: ApiId
  readonly violation: Violation
}

const of = (api: ApiId, violations: readonly Violation[]): Told[] => violations.map((violation) => ({ api, violation }))

/** Everything that our own checkers say of the bodies that their tests are made of. */
export const TOLD: readonly Told[] = [
  ...ANTHROPIC_CASES.flatMap(({ body, options }) => of('anthropic', checkAnthropic(body, options))),
  ...CHAT_CASES.flatMap(({ breaks, options }) => of('openai-chat', checkOpenAIChat(breaks, options))),
  ...RESPONSES_CASES.flatMap(({ breaks, options }) => of('openai-responses', checkOpenAIResponses(breaks, options))),
]

/** The body with which the API answers. */
export function bodyOf({ api, violation }: Told): object {
  const { type, message, param, code } = violation
  return api === 'anthropic'
    ? { type: 'error', error: { type, message }, request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy' }
    : { error: { message, type, param, code } }
}

/** As Python prints a value: single quotes, and double ones around texts that hold single ones only. */
export function repr(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'string') {
    const escaped = value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
    return value.includes("'") && !value.includes('"') ? `"${escaped}"` : `'${escaped.replaceAll("'", "\\'")}'`
  }
  if (typeof value !== 'object') return String(value)
  return `{${Object.entries(value)
    .map(([key, inner]) => `${repr(key)}: ${repr(inner)}`)
    .join(', ')}}`
}
