import { describe, expect, it } from 'vitest'
import { type Journal, JournalError, type JournalRecord, openJournal } from '../../src/journal/index.ts'
import {
  type Follower,
  followJournal,
  journalText,
  type PostgresOptions,
  postgresStore,
} from '../../src/journal/postgres/index.ts'
import { URL_OF_SERVER } from './real.ts'
import { numbers, until, type World } from './world.ts'

/** A journal that is written and followed while things happen to the server. */
class Recording {
  readonly #world: World
  readonly #at: PostgresOptions
  readonly acknowledged: string[] = []
  readonly heard: number[] = []
  #journal: Journal | undefined
  #follower: Follower | undefined
  #isOver = false
  #writing: Promise<void> = Promise.resolve()

  constructor(world: World) {
    this.#world = world
    this.#at = world.place({ connection: URL_OF_SERVER, leaseMs: 60_000 })
  }

  async begin(): Promise<void> {
    this.#journal = await openJournal(postgresStore(this.#at))
    this.#follower = await followJournal(this.#at, ({ seq }) => this.heard.push(seq))
    this.#writing = this.#write(this.#journal)
  }

  /** Three at once, and then the next three. */
  async #write(journal: Journal): Promise<void> {
    for (let round = 0; !this.#isOver; round++) {
      const texts = numbers(3).map((index) => `${round}.${index}`)
      await Promise.all(texts.map((text) => journal.user(text)))
      this.acknowledged.push(...texts)
    }
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#writing
    await this.#journal?.close()
    const { session } = this.#at
    const rows = await this.#world.rows(session)
    expect(await this.#world.texts(session)).toEqual(this.acknowledged)
    expect(rows.map(({ seq }) => seq)).toEqual(numbers(this.acknowledged.length + 2))
    await until(() => this.heard.length === rows.length - 1)
    expect(this.heard).toEqual(numbers(rows.length - 1))
    await this.#follower?.close()
  }
}

export function crashing(world: World): void {
  const disturbed = async (count: number, disturb: () => Promise<void>): Promise<Recording[]> => {
    const recordings = numbers(count).map(() => new Recording(world))
    for (const recording of recordings) await recording.begin()
    await disturb()
    for (const recording of recordings) await recording.end()
    return recordings
  }
  const told = (recordings: readonly Recording[], what: string): void => {
    const records = recordings.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
    console.log(
      `${world.name}: ${what} under ${recordings.length} owners and their followers; ${records} records acknowledged, ` +
        '0 lost, 0 twice, each heard once and in order',
    )
  }

  describe(`journals in ${world.name}`, () => {
    it('go on when their connections are ended by the server, owners and followers alike', async () => {
      let ended = 0
      const recordings = await disturbed(6, async () => {
        for (const _ of numbers(80)) {
          await new Promise((resolve) => setTimeout(resolve, 20))
          const rows = await world.sql(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where application_name = 'provider-history' order by random() limit 1`,
          )
          ended += rows.length
        }
      })
      told(recordings, `${ended} connections ended`)
      expect(ended).toBeGreaterThan(40)
    }, 240_000)

    it('go on when the server crashes and comes up again, and miss nothing that was acknowledged', async () => {
      const crashes = 3
      const recordings = await disturbed(4, async () => {
        for (const _ of numbers(crashes)) {
          await new Promise((resolve) => setTimeout(resolve, 300))
          const pid = await someConnection(world)
          // One of its processes is killed: the server ends all others, forgets its memory and recovers from the disk.
          process.kill(pid, 'SIGKILL')
          await new Promise((resolve) => setTimeout(resolve, 700))
        }
      })
      told(recordings, `${crashes} crashes of the server`)
    }, 240_000)

    it('that wait for the disk once a turn lose nothing that was told to be durable, and followers hear of nothing that is lost', async () => {
      const at = world.place({ connection: URL_OF_SERVER, leaseMs: 2000 })
      const heard: JournalRecord[] = []
      const follower = await followJournal({ ...at, pollMs: 20 }, (record) => heard.push(record))
      let acknowledged = 0
      let durable = 0
      for (const _ of numbers(6)) {
        const journal = await persistently(() => openJournal(postgresStore(at), { sync: 'turn' }))
        let told = -1
        journal.subscribe(({ seq }) => {
          told = seq
        })
        const work = turns(journal)
        await new Promise((resolve) => setTimeout(resolve, 200))
        process.kill(await someConnection(world), 'SIGKILL')
        const seen = await work.until(1000)
        await journal.close().catch((error: unknown) => expect(JournalError.is(error)).toBe(true))
        const stored = await persistently(() => journalText(at))
        const records = stored
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as JournalRecord)
        expect(records.length).toBeGreaterThan(told)
        acknowledged += seen
        durable = told + 1
      }
      await persistently(() => openJournal(postgresStore(at))).then((journal) => journal.close())
      const lines = (await journalText(at)).split('\n').slice(0, -1)
      await until(() => heard.length === lines.length)
      await follower.close()
      expect(heard).toEqual(lines.map((line) => JSON.parse(line)))
      console.log(
        `${world.name}: 6 crashes of the server within turns that do not wait for the disk; ${acknowledged} messages acknowledged, ` +
          `${durable} records told to be durable, 0 of them lost; ${heard.length} heard, each once and in order, none of them lost`,
      )
    }, 240_000)
  })
}

/** Turns of five messages, one after the other, as long as the journal takes them. */
function turns(journal: Journal): { until(ms: number): Promise<number> } {
  let isOver = false
  let acknowledged = 0
  let fault: unknown
  const work = async (): Promise<void> => {
    while (!isOver) {
      const turn = await journal.beginTurn()
      for (const index of numbers(5)) {
        await journal.user(`${turn}.${index}`)
        acknowledged++
      }
      await journal.endTurn(turn, 'completed')
    }
  }
  const working = work().catch((error: unknown) => {
    fault = error
  })
  return {
    async until(ms) {
      await Promise.race([working, new Promise((resolve) => setTimeout(resolve, ms))])
      isOver = true
      await working
      if (fault !== undefined) expect(JournalError.is(fault)).toBe(true)
      return acknowledged
    },
  }
}

/** While the server comes up again, and a lease that nobody could give back runs out. */
async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === 200) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** The process of the server that serves one of them, once there is one. */
async function someConnection(world: World): Promise<number> {
  for (;;) {
    const [row] = await world.sql(
      `select pid from pg_stat_activity where application_name = 'provider-history' order by random() limit 1`,
    )
    if (row !== undefined) return (row as { readonly pid: number }).pid
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
