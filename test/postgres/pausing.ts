import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { LockedError, openJournal } from '../../src/journal/index.ts'
import { postgresStore, type SqlClient } from '../../src/journal/postgres/index.ts'
import { rejection, using } from '../journal/folder.ts'
import { URL_OF_SERVER } from './real.ts'
import { isAppend } from './tap.ts'
import { numbers, TABLE, until, type World } from './world.ts'

/** A process of its own that owns a journal. */
class Owner {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #lines: AsyncIterator<string>

  constructor(session: string, leaseMs: number) {
    const program = join(import.meta.dirname, 'owner.ts')
    const argv = ['--import', 'tsx', program, URL_OF_SERVER, session, String(leaseMs)]
    this.#child = spawn(process.execPath, argv)
    this.#child.stderr.pipe(process.stderr)
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
  }

  async said(): Promise<string> {
    return (await this.#lines.next()).value as string
  }

  write(text: string): void {
    this.#child.stdin.write(`${text}\n`)
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(name)
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await once(this.#child, 'close')
  }
}

export function pausing(world: World): void {
  describe(`an owner of a journal in ${world.name}`, () => {
    it('that is stopped beyond its lease and goes on can never write again', async () => {
      const at = world.place({ connection: URL_OF_SERVER, leaseMs: 500 })
      const owner = new Owner(at.session, 500)
      expect(await owner.said()).toBe('open')
      owner.write('one')
      expect(await owner.said()).toBe('acknowledged')
      // While it runs it keeps its lease, and nobody gets in.
      await new Promise((resolve) => setTimeout(resolve, 700))
      expect(LockedError.is(await rejection(openJournal(postgresStore(at))))).toBe(true)
      owner.signal('SIGSTOP')
      for (const late of numbers(10)) owner.write(`late ${late}`)
      await new Promise((resolve) => setTimeout(resolve, 700))
      const outcomes: string[] = []
      await using(postgresStore(at), async (journal) => {
        await journal.user('two')
        owner.signal('SIGCONT')
        for (const _ of numbers(10)) outcomes.push(await owner.said())
        await journal.user('three')
      })
      await owner.kill()
      expect(outcomes).toEqual(numbers(10).map(() => 'lease-lost'))
      expect(await world.texts(at.session)).toEqual(['one', 'two', 'three'])
      console.log(`${world.name}: an owner stopped beyond its lease wrote 10 times, 10 refused`)
    })

    it('that is killed is followed by another at once', async () => {
      const at = world.place({ connection: URL_OF_SERVER })
      const owner = new Owner(at.session, 600_000)
      expect(await owner.said()).toBe('open')
      owner.write('one')
      expect(await owner.said()).toBe('acknowledged')
      expect(LockedError.is(await rejection(openJournal(postgresStore(at))))).toBe(true)
      await owner.kill()
      await using(postgresStore(at), (journal) => journal.user('two'))
      expect(await world.texts(at.session)).toEqual(['one', 'two'])
    })

    it('whose append waits for one that is taking over is refused when that is done', async () => {
      const at = world.place()
      const stale = await openJournal(postgresStore(at))
      await stale.user('one')
      const other = await world.connect()
      await other.query({ text: 'begin' })
      await other.query({
        text: `update ${TABLE} set token = token + 1, record = '{}' where session = $1 and seq = 0`,
        values: [at.session],
      })
      const late = rejection(stale.user('late'))
      await waiting(world)
      await other.query({ text: 'commit' })
      expect(await late).toMatchObject({ code: 'lease-lost' })
      await other.end()
      await stale.close()
      expect(await world.texts(at.session)).toEqual(['one'])
    })

    it('whose append is under way is waited for by one that would take over, and keeps its lease', async () => {
      const at = world.place()
      let commit = async (): Promise<void> => {}
      const connection = async (): Promise<SqlClient> => {
        const client = await world.connect()
        return {
          on: client.on.bind(client) as SqlClient['on'],
          end: () => client.end(),
          async query(query) {
            if (!isAppend(query.text)) return client.query(query)
            await client.query({ text: 'begin' })
            const answer = await client.query(query)
            await new Promise<void>((resolve) => {
              commit = async () => {
                await client.query({ text: 'commit' })
                resolve()
              }
            })
            return answer
          },
        }
      }
      const journal = await openJournal(postgresStore({ ...at, connection }))
      await world.expire(at.session)
      const recorded = journal.user('one')
      const isBegun = (): boolean => commit.toString().includes('commit')
      await until(isBegun)
      const other = rejection(openJournal(postgresStore(at)))
      await waiting(world)
      await commit()
      await recorded
      expect(LockedError.is(await other)).toBe(true)
      await journal.close()
      expect(await world.texts(at.session)).toEqual(['one'])
    })
  })
}

/** Until somebody waits for a row that somebody else has locked. */
async function waiting(world: World): Promise<void> {
  let found = 0
  for (let tries = 0; found === 0 && tries < 500; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    found = (await world.sql("select pid from pg_stat_activity where wait_event_type = 'Lock'")).length
  }
  expect(found).toBeGreaterThan(0)
}
