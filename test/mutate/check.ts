import { ANTHROPIC_RULES } from '../../src/check/anthropic/index.ts'
import { RULES as CHAT_RULES } from '../../src/check/openai-chat/rules.ts'
import { RULES as RESPONSES_RULES } from '../../src/check/openai-responses/rules.ts'
import type { Edit, Mutant } from './mutant.ts'
import { behind } from './text.ts'

/** Each rule silenced where violations are collected. */
export function checkMutants(): Mutant[] {
  const anthropic = ANTHROPIC_RULES.map((rule) =>
    mutant('anthropic', rule, behind(RUN, /^ {2}report\(rule: RuleId,.*\{\n/m, `if (rule === '${rule}') return`)),
  )
  const openai = Object.entries({ 'openai-chat': CHAT_RULES, 'openai-responses': RESPONSES_RULES }).flatMap(
    ([api, rules]) => raised(rules).map((rule) => mutant(api, `${api}/${rule}`, silenced(api, rule))),
  )
  return [...anthropic, ...openai]
}

const RUN = 'src/check/anthropic/run.ts'
const REPORT = 'src/check/openai/report.ts'

function silenced(api: string, rule: string): Edit {
  return behind(REPORT, /^ {2}raise\(rule: Id,.*\{\n/m, `if (this.#prefix === '${api}' && rule === '${rule}') return`)
}

/** Those that a body can show. */
function raised(rules: { readonly [rule: string]: unknown }): string[] {
  return Object.keys(rules).filter((rule) => typeof rules[rule] === 'string')
}

function mutant(api: string, rule: string, edit: Edit): Mutant {
  return { group: 'check', name: rule, edits: [edit], stages: [[`test/check/${api}/rules.test.ts`]] }
}
