import { preview } from '../model/json.ts'
import type { ApiId } from '../model/session.ts'
import { checker as anthropic } from './anthropic/index.ts'
import { checker as openaiChat } from './openai-chat/index.ts'
import { checker as openaiResponses } from './openai-responses/index.ts'
import type { Checker, CheckOptions, Violation } from './rule.ts'

const CHECKERS: ReadonlyMap<ApiId, Checker> = new Map(
  [anthropic, openaiChat, openaiResponses].map((checker) => [checker.api, checker]),
)

/**
 * What an API would refuse in a whole request body, in its own words; the first violation is what it would answer, none
 * means that it would accept the body. Never throws for a body, whatever it is.
 *
 * @throws {TypeError} for an API that has no checker, rather than to call its bodies accepted, and for options that are none:
 *   a platform that the API does not have, a rule that there is not
 */
export function check(api: ApiId, body: unknown, options: CheckOptions = {}): readonly Violation[] {
  const checker = CHECKERS.get(api)
  if (checker === undefined)
    throw new TypeError(`No checker for ${preview(api)}; there are ${[...CHECKERS.keys()].join(', ')}`)
  return checker.check(body, options)
}

export { type ExplainedRule, type Explanation, explain } from './explain/index.ts'
export type { CheckOptions, Level, Violation } from './rule.ts'
