import { own } from '../../model/own.ts'
import type { CheckOptions, Level, Violation } from '../rule.ts'
import type { Fault } from './templates.ts'

/** The level from which a rule is raised, or why no body shows it. */
export type RuleRow = Level | { readonly never: string }

export type RuleTable<Id extends string> = { readonly [id in Id]: RuleRow }

/** Every id that a violation of this API can have. */
export function idsOf(prefix: string, rules: RuleTable<string>): readonly string[] {
  return Object.keys(rules).flatMap((rule) => (typeof rules[rule] === 'string' ? [`${prefix}/${rule}`] : []))
}

/** What another server of the same API is known to take. */
export interface Dialect {
  /** Rules that do not hold there at level `live`. */
  readonly live?: readonly string[] | undefined
  /** Rules that do not hold there at any level, since they speak of OpenAI's own fields. */
  readonly always?: readonly string[] | undefined
}

/** Collects the violations of one body: the one place where level, `without` and dialect decide. */
export class Report<Id extends string> {
  readonly violations: Violation[] = []
  readonly strict: boolean
  readonly azure: boolean
  /** Another server than OpenAI's own: its models and extra fields are not OpenAI's. */
  readonly foreign: boolean
  readonly #prefix: string
  readonly #rules: RuleTable<Id>
  readonly #off: ReadonlySet<string>

  constructor(
    prefix: string,
    rules: RuleTable<Id>,
    dialects: { readonly [name: string]: Dialect },
    options: CheckOptions,
  ) {
    const { dialect } = options
    this.strict = options.level === 'strict'
    this.azure = options.platform === 'azure'
    this.foreign = dialect !== undefined && dialect !== 'openai' && dialect !== 'azure'
    this.#prefix = prefix
    this.#rules = rules
    this.#off = ruledOut(prefix, this.foreign ? (own(dialects, dialect) ?? own(dialects, 'other')) : undefined, options)
  }

  raise(rule: Id, fault: Fault): void {
    const from = this.#rules[rule]
    if (from !== 'live' && !(from === 'strict' && this.strict)) return
    const id = `${this.#prefix}/${rule}`
    if (this.#off.has(id)) return
    this.violations.push({
      rule: id,
      status: fault.status ?? 400,
      type: 'invalid_request_error',
      code: fault.code,
      param: fault.param,
      message: fault.message,
      path: fault.path,
    })
  }
}

function ruledOut(prefix: string, dialect: Dialect | undefined, options: CheckOptions): ReadonlySet<string> {
  const off = new Set(options.without ?? [])
  for (const rule of dialect?.always ?? []) off.add(`${prefix}/${rule}`)
  if (options.level !== 'strict') for (const rule of dialect?.live ?? []) off.add(`${prefix}/${rule}`)
  return off
}
