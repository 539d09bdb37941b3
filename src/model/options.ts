import { type Fields, isObject } from './json.ts'
import { misspelt } from './misspelt.ts'

/** What an option may be. */
export interface OptionRule {
  /** Behind `must be`. */
  readonly wanted: string
  fits(value: unknown): boolean
  /** What of a value of the right type does not fit. */
  why?(value: unknown): string | undefined
}

export type OptionRules = { readonly [name: string]: OptionRule }

export const TEXT: OptionRule = { wanted: 'a text', fits: (value) => typeof value === 'string' }
export const FLAG: OptionRule = { wanted: 'true or false', fits: (value) => typeof value === 'boolean' }
export const LIMIT: OptionRule = { wanted: 'a number', fits: (value) => typeof value === 'number' && value >= 0 }
export const TEXTS: OptionRule = {
  wanted: 'a list of texts',
  fits: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
}

export function oneOf(...values: readonly string[]): OptionRule {
  const quoted = values.map((value) => `'${value}'`)
  return { wanted: quoted.join(' or '), fits: (value) => values.includes(value as string) }
}

/**
 * Options of wrong types or misspelt names would else go unnoticed, or fail far from where they were given. Others without
 * a rule are let pass, so that one object may serve several calls.
 * @throws {TypeError} that names the option and what it may be.
 */
export function checkOptions(options: unknown, rules: OptionRules): void {
  if (!isObject(options)) throw new TypeError('The options must be an object.')
  const names = Object.keys(rules)
  for (const name of names) {
    const value = options[name]
    if (value !== undefined && !rules[name]!.fits(value)) throw refusal(name, value, rules[name]!)
  }
  for (const given of Object.keys(options)) if (!Object.hasOwn(rules, given)) refuseMisspelt(given, options, names)
}

function refusal(name: string, value: unknown, rule: OptionRule): TypeError {
  const why = rule.why?.(value)
  return new TypeError(`The option ${name} must be ${rule.wanted}${why === undefined ? '' : `: ${why}`}.`)
}

/** A name that is near to an option which is given, too, means something else. */
function refuseMisspelt(given: string, options: Fields, names: readonly string[]): void {
  const meant = misspelt(given, names)
  if (meant === undefined || options[meant] !== undefined || options[given] === undefined) return
  throw new TypeError(`There is no option ${given}; ${meant} may be meant.`)
}
