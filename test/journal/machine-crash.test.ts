import { describe, expect, it } from 'vitest'
import { fileStore, type Journal, type JournalRecord, openJournal } from '../../src/journal/index.ts'
import { thisProcess } from '../../src/journal/process-identity.ts'
import type { Session } from '../../src/model/session.ts'
import { bytesStore } from './bytes-store.ts'
import { LossyDisk, lossesOf, type Moment } from './lossy-disk.ts'
import type { statesOf } from './places.ts'
import { readJournal } from './read.ts'
import { call, text } from './records.ts'

const PATH = '/agent/j.jsonl'
type Sync = 'record' | 'turn'

/** What an agent does, in steps that are each acknowledged; some are several writes at once. */
const STEPS: readonly ((journal: Journal) => Promise<unknown>)[] = [
  (journal) => journal.user('héllo → before any turn'),
  (journal) => journal.beginTurn('t1'),
  (journal) => journal.assistant({ parts: [text('I look, and write.'), call('look'), call('write'), call('late')] }),
  (journal) => journal.dispatch({ id: 'look', name: 'bash', args: {}, readOnly: true }),
  (journal) => journal.settle('look', { status: 'completed', result: 'x'.repeat(90) }),
  (journal) => journal.dispatch({ id: 'write', name: 'bash', args: {} }),
  (journal) =>
    Promise.all([
      journal.settle('write', { status: 'completed', result: 'written' }),
      journal.usage({ outputTokens: 7 }),
      journal.dispatch({ id: 'late', name: 'bash', args: {} }),
    ]),
  (journal) => journal.settle('late', { status: 'failed', error: 'no' }),
  (journal) => journal.endTurn('t1', 'completed'),
  (journal) => Promise.all(['a', 'b', 'c', 'd'].map((letter) => journal.user(letter.repeat(70)))),
  (journal) => journal.beginTurn('t2'),
  (journal) => journal.assistant({ parts: [call('last')] }),
  (journal) =>
    Promise.all([journal.usage({ outputTokens: 1 }), journal.dispatch({ id: 'last', name: 'bash', args: {} })]),
]

/** A session up to a moment, and what was promised by then. */
interface Promised {
  readonly moment: Moment
  /** Records that are durable by the word of the journal: told to observers, or acknowledged as such. */
  readonly durable: number
  /** Calls whose tool may have run. */
  readonly dispatched: readonly string[]
}

interface Played {
  readonly promised: readonly Promised[]
  /** All lines as they were written. */
  readonly lines: readonly string[]
}

/** What each number of done steps promises: in `turn` no more than up to the last record that is durable by itself. */
const ACKNOWLEDGED: { readonly [K in Sync]: readonly number[] } = {
  // The head is a record too.
  record: [0, 2, 3, 4, 5, 6, 7, 10, 11, 12, 16, 17, 18, 20],
  turn: [0, 2, 2, 2, 2, 2, 7, 10, 10, 12, 16, 16, 16, 20],
}
const DISPATCHED: readonly (readonly [afterSteps: number, call: string])[] = [
  [6, 'write'],
  [7, 'late'],
  [13, 'last'],
]

async function played(sync: Sync): Promise<Played> {
  const disk = new LossyDisk()
  const promised: Promised[] = []
  let heard = 0
  let done = 0
  const look = (): void => {
    const dispatched = DISPATCHED.filter(([after]) => done >= after).map(([, name]) => name)
    const durable = Math.max(heard, ACKNOWLEDGED[sync][done] ?? 0)
    for (const moment of disk.moments.slice(promised.length)) promised.push({ moment, durable, dispatched })
  }
  const journal = await openJournal(fileStore(PATH, disk), { sync })
  journal.subscribe((record: JournalRecord) => {
    look()
    heard = record.seq + 1
    disk.mark(`record ${record.seq} told`)
    look()
  })
  for (const step of STEPS) {
    await step(journal)
    look()
    done++
    disk.mark(`step ${done} acknowledged`)
    look()
  }
  await journal.close()
  look()
  return { promised, lines: (disk.content(PATH)?.toString('utf8') ?? '').split('\n').slice(0, -1) }
}

/** As after a start of the system: a lock that is still there is of a process before it. */
async function rebooted(moment: Moment, names: 'done' | 'undone', left: Buffer): Promise<LossyDisk> {
  const { boot } = await thisProcess()
  const { content, synced } = moment.files.get(PATH) ?? { content: undefined, synced: undefined }
  return LossyDisk.after(moment, names, (was, is) => {
    if (is === content && was === synced) return left
    return Buffer.from(is.toString('utf8').replace(boot, 'an earlier start'))
  })
}

/** What a journal of the first lines comes to; undefined without a record. */
const sessions = new Map<string, Promise<Session>>()
function sessionOf(lines: readonly string[]): Promise<Session> {
  const stored = lines.map((line) => `${line}\n`).join('')
  const known = sessions.get(stored)
  if (known !== undefined) return known
  const session = openJournal(bytesStore(Buffer.from(stored))).then((journal) => journal.session())
  sessions.set(stored, session)
  return session
}

/** Opens what a crash left, and holds it against what was promised. Gives how many records are left. */
async function expectTrue(
  disk: LossyDisk,
  { durable, dispatched }: Promised,
  lines: readonly string[],
): Promise<number> {
  const journal = await openJournal(fileStore(PATH, disk))
  const session = journal.session()
  await journal.close()
  const stored = disk.content(PATH)
  if (stored === undefined || stored.length === 0) {
    expect(durable).toBe(0)
    return 0
  }
  const kept = await keptOf(session, durable, lines)
  for (const [id, state] of callStates(session)) {
    const isUntold = state.status === 'interrupted' && state.dispatched === false
    if (dispatched.includes(id)) expect(isUntold, `${id} is told never to have run`).toBe(false)
  }
  const again = await openJournal(fileStore(PATH, disk))
  expect(again.session()).toEqual(session)
  await again.close()
  expect(disk.content(PATH)?.equals(stored), 'a second opening writes nothing').toBe(true)
  if (kept > 0) expect(readJournal(stored).session.messages, 'a reader sees the same').toEqual(session.messages)
  return kept
}

