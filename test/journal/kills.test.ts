import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileStore } from '../../src/journal/index.ts'
import type { Session, ToolCallState } from '../../src/model/session.ts'
import { bundled } from '../bundle.ts'
import { fileFolder } from '../folders.ts'
import { unsyncedFiles } from './faulty-files.ts'
import { using } from './folder.ts'
import { readJournal } from './read.ts'

const root = fileFolder()
/** Journals that are worked on at the same time, and how often each is killed. */
const LANES = 4
const KILLS = process.env.FULL === '1' ? 250 : 50
/** So many kills share one journal. */
const GENERATIONS = 6

interface Told {
  readonly turn?: string
  readonly called?: readonly string[]
  readonly dispatched?: string
  readonly settled?: string
  readonly ended?: string
}

interface Victim {
  begin(): void
  /** It has opened its journal, and works. */
  opened(): Promise<unknown>
  /** Kills it, and gives what it had told by then. */
  kill(): Promise<Told[]>
}

/** Ready to begin. */
async function victim(program: string, path: string, generation: number): Promise<Victim> {
  const writes = generation % 2 === 0 ? 'whole' : 'short'
  const child = spawn(process.execPath, [program, path, `g${generation}`, writes], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString()
  })
  await once(child.stdout, 'data')
  return {
    begin: () => child.stdin.write('go'),
    opened: () => once(child.stdout, 'data'),
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'close')
      const lines = output.split('\n').filter((line) => line.endsWith('}'))
      return lines.map((line) => JSON.parse(line) as Told)
    },
  }
}

const tally = { kills: 0, steps: 0, opening: 0, torn: 0, closed: 0, dispatched: 0, turns: 0 }

/** Kills one process after the other; the next one is started while one works. */
async function lane(program: string, number: number): Promise<void> {
  let all: Told[] = []
  const pathOf = (generation: number): string => join(root, `${number}-${Math.floor(generation / GENERATIONS)}.jsonl`)
  const start = (generation: number): Promise<Victim> => victim(program, pathOf(generation), generation)
  let next = start(0)
  for (let generation = 0; generation < KILLS; generation++) {
    const working = await next
    if (generation + 1 < KILLS) next = start(generation + 1)
    if (generation % GENERATIONS === 0) all = []
    working.begin()
    if (generation % 4 < 3) await working.opened()
    // Uneven moments: of the opening, and of the writes behind it.
    await new Promise((resolve) => setTimeout(resolve, ((generation * 7919 + number * 104_729) % 250) / 10))
    const told = await working.kill()
    tally.kills++
    tally.steps += told.length
    if (told.length === 0) tally.opening++
    all.push(...told)
    await expectRepaired(pathOf(generation), all)
  }
  await next
}

async function expectRepaired(path: string, all: readonly Told[]): Promise<void> {
  const before = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  await using(fileStore(path, unsyncedFiles), (journal) => {
    const { tornTail, closedCalls, interruptedTurns } = journal.opened
    if (tornTail !== undefined) tally.torn++
    tally.closed += closedCalls.length
    tally.dispatched += closedCalls.filter(({ dispatched }) => dispatched).length
    tally.turns += interruptedTurns.length
    expectTrue(all, callsOf(journal.session()), journal.turns())
  })
  if (!existsSync(path)) return
  const after = readFileSync(path)
  expect(after.subarray(0, before.length).equals(before)).toBe(true)
  await using(fileStore(path, unsyncedFiles), (journal) => expect(journal.opened.closedCalls).toEqual([]))
  expect(readFileSync(path).equals(after)).toBe(true)
  // A file that was made and not written to yet is no session.
  if (after.length === 0) return
  const { changes } = readJournal(after)
  expect(changes.every(({ code }) => code === 'line-unreadable')).toBe(true)
}

const callsOf = ({ messages }: Session): (readonly [string, ToolCallState])[] =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-call' ? [[part.id, part.state] as const] : [])),
  )

it(`survives ${LANES * KILLS} kills of the process that writes: nothing acknowledged is lost, nothing is called what it is not`, async () => {
  const program = await bundled('test/journal/victim.ts', root)
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(program, number)))
  console.log(
    `journal kills: ${tally.kills} (${tally.opening} of them while opening), ${tally.steps} steps acknowledged, none lost; ${tally.torn} torn ends, ${tally.closed} calls closed (${tally.dispatched} dispatched), ${tally.turns} turns interrupted`,
  )
  expect(tally.torn).toBeGreaterThan(0)
  expect(tally.opening).toBeGreaterThan(0)
  expect(tally.dispatched).toBeGreaterThan(0)
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
