import { describe, expect, it } from 'vitest'
import { RULES } from '../../../src/check/openai-chat/rules.ts'
import { coverage, otherCodes, otherWords } from '../openai/rulebook.ts'
import { rulebook } from '../openai/shared.ts'
import { CASES } from './rule-cases.ts'

const rows = rulebook('chat')

describe.skipIf(rows.length === 0)('the rulebook of chat completions', () => {
  it('knows every rule, and says of the rest why no body shows it', () => {
    const { covered, notSeen, forgotten } = coverage(rows, RULES, 'openai-chat')
    console.log(`chat: ${covered.length} of ${rows.length} rules covered; not seen:\n  ${notSeen.join('\n  ')}`)
    expect(forgotten).toEqual([])
    expect(covered.length).toBe(rows.length - 6)
  })

  it('has its words', () => {
    expect(otherWords(rows, CASES, 'openai-chat')).toEqual([])
  })

  it('has its codes', () => {
    expect(otherCodes(rows, CASES, 'openai-chat')).toEqual([])
  })
})
