import { describe, expect, it } from 'vitest'
import { RULES } from '../../../src/check/openai-responses/rules.ts'
import { coverage, otherCodes, otherWords } from '../openai/rulebook.ts'
import { rulebook } from '../openai/shared.ts'
import { CASES } from './rule-cases.ts'

const rows = rulebook('responses')

describe.skipIf(rows.length === 0)('the rulebook of the Responses API', () => {
  it('knows every rule, and says of the rest why no body shows it', () => {
    const { covered, notSeen, forgotten } = coverage(rows, RULES, 'openai-responses')
    console.log(`responses: ${covered.length} of ${rows.length} rules covered; not seen:\n  ${notSeen.join('\n  ')}`)
    expect(forgotten).toEqual([])
    expect(covered.length).toBe(rows.length - 9)
  })

  it('has its words', () => {
    expect(otherWords(rows, CASES, 'openai-responses')).toEqual([])
  })

  it('has its codes', () => {
    expect(otherCodes(rows, CASES, 'openai-responses')).toEqual([])
  })
})
