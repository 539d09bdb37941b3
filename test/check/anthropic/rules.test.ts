import { describe, expect, it } from 'vitest'
import { ANTHROPIC_RULES, checkAnthropic } from '../../../src/check/anthropic/index.ts'
import type { Case } from './case.ts'
import { CASES } from './cases.ts'

const title = ({ rule, says }: Case): string => `${rule}: ${says.slice(0, 90)}`

describe('each rule', () => {
  it.each(CASES.map((each) => [title(each), each] as const))('refuses by %s', (_title, each) => {
    const [first] = checkAnthropic(each.body, each.options)
    expect(first).toMatchObject({ rule: each.rule, message: each.says, code: null, param: null })
    if (each.path !== undefined) expect(first?.path).toBe(each.path)
  })

  it.each(CASES.map((each) => [title(each), each] as const))('can be left out: %s', (_title, each) => {
    const found = checkAnthropic(each.body, { ...each.options, without: [each.rule] })
    expect(found.map(({ rule }) => rule)).not.toContain(each.rule)
  })

  it('has a case', () => {
    const covered = new Set(CASES.map(({ rule }) => rule))
    expect(ANTHROPIC_RULES.filter((rule) => !covered.has(rule))).toEqual([])
    expect([...covered].filter((rule) => !ANTHROPIC_RULES.includes(rule))).toEqual([])
  })
})

describe('the near misses', () => {
  it.each(CASES.map((each) => [title(each), each] as const))('have no violation at all: %s', (_title, each) => {
    expect(checkAnthropic(each.passes, each.passesWith ?? each.options)).toEqual([])
  })
})

describe('statuses', () => {
  it('are 400 but for bodies that are too large and models that are not known', () => {
    const statuses = new Map<string, string>()
    for (const { body, options } of CASES) {
      for (const { rule, status, type } of checkAnthropic(body, options)) statuses.set(rule, `${status} ${type}`)
    }
    const odd = [...statuses].filter(([, status]) => status !== '400 invalid_request_error')
    expect(Object.fromEntries(odd)).toEqual({
      'anthropic/request-too-large': '413 request_too_large',
      'anthropic/model-unknown': '404 not_found_error',
    })
  })
})
