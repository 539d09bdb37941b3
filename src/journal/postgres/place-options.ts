import { checkOptions, type OptionRule, type OptionRules } from '../../model/options.ts'

/** Looked at by its own code, with words of its own; only its name is wanted here. */
const ELSEWHERE: OptionRule = { wanted: '', fits: () => true }

const CONNECTION: OptionRule = {
  wanted: 'a URL or a function that connects',
  fits: (value) => typeof value === 'string' || typeof value === 'function',
}

const PLACE: OptionRules = { connection: CONNECTION, session: ELSEWHERE, table: ELSEWHERE }

/**
 * Before anything connects.
 * @param more Names of the options beside the place.
 * @throws {TypeError} that names the option and what it may be.
 */
export function checkPlace(options: unknown, more: readonly string[] = []): void {
  checkOptions(options, { ...PLACE, ...Object.fromEntries(more.map((name) => [name, ELSEWHERE])) })
  const { connection } = options as { readonly connection?: unknown }
  if (connection === undefined) throw new TypeError(`The option connection must be ${CONNECTION.wanted}.`)
}
