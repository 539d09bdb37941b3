import type { RuleCase } from './case.ts'
import type { RulebookRow } from './shared.ts'

const ANYTHING = '\u0000'

/** The alternatives of a rulebook text, as patterns: placeholders in braces, which may hold others, stand for anything. */
export function patternsOf(text: string): readonly RegExp[] {
  let plain = text
  while (/\{[^{}]*\}/.test(plain)) plain = plain.replace(/\{[^{}]*\}/g, ANYTHING)
  return plain
    .replaceAll('\\|', '|')
    .replace(/^`` | ``$/g, '')
    .replace(/ \((?:variant|2023|same|exact)[^)]*\)/g, '')
    .replaceAll('(…)', ANYTHING)
    .split(/ \| | \/ /)
    .map((alternative) => alternative.trim())
    .filter((alternative) => alternative !== '')
    .map((alternative) => new RegExp(`^${alternative.split(ANYTHING).map(escaped).join('.+')}`))
}

function escaped(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** The rules of which no case has the rulebook's words, where it has some. */
export function otherWords<T>(
  rows: readonly RulebookRow[],
  cases: readonly RuleCase<T>[],
  prefix: string,
): readonly string[] {
  const strange = rows.filter(({ id, text }) => {
    const said = cases.filter((one) => `${prefix}/${one.rule}` === id)
    if (said.length === 0 || !hasWords(text)) return false
    return !patternsOf(text).some((pattern) => said.some((one) => pattern.test(one.message)))
  })
  return strange.map((row) => row.id)
}

/** Notes in place of a text, such as "(see those)". */
function hasWords(text: string): boolean {
  return text !== '—' && !text.startsWith('(') && !text.startsWith('see ')
}

/** The rules of which no case has the rulebook's code, where one was seen. */
export function otherCodes<T>(
  rows: readonly RulebookRow[],
  cases: readonly RuleCase<T>[],
  prefix: string,
): readonly string[] {
  const strange = rows.filter(({ id, code }) => {
    const said = cases.filter((one) => `${prefix}/${one.rule}` === id)
    if (said.length === 0 || code === '' || code.includes('—')) return false
    return !said.some((one) => code.includes(one.code ?? 'null'))
  })
  return strange.map((row) => row.id)
}
