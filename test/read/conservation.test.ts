import { describe, expect, it } from 'vitest'
import { readers } from '../../src/read/index.ts'
import { count, FULL, printCounts } from '../laws/runs.ts'
import { unexplained } from './conservation/explained.ts'
import { mutantsOf } from './conservation/mutants.ts'
import { SESSIONS } from './conservation/sessions.ts'

printCounts('conserved')

/** So many with one change, spread over all that there are, and with two at once. */
const [ONE, TWO] = FULL ? [Number.POSITIVE_INFINITY, 1500] : [45, 5]

it('every format has sessions here', () => {
  expect([...new Set(SESSIONS.map(({ format }) => format))].sort()).toEqual(readers.map(({ format }) => format).sort())
})

describe.each(SESSIONS)('$format: $name', ({ format, value, isLines }) => {
  const reader = readers.find((one) => one.format === format)!

  it.each(['active', 'full'] as const)('of the %s history whatever is stored is read or told of', (history) => {
    const whole = unexplained(reader, value, isLines, history)
    expect(whole).toEqual({ tokens: [], overstated: [], isRefused: false })
    const silent: string[] = []
    const overstated: string[] = []
    const seed = FULL ? Date.now() : 5
    for (const mutant of mutantsOf(value, seed, ONE, TWO)) {
      const found = unexplained(reader, mutant.value, isLines, history)
      count(format)
      if (found.isRefused) count(`${format} refused`)
      if (found.tokens.length > 0) silent.push(`${mutant.name}: ${found.tokens.join(' ')}`)
      if (found.overstated.length > 0) overstated.push(`${mutant.name}: ${JSON.stringify(found.overstated)}`)
    }
    expect({ seed, silent, overstated }).toEqual({ seed, silent: [], overstated: [] })
  })
})
