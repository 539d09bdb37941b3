import { describe, expect, it } from 'vitest'
import { otherCodes, otherWords } from '../openai/rulebook.ts'
import { rulebook } from '../openai/shared.ts'
import { CASES } from './rule-cases.ts'

const rows = rulebook('responses')

describe.skipIf(rows.length === 0)('the rulebook of the Responses API', () => {
  it('has its words', () => {
    expect(otherWords(rows, CASES, 'openai-responses')).toEqual([])
  })

  it('has its codes', () => {
    expect(otherCodes(rows, CASES, 'openai-responses')).toEqual([])
  })
})
