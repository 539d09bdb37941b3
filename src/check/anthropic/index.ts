import { isObject } from '../../model/json.ts'
import { checkOptions } from '../../model/options.ts'
import { checkRules } from '../options.ts'
import type { Checker, CheckOptions, Violation } from '../rule.ts'
import { ORDER } from './order.ts'
import { type RuleId, Run } from './run.ts'
import { NOT_OBJECT } from './words.ts'

const NO_BODY: RuleId = 'anthropic/body-object'

/**
 * What the Messages API would refuse in a request body, in its own words and order; empty when it would accept it. Keys
 * with the value undefined count as left out, as `JSON.stringify` leaves them out. Never throws for a body.
 *
 * Not seen from a body: headers, token counts, signatures that only the API can verify, and whether files exist.
 * @throws {TypeError} for wrong options.
 */
export function checkAnthropic(body: unknown, options: CheckOptions = {}): readonly Violation[] {
  checkOptions(options, OPTIONS)
  const run = new Run(isObject(body) ? body : {}, options)
  if (!isObject(body)) {
    run.report(NO_BODY, NOT_OBJECT, '')
    return run.violations
  }
  for (const rule of ORDER) if (rule.level === undefined || run.strict) rule.check(run)
  return run.violations
}

/** Every id that a violation of this API can have. */
export const ANTHROPIC_RULES: readonly string[] = [...new Set<string>([NO_BODY, ...ORDER.flatMap((rule) => rule.ids)])]

const OPTIONS = checkRules('anthropic', ANTHROPIC_RULES)

export const checker: Checker = { api: 'anthropic', rules: ANTHROPIC_RULES, check: checkAnthropic }
