import { isObject } from './json.ts'

/** What an option may be. */
export interface OptionRule {
  /** Behind `must be`. */
  readonly wanted: string
  fits(value: unknown): boolean
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
 * Options of wrong types would else go unnoticed, or fail far from where they were given. Those without a rule are let pass.
 * @throws {TypeError} that names the option and what it may be.
 */
export function checkOptions(options: unknown, rules: OptionRules): void {
  if (!isObject(options)) throw new TypeError('The options must be an object.')
  for (const name of Object.keys(rules)) {
    const value = options[name]
    if (value !== undefined && !rules[name]!.fits(value))
      throw new TypeError(`The option ${name} must be ${rules[name]!.wanted}.`)
  }
}
