import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const TESTS = join(import.meta.dirname, '..')
const LIST = join(TESTS, '../../shared/cases/seeds.md')
const WITHOUT_LIST = [
  ['D', 8],
  ['Z', 10],
  ['O', 7],
  ['P', 2],
] as const

/** The lines of the list begin with a letter and a number: what one of the systems did that this one grew from. */
function lines(): string[] {
  if (existsSync(LIST)) return [...readFileSync(LIST, 'utf8').matchAll(/^- ([A-Z]\d+) /gm)].map(([, name]) => name!)
  console.log('seeds: the list is not here; its lines as they were known are looked for')
  return WITHOUT_LIST.flatMap(([letter, count]) => Array.from({ length: count }, (_, index) => `${letter}${index + 1}`))
}

/** The titles of tests that say which line they show: `D1: ...`, `Z5, Z7: ...`. */
function named(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const file of readdirSync(TESTS, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.test.ts')) continue
    const text = readFileSync(join(TESTS, file), 'utf8')
    for (const [, names = ''] of text.matchAll(/\b(?:it|describe)\(\s*['"`]([A-Z]\d+(?:, [A-Z]\d+)*): /g)) {
      for (const name of names.split(', ')) counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return counts
}

it('each line of the list is named by a test that shows it', () => {
  const counts = named()
  const all = lines()
  expect(all.length).toBeGreaterThanOrEqual(27)
  expect(all.filter((name) => !counts.has(name))).toEqual([])
  console.log(`seeds: ${all.length} lines: ${all.map((name) => `${name} ${counts.get(name)}`).join(', ')}`)
})