const callStates = (session: Session): (readonly [string, ReturnType<typeof statesOf>[number]])[] =>
  session.messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-call' ? [[part.id, part.state] as const] : [])),
  )

/** Of how many records from the first the session is made; no fewer than are durable. */
async function keptOf(session: Session, durable: number, lines: readonly string[]): Promise<number> {
  for (let kept = lines.length; kept >= durable; kept--) {
    if (JSON.stringify(await sessionOf(lines.slice(0, kept))) === JSON.stringify(session)) return kept
  }
  // Shows what is missing.
  expect(session).toEqual(await sessionOf(lines.slice(0, durable)))
  return durable
}

function storedIn(moment: Moment | undefined): { readonly content: Buffer; readonly synced: Buffer } {
  return moment?.files.get(PATH) ?? { content: Buffer.alloc(0), synced: Buffer.alloc(0) }
}

const isFull = process.env.FULL === '1'
/** Of the many ways to be torn or out of order, one in so many is tried. */
const STRIDES: ReadonlyMap<string, number> = new Map(
  isFull
    ? []
    : [
        ['torn', 31],
        ['reordered', 7],
        ['holed', 3],
      ],
)
const WITHIN_REPAIRS = isFull ? 1 : 17

function* crashes(
  promised: readonly Promised[],
): Generator<{ readonly state: Promised; readonly how: string; readonly left: Buffer; readonly count: number }> {
  const counts = new Map<string, number>()
  for (const state of promised) {
    const { content, synced } = storedIn(state.moment)
    for (const { how, left } of lossesOf(synced, content)) {
      const count = (counts.get(how) ?? 0) + 1
      counts.set(how, count)
      if (count % (STRIDES.get(how) ?? 1) === 0) yield { state, how, left, count }
    }
  }
}

describe.each(['record', 'turn'] as const)('a crash of the machine, with sync by %s', (sync) => {
  it('at any point, with whatever was not synced lost, torn or out of order, leaves all that was promised', async () => {
    const { promised, lines } = await played(sync)
    expect(lines).toHaveLength(20)
    const tally = new Map<string, number>()
    let beyond = 0
    for (const { state, how, left, count } of crashes(promised)) {
      const disk = await rebooted(state.moment, count % 2 === 0 ? 'done' : 'undone', left)
      const kept = await expectTrue(disk, state, lines)
      if (kept > state.durable) beyond++
      tally.set(how, (tally.get(how) ?? 0) + 1)
    }
    const told = [...tally].map(([how, times]) => `${times} ${how}`).join(', ')
    console.log(
      `journal machine crashes, sync by ${sync}: ${promised.length} moments, ${told}; ` +
        `nothing promised was lost, ${beyond} kept more than was promised`,
    )
    for (const how of ['all lost', 'nothing lost', 'torn', 'reordered', 'holed'])
      expect(tally.get(how) ?? 0, how).toBeGreaterThan(10)
  }, 600_000)

  it('while a repair is written leaves a journal that the next opening repairs', async () => {
    const { promised, lines } = await played(sync)
    let repairs = 0
    let count = 0
    const last = promised.findLast(({ moment }) => moment.after.startsWith('write to j.jsonl'))
    const { content, synced } = storedIn(last?.moment)
    for (const { left } of lossesOf(synced, content).filter((_, index) => index % WITHIN_REPAIRS === 0)) {
      if (last === undefined) break
      const disk = await rebooted(last.moment, 'done', left)
      await openJournal(fileStore(PATH, disk)).then((journal) => journal.close())
      repairs++
      const writes = disk.moments.filter(({ after }) => after.startsWith('write to j.jsonl'))
      for (const moment of writes) {
        const file = storedIn(moment)
        const losses = lossesOf(file.synced, file.content).filter((_, index) => index % (2 * WITHIN_REPAIRS + 1) === 0)
        for (const loss of losses) {
          count++
          await expectTrue(await rebooted(moment, 'done', loss.left), last, lines)
        }
      }
    }
    expect(count).toBeGreaterThan(30)
    console.log(`journal machine crashes, sync by ${sync}: ${count} in ${repairs} repairs, all repaired the next time`)
  }, 600_000)

  it('behind a kill of the process takes nothing that the next process has seen', async () => {
    const { promised } = await played(sync)
    let seen = 0
    for (const { moment } of promised) {
      const disk = LossyDisk.killed(moment)
      const { boot } = await thisProcess()
      if (moment.files.has(`${PATH}.lock`))
        disk.rewrite(`${PATH}.lock`, (lock) => lock.replace(boot, 'an earlier start'))
      const journal = await openJournal(fileStore(PATH, disk))
      const before = journal.session()
      disk.mark('opened')
      const crashed = disk.moments.at(-1) as Moment
      const { content, synced } = storedIn(crashed)
      expect(synced.equals(content)).toBe(true)
      const reopened = await openJournal(fileStore(PATH, await rebooted(crashed, 'undone', synced)))
      expect(reopened.session().messages).toEqual(before.messages)
      seen += before.messages.length
    }
    expect(seen).toBeGreaterThan(100)
    console.log(
      `journal machine crashes, sync by ${sync}: ${promised.length} behind a kill, ${seen} messages seen, none lost`,
    )
  })
})
