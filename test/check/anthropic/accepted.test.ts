import { describe, expect, it } from 'vitest'
import { checkAnthropic } from '../../../src/check/anthropic/index.ts'
import { ACCEPTED, CONTESTED, PLAIN } from './accepted-cases.ts'

describe('what the Messages API accepts', () => {
  for (const { what, body, options } of [...Object.values(ACCEPTED).flat(), ...PLAIN]) {
    it(what, () => expect(checkAnthropic(body, options)).toEqual([]))
  }

  it.each(CONTESTED)('$what, which strict refuses by $strict', ({ body, strict }) => {
    expect(checkAnthropic(body)).toEqual([])
    const rules = checkAnthropic(body, { level: 'strict' }).map(({ rule }) => rule)
    expect(rules).toContain(`anthropic/${strict}`)
    const without = checkAnthropic(body, { level: 'strict', without: [`anthropic/${strict}`] })
    expect(without.map(({ rule }) => rule)).not.toContain(`anthropic/${strict}`)
  })
})
