import { describe, expect, it } from 'vitest'
import { type Journal, openJournal } from '../../src/journal/index.ts'
import { type Follower, followJournal, type PostgresOptions, postgresStore } from '../../src/journal/postgres/index.ts'
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
  })
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
