import fc from 'fast-check'
import { afterAll, vi } from 'vitest'

/** `FULL=1`: thousands of runs with a new seed each time; else about 160 with a fixed one, so that a red run can be repeated. */
export const FULL: boolean = process.env.FULL === '1'

if (FULL) vi.setConfig({ testTimeout: 1_800_000 })

const WANTED = Number(process.env.RUNS ?? 0)
const SEED = process.env.SEED

/** How often a property runs: `share` of the usual count. */
export function runs(share = 1): number {
  return Math.max(1, Math.round((WANTED > 0 ? WANTED : FULL ? 4000 : 160) * share))
}

function seed(): { seed?: number } {
  if (SEED !== undefined) return { seed: Number(SEED) }
  return FULL ? {} : { seed: 20_260_101 }
}

const counts = new Map<string, number>()

/** Counts what a suite has looked at; the counts are printed behind its last test. */
export function count(what: string, by = 1): void {
  counts.set(what, (counts.get(what) ?? 0) + by)
}

export function counted(what: string): number {
  return counts.get(what) ?? 0
}

/** To be called once in a test file. */
export function printCounts(suite: string): void {
  afterAll(() => {
    const told = [...counts].map(([what, times]) => `${what} ${times}`).join(', ')
    console.log(`${suite}: ${told}`)
  })
}

/** Runs one property and counts its runs. A failing one is shrunk and reported with its seed and path. */
export function forAll<T>(what: string, arbitrary: fc.Arbitrary<T>, test: (value: T) => void, share = 1): void {
  fc.assert(
    fc.property(arbitrary, (value) => {
      count(what)
      test(value)
    }),
    { numRuns: runs(share), ...seed(), verbose: 0 },
  )
}
