import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileStore } from '../../src/journal/index.ts'
import type { ToolCallState } from '../../src/model/session.ts'
import { bundled } from './bundle.ts'
import { unsyncedFiles } from './faulty-files.ts'
import { folder, using } from './folder.ts'
import { readJournal } from './read.ts'

const root = folder()
const KILLS = process.env.FULL === '1' ? 240 : 24

interface Told {
  readonly turn?: string
  readonly called?: readonly string[]
  readonly dispatched?: string
  readonly settled?: string
  readonly ended?: string
}

/** Runs the victim, and kills it at a random moment of its work; what it had told by then. */
async function killed(victim: string, path: string, generation: number): Promise<Told[]> {
  const child = spawn(process.execPath, [victim, path, `g${generation}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const started = new Promise<void>((resolve) => {
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString()
      resolve()
    })
  })
  await started
  // Uneven moments, the same in each run: within the writes of about the first fifty milliseconds.
  await new Promise((resolve) => setTimeout(resolve, ((generation * 7919) % 500) / 10))
  child.kill('SIGKILL')
  await once(child, 'close')
  const lines = output.split('\n').filter((line) => line.endsWith('}'))
  return lines.map((line) => JSON.parse(line) as Told)
}

it(`survives ${KILLS} kills of the process that writes: nothing acknowledged is lost, nothing is called what it is not`, async () => {
  const path = join(root, 'killed.jsonl')
  const victim = await bundled('victim.ts', root)
  const all: Told[] = []
  const tally = { torn: 0, closed: 0, dispatched: 0, turns: 0 }
  for (let generation = 0; generation < KILLS; generation++) {
    all.push(...(await killed(victim, path, generation)))
    const before = readFileSync(path)
    await using(fileStore(path, unsyncedFiles), (journal) => {
      const { tornTail, closedCalls, interruptedTurns } = journal.opened
      if (tornTail !== undefined) tally.torn++
      tally.closed += closedCalls.length
      tally.dispatched += closedCalls.filter(({ dispatched }) => dispatched).length
      tally.turns += interruptedTurns.length
      expectTrue(
        all,
        journal
          .session()
          .messages.flatMap(({ parts }) =>
            parts.flatMap((part) => (part.type === 'tool-call' ? [[part.id, part.state] as const] : [])),
          ),
        journal.turns(),
      )
    })
    expect(readFileSync(path).subarray(0, before.length).equals(before)).toBe(true)
    const { size } = statSync(path)
    await using(fileStore(path, unsyncedFiles), (journal) => expect(journal.opened.closedCalls).toEqual([]))
    expect(statSync(path).size).toBe(size)
  }
  expect(readJournal(readFileSync(path)).changes.every(({ code }) => code === 'line-unreadable')).toBe(true)
  console.log(
    `journal kills: ${KILLS}, ${all.length} steps acknowledged, none lost; ${tally.torn} torn ends, ${tally.closed} calls closed (${tally.dispatched} dispatched), ${tally.turns} turns interrupted`,
  )
}, 1_200_000)

function expectTrue(
  all: readonly Told[],
  calls: readonly (readonly [string, ToolCallState])[],
  turns: readonly { id: string; stage: string }[],
): void {
  const states = new Map(calls)
  const stages = new Map(turns.map(({ id, stage }) => [id, stage]))
  for (const { turn, called, dispatched, settled, ended } of all) {
    if (turn !== undefined) expect(stages.has(turn)).toBe(true)
    if (ended !== undefined) expect(stages.get(ended)).toBe('completed')
    for (const id of called ?? []) expect(states.has(id)).toBe(true)
    if (settled !== undefined) expect(states.get(settled)?.status).toMatch(/completed|failed/)
    // What ran is never told not to have started.
    const state = dispatched === undefined ? undefined : states.get(dispatched)
    if (state?.status === 'interrupted') expect(state.dispatched).toBe(true)
  }
  for (const [id, state] of calls) if (state.status === 'completed') expect(state.result).toBe(`result of ${id}`)
}
