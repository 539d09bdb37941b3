import type { Mutant } from './mutant.ts'
import { textOf } from './text.ts'

const FILE = 'src/repair/index.ts'
const STAGES = [
  ['test/repair/steps.test.ts', 'test/repair/alone.test.ts'],
  ['test/fixtures.test.ts', 'test/write/anthropic.test.ts', 'test/write/openai.test.ts'],
  ['test/laws/accepted.test.ts'],
  ['test/hostile/writers.test.ts'],
]

/** Each step left out of the array in which it stands. */
export function repairMutants(): Mutant[] {
  const text = textOf(FILE)
  const lists = [...text.matchAll(/(?:(?<name>\w+): readonly Step\[\] = |return )\[(?<entries>[^\]]*)\]/g)]
  return lists.flatMap((list) => {
    const { name = 'steps', entries = '' } = list.groups ?? {}
    const start = list.index + list[0].length - 1 - entries.length
    return [...entries.matchAll(/(?<=^|,)\s*(?:\/\/[^\n]*\n\s*)*(?<step>\w+)(?:\(\w+\))?(?:,|(?=\s*$))/g)].map(
      (entry) => ({
        group: 'repair' as const,
        name: `${name} without ${entry.groups?.step}`,
        edits: [{ file: FILE, at: start + entry.index, was: entry[0], is: '' }],
        stages: STAGES,
      }),
    )
  })
}
