import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Outcome, Task } from './mutant.ts'

/** Longer than any stage takes: what runs on hangs. */
const MOST_MS = 240_000

/** Runs the tasks on that many processes; tells each outcome as it comes. */
export async function runAll(
  tasks: readonly Task[],
  count: number,
  told: (index: number, outcome: Outcome, ms: number) => void,
): Promise<void> {
  let next = 0
  const work = async (): Promise<void> => {
    let worker: ChildProcess | undefined
    while (next < tasks.length) {
      const index = next++
      worker ??= await started()
      const from = Date.now()
      const outcome = await asked(worker, tasks[index]!)
      if (outcome === undefined) {
        worker.kill('SIGKILL')
        worker = undefined
      }
      told(index, outcome ?? { kind: 'killed', by: 'a test that did not end' }, Date.now() - from)
    }
    worker?.disconnect()
  }
  await Promise.all(Array.from({ length: Math.min(count, tasks.length) }, work))
}

function started(): Promise<ChildProcess> {
  const worker = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    worker.once('message', () => resolve(worker))
    worker.once('exit', (code) => reject(new Error(`a worker ended with ${code}`)))
  })
}

/** Undefined: no answer in time. */
function asked(worker: ChildProcess, task: Task): Promise<Outcome | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), MOST_MS)
    worker.once('message', (outcome: Outcome) => {
      clearTimeout(timer)
      resolve(outcome)
    })
    worker.send(task)
  })
}
