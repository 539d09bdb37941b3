import type { Violation } from '../../../src/check/rule.ts'

/** One rule of a rulebook: the smallest body that breaks it first, the words that follow, and a near miss that breaks nothing. */
export interface RuleCase<Options> {
  readonly rule: string
  readonly breaks: unknown
  readonly message: string
  readonly code: string | null
  readonly param: string | null
  readonly status?: number
  readonly passes: unknown
  /** Of both bodies; none is level `live`. */
  readonly options?: Options
  /** Where the near miss differs by its options. */
  readonly passesWith?: Options
}

/** What a violation says, without its place. */
export function said(violation: Violation | undefined): unknown {
  if (violation === undefined) return undefined
  const { rule, message, code, param, status, type } = violation
  return { rule, message, code, param, status, type }
}

export function expected<Options>(
  prefix: string,
  { rule, message, code, param, status = 400 }: RuleCase<Options>,
): unknown {
  return { rule: `${prefix}/${rule}`, message, code, param, status, type: 'invalid_request_error' }
}
