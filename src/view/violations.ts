import type { Violation } from '../check/rule.ts'
import { escapeText } from './escape.ts'

/** The API's own words on one line, the rule and the place below it. */
export function violationLines({ status, type, message, rule, path }: Violation): string[] {
  return [
    `${status} ${escapeText(type)}: ${escapeText(message)}`,
    `    ${rule}${path === '' ? '' : ` at ${escapeText(path)}`}`,
  ]
}
