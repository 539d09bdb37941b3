import { constants } from 'node:fs'
import { type FileHandle, mkdtemp, open, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Journal, openJournal } from '../src/journal/index.ts'
import type { Row } from './measure.ts'

/** About 1 kB. */
const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(22)
/** Appends of a loop, and how often each loop runs: short ones by turns, since the speed of a disk changes from one moment to the next. */
const LOOP = 5
const LOOPS = 400
const APPENDERS = 64
/** Appends of each of them. */
const EACH = 10
const ROUNDS = 60
const OPENINGS = 6

/**
 * What a journal adds to the calls that it makes of the system, and what concurrent appends save. Times are of one append, so that
 * 1.25 is 0.8 of the rate, and 0.2 five times the rate.
 */
export async function appending(): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'provider-history-bench-'))
  const path = join(folder, 'journal.jsonl')
  const [journal, busy] = [await openJournal(path), await openJournal(join(folder, 'busy.jsonl'))]
  await journal.user(TEXT)
  const before = (await stat(path)).size
  await journal.user(TEXT)
  const line = Buffer.alloc((await stat(path)).size - before, 'x')
  const bare = await open(join(folder, 'bare'), constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600)
  const [calls = 1, one = 1] = await measured([() => writing(bare, line), () => recording(journal, LOOP)], LOOPS)
  const [alone = 1, many = 1] = await measured([() => journal.user(TEXT), () => recordingTogether(busy)], ROUNDS)
  for (const opened of [bare, journal, busy]) await opened.close()
  await rm(folder, { recursive: true })
  const together = many / (APPENDERS * EACH)
  return [
    { what: 'one after the other', ratio: one / calls, target: 1.25, note: against(one / LOOP, calls / LOOP, 'bare') },
    {
      what: `${APPENDERS} at once, against one`,
      ratio: together / alone,
      target: 0.2,
      note: against(together, alone, 'alone'),
    },
  ]
}

const against = (one: number, other: number, what: string): string =>
  `${(one * 1000).toFixed(0)} us an append, ${(other * 1000).toFixed(0)} us ${what}`

async function writing(file: FileHandle, line: Buffer): Promise<void> {
  for (let count = 0; count < LOOP; count++) {
    await file.write(line, 0, line.length, null)
    await file.datasync()
  }
}

async function recording(journal: Journal, times: number): Promise<void> {
  for (let count = 0; count < times; count++) await journal.user(TEXT)
}

async function recordingTogether(journal: Journal): Promise<void> {
  await Promise.all(Array.from({ length: APPENDERS }, () => recording(journal, EACH)))
}

/** Opening, with all that is checked and put together, against splitting the text and parsing its lines. */
export async function opening(megabytes: number): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'provider-history-bench-'))
  const path = join(folder, 'journal.jsonl')
  const bytes = await recorded(path, megabytes * 1e6)
  const text = await readFile(path, 'utf8')
  const [parsing = 1, whole = 1] = await measured(
    [
      async () => text.split('\n').map((line) => (line === '' ? undefined : JSON.parse(line))),
      async () => (await openJournal(path)).close(),
    ],
    OPENINGS,
    // Each leaves hundreds of megabytes behind, and would else pay for those of the other one.
    globalThis.gc,
  )
  await rm(folder, { recursive: true })
  const note = `${whole.toFixed(0)} ms against ${parsing.toFixed(0)} ms`
  return [{ what: `${(bytes / 1e6).toFixed(0)} MB`, ratio: whole / parsing, target: 1.5, note }]
}

/** A journal as an agent leaves it: each turn with a call, its dispatch, a result of about 1 kB, an answer, and what it cost. */
async function recorded(path: string, atLeast: number): Promise<number> {
  const journal = await openJournal(path)
  let bytes = 0
  for (let turn = 0; bytes < atLeast; turn += 1000) {
    const written: Promise<unknown>[] = []
    for (let next = turn; next < turn + 1000; next++) written.push(...turnOf(journal, `${next}`))
    await Promise.all(written)
    bytes = (await stat(path)).size
  }
  await journal.close()
  return bytes
}

function turnOf(journal: Journal, turn: string): Promise<unknown>[] {
  const id = `call_${turn}`
  const args = { command: `ls ${turn}`, timeout: 1000 }
  return [
    journal.beginTurn(turn),
    journal.user(`Question ${turn}: ${TEXT.slice(0, 90)}`),
    journal.assistant({
      parts: [
        { type: 'text', text: `Answer ${turn}` },
        { type: 'tool-call', id, name: 'bash', args, state: { status: 'pending' } },
      ],
    }),
    journal.dispatch({ id, name: 'bash', args }),
    journal.settle(id, { status: 'completed', result: TEXT }),
    journal.assistant({ parts: [{ type: 'text', text: `That is ${turn}.` }], stop: 'end' }),
    journal.usage({ inputTokens: 1000, outputTokens: 50 }),
    journal.endTurn(turn, 'completed'),
  ]
}

/** Milliseconds: the lower quartile of each; they take turns, so that the load of the machine falls on all of them alike. */
async function measured(
  contenders: readonly (() => Promise<unknown>)[],
  rounds: number,
  clean?: () => void,
): Promise<readonly number[]> {
  const times: number[][] = contenders.map(() => [])
  for (let round = -Math.ceil(rounds / 4); round < rounds; round++) {
    for (const [index, run] of contenders.entries()) {
      clean?.()
      const start = performance.now()
      await run()
      if (round >= 0) times[index]?.push(performance.now() - start)
    }
  }
  return times.map((all) => all.sort((a, b) => a - b)[all.length >> 2] ?? 0)
}
