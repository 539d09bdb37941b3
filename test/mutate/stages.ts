import { readdirSync } from 'node:fs'
import type { Stage } from './mutant.ts'
import { textOf } from './text.ts'

/** What is written and how, in few files; then the stored cases. */
const WRITING: readonly Stage[] = [['test/repair/steps.test.ts', ...testsIn('test/write')], ['test/fixtures.test.ts']]

/** By room, or by the file of a room that has tests of its own elsewhere. */
const STAGES: { readonly [start: string]: readonly Stage[] } = {
  'src/repair/': WRITING,
  'src/write/': WRITING,
  'src/files/': [testsIn('test/files')],
  'src/read/text.ts': [['test/read/lines.test.ts']],
  'src/read/recover.ts': [['test/read/lines.test.ts']],
  'src/read/unreadable.ts': [['test/read/lines.test.ts']],
}

/** The tests that should notice when a file reports something else, the nearest first. */
export function stagesFor(file: string): readonly Stage[] {
  const start = Object.keys(STAGES).find((known) => file.startsWith(known))
  if (start !== undefined) return STAGES[start] ?? []
  return stagesOfReader(/^src\/read\/(?<reader>[^/.]+)/.exec(file)?.groups?.reader ?? '')
}

/**
 * The tests named for the folder or file of a reader, one after the other since some take long; then those that speak of
 * it; all that read, where none does.
 */
function stagesOfReader(reader: string): readonly Stage[] {
  const all = testsIn('test/read')
  const named = all.filter((test) => test.startsWith(`test/read/${reader}`)).sort((a, b) => a.length - b.length)
  const about = all.filter((test) => !named.includes(test) && textOf(test).includes(reader))
  const stages = [...named.map((test) => [test]), [...about, 'test/fixtures.test.ts']]
  return named.length + about.length === 0 ? [...stages, all] : stages
}

function testsIn(folder: string): Stage {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
}
