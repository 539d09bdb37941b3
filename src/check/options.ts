import { checkOptions, type OptionRules, oneOf, TEXT, TEXTS } from '../model/options.ts'

const OPTIONS: OptionRules = {
  level: oneOf('live', 'strict'),
  platform: TEXT,
  dialect: TEXT,
  betas: TEXTS,
  without: TEXTS,
}

/** @throws {TypeError} that names the option and what it may be. */
export function checkCheckOptions(options: unknown): void {
  checkOptions(options, OPTIONS)
}
