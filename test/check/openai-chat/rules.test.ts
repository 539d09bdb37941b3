import { describe, expect, it } from 'vitest'
import { checkOpenAIChat } from '../../../src/check/openai-chat/index.ts'
import { RULES } from '../../../src/check/openai-chat/rules.ts'
import { expected, said } from '../openai/case.ts'
import { CASES } from './rule-cases.ts'

describe('every rule of chat completions', () => {
  for (const [index, one] of CASES.entries()) {
    it(`${one.rule} (${index}): is told first, in the words of the API`, () => {
      expect(said(checkOpenAIChat(one.breaks, one.options)[0])).toEqual(expected('openai-chat', one))
    })
    it(`${one.rule} (${index}): lets its near miss pass`, () => {
      expect(checkOpenAIChat(one.passes, one.passesWith ?? one.options)).toEqual([])
    })
  }

  it('has a case for each rule that a body can show', () => {
    const raised = Object.entries(RULES).filter(([, from]) => typeof from === 'string')
    const covered = new Set(CASES.map((one) => one.rule))
    expect(raised.map(([rule]) => rule).filter((rule) => !covered.has(rule))).toEqual([])
  })

  it('does not raise at live what only strict refuses', () => {
    const strict = CASES.filter((one) => one.options?.level === 'strict')
    expect(strict.flatMap((one) => checkOpenAIChat(one.breaks))).toEqual([])
  })

  it('leaves out the rules that the caller names', () => {
    for (const one of CASES) {
      const id = `openai-chat/${one.rule}`
      const rules = checkOpenAIChat(one.breaks, { ...one.options, without: [id] }).map((violation) => violation.rule)
      expect(rules).not.toContain(id)
    }
  })

  it('names a place in the brackets of the schema validator', () => {
    for (const one of CASES) {
      const path = checkOpenAIChat(one.breaks, one.options)[0]?.path ?? ''
      expect(path).toMatch(/^(?:[a-z_]+(?:\[\d+\]|\.[a-z_]+)*)?$/)
    }
  })
})
