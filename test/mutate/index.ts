import { changesMutants } from './changes.ts'
import { checkMutants } from './check.ts'
import { GROUPS, type Group, type Mutant, type Outcome, type Stage } from './mutant.ts'
import { repairMutants } from './repair.ts'
import { runAll } from './workers.ts'

/**
 * Leaves out each repair step, each rule of a check and each report of a change in turn, and fails when the tests stay
 * green: `npm run mutate`, `npm run mutate -- repair`, `npm run mutate -- changes reasoning write/`.
 */

const MAKERS: { readonly [group in Group]: () => readonly Mutant[] } = {
  repair: repairMutants,
  check: checkMutants,
  changes: changesMutants,
}

const WORKERS = 2

const args = process.argv.slice(2)
const groups = GROUPS.filter((group) => args.includes(group))
const filters = args.filter((arg) => !groups.some((group) => group === arg))
const mutants = (groups.length === 0 ? GROUPS : groups)
  .flatMap((group) => MAKERS[group]())
  .filter(({ name }) => filters.length === 0 || filters.some((filter) => name.includes(filter)))

const red = await redStages()
const outcomes = await outcomesOf(mutants)
print(outcomes)
process.exitCode = outcomes.every(({ outcome }) => outcome.kind === 'killed') && mutants.length > 0 ? 0 : 1

interface Result {
  readonly mutant: Mutant
  readonly outcome: Outcome
}

/** What is red without a mutant says nothing about one. */
async function redStages(): Promise<ReadonlyMap<string, string>> {
  const stages = new Map<string, Stage>()
  for (const mutant of mutants) for (const stage of mutant.stages) stages.set(stage.join(' '), stage)
  const files = [...new Set([...stages.values()].flat())]
  const red = new Map<string, string>()
  console.log(`${mutants.length} mutants; ${files.length} test files without one`)
  const tasks = files.map((file) => ({ edits: [], stages: [[file]] }))
  await runAll(tasks, WORKERS, (index, outcome) => {
    if (outcome.kind === 'survived') return
    const why = outcome.kind === 'killed' ? outcome.by : outcome.why
    console.log(`red without a mutant: ${why}`)
    red.set(files[index]!, why)
  })
  return red
}

async function outcomesOf(all: readonly Mutant[]): Promise<Result[]> {
  const results: Result[] = []
  const tasks = all.map(({ edits, stages }) => ({
    edits,
    stages: stages.map(green).filter(({ length }) => length > 0),
  }))
  let done = 0
  await runAll(tasks, WORKERS, (index, outcome, ms) => {
    const mutant = all[index]!
    results.push({ mutant, outcome })
    console.log(
      `${++done}/${all.length} ${mutant.group} | ${mutant.name} | ${said(outcome)} | ${(ms / 1000).toFixed(1)} s`,
    )
  })
  return results
}

function green(stage: Stage): Stage {
  return stage.filter((file) => !red.has(file))
}

function said(outcome: Outcome): string {
  if (outcome.kind === 'killed') return `killed by ${outcome.by}`
  return outcome.kind === 'survived' ? 'SURVIVED' : `BROKEN: ${outcome.why}`
}

function print(results: readonly Result[]): void {
  const count = (group: Group, kind: Outcome['kind']): number =>
    results.filter(({ mutant, outcome }) => mutant.group === group && outcome.kind === kind).length
  console.table(
    Object.fromEntries(
      GROUPS.filter((group) => results.some(({ mutant }) => mutant.group === group)).map((group) => [
        group,
        { killed: count(group, 'killed'), survived: count(group, 'survived'), broken: count(group, 'broken') },
      ]),
    ),
  )
  for (const { mutant, outcome } of results) {
    if (outcome.kind !== 'killed') console.log(`${mutant.group} | ${mutant.name} | ${said(outcome)}`)
  }
}
