import { expect, it } from 'vitest'
import type { CheckOptions, Violation } from '../../../src/check/rule.ts'
import { expected, type RuleCase, said } from './case.ts'

/** The rules of one API, with a case for each. */
export interface Ruled<Options> {
  readonly api: string
  readonly table: { readonly [rule: string]: unknown }
  readonly cases: readonly RuleCase<Options>[]
  check(body: unknown, options?: Options): readonly Violation[]
}

/** What holds for each rule, whatever it says. */
export function testEachRule<Options extends CheckOptions>({ api, table, cases, check }: Ruled<Options>): void {
  for (const [index, one] of cases.entries()) {
    it(`${one.rule} (${index}): is told first, in the words of the API`, () => {
      expect(said(check(one.breaks, one.options)[0])).toEqual(expected(api, one))
    })
    it(`${one.rule} (${index}): lets its near miss pass`, () => {
      expect(check(one.passes, one.passesWith ?? one.options)).toEqual([])
    })
  }

  it('has a case for each rule that a body can show', () => {
    const raised = Object.entries(table).filter(([, from]) => typeof from === 'string')
    const covered = new Set(cases.map((one) => one.rule))
    expect(raised.map(([rule]) => rule).filter((rule) => !covered.has(rule))).toEqual([])
  })

  it('does not raise at live what only strict refuses', () => {
    const strict = cases.filter((one) => one.options?.level === 'strict')
    expect(strict.flatMap((one) => check(one.breaks))).toEqual([])
  })

  it('leaves out the rules that the caller names', () => {
    for (const { rule, breaks, options } of cases) {
      const without = [`${api}/${rule}`]
      const left = check(breaks, { ...(options as Options), without })
      expect(left.map((violation) => violation.rule)).not.toContain(without[0])
    }
  })

  it('names a place in the brackets of the schema validator', () => {
    for (const one of cases) {
      const path = check(one.breaks, one.options)[0]?.path ?? ''
      expect(path).toMatch(/^(?:[a-z_]+(?:\[\d+\]|\.[a-z_]+)*)?$/)
    }
  })
}
