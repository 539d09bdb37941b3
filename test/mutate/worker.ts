import { resolve } from 'node:path'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import type { Edit, Outcome, Stage, Task } from './mutant.ts'

/**
 * A process that runs tests over changed sources: one Vitest for all of its tasks, so that what does not change is
 * transformed once. The files themselves stay as they are.
 */

// Goldens are compared, never written.
process.env.CI = '1'

let edits: readonly Edit[] = []

const vitest = await createVitest(
  'test',
  {
    watch: false,
    config: false,
    include: ['test/**/*.test.ts'],
    pool: 'threads',
    maxWorkers: 1,
    bail: 1,
    testTimeout: 60_000,
    silent: true,
    reporters: [{}],
  },
  { plugins: [{ name: 'mutate', enforce: 'pre', transform: (code: string, id: string) => edited(code, id) }] },
)

function edited(code: string, id: string): string | undefined {
  const own = edits.filter((edit) => resolve(edit.file) === id)
  if (own.length === 0) return undefined
  return own.toSorted((a, b) => b.at - a.at).reduce(applied, code)
}

function applied(code: string, { file, at, was, is }: Edit): string {
  if (code.slice(at, at + was.length) !== was) throw new Error(`${file} has changed while the mutants ran`)
  return code.slice(0, at) + is + code.slice(at + was.length)
}

process.on('message', (task: Task) => {
  run(vitest, task).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => process.send?.({ kind: 'broken', why: String(error) } satisfies Outcome),
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

async function run(runner: Vitest, task: Task): Promise<Outcome> {
  const touched = new Set([...edits, ...task.edits].map(({ file }) => resolve(file)))
  edits = task.edits
  for (const file of touched) runner.invalidateFile(file)
  for (const stage of task.stages) {
    const outcome = await runStage(runner, stage)
    if (outcome.kind !== 'survived') return outcome
  }
  return { kind: 'survived' }
}

async function runStage(runner: Vitest, stage: Stage): Promise<Outcome> {
  const specifications = await runner.globTestSpecifications(stage.map((file) => resolve(file)))
  if (specifications.length !== stage.length) return { kind: 'broken', why: `not all there: ${stage.join(', ')}` }
  const run = await runner.runTestSpecifications(specifications, false)
  const files = new Set(specifications.map(({ moduleId }) => moduleId))
  // What earlier runs left red is among them too.
  const modules = run.testModules.filter(({ moduleId }) => files.has(moduleId))
  for (const module of modules) {
    for (const test of module.children.allTests('failed')) {
      return { kind: 'killed', by: `${module.relativeModuleId}: ${test.fullName}` }
    }
  }
  if (modules.length !== stage.length) return { kind: 'broken', why: `did not all run: ${stage.join(', ')}` }
  const why = notRun(modules) ?? (run.unhandledErrors.length > 0 ? String(run.unhandledErrors[0]) : undefined)
  return why === undefined ? { kind: 'survived' } : { kind: 'broken', why }
}

function notRun(modules: readonly TestModule[]): string | undefined {
  for (const module of modules) {
    const error = module.errors()[0]
    if (error !== undefined) return `${module.relativeModuleId} does not load: ${error.message}`
    if (module.state() !== 'passed') return `${module.relativeModuleId} did not run: ${module.state()}`
  }
  return undefined
}
