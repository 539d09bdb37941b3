import { describe, expect, it, vi } from 'vitest'
import { openJournal } from '../../src/journal/index.ts'
import { type FollowOptions, followJournal, postgresStore, type SqlClient } from '../../src/journal/postgres/index.ts'
import { rejection, using } from '../journal/folder.ts'
import { Tap } from './tap.ts'
import { dice, numbers, TABLE, until, type World } from './world.ts'

/** It is told, since nobody would look at the table of itself for so long. */
const NO_POLL = { pollMs: 600_000 } as const

export function following(world: World): void {
  describe(`a follower in ${world.name}`, () => {
    it('hears of each record once and in order, stored ones first', async () => {
      const at = world.place()
      const heard: number[] = []
      await using(postgresStore(at), async (journal) => {
        await journal.user('before')
        const follower = await followJournal({ ...at, ...NO_POLL }, ({ seq }) => heard.push(seq))
        expect(heard).toEqual([0, 1])
        await Promise.all(numbers(20).map((index) => journal.user(`${index}`)))
        await journal.user('last')
        await until(() => heard.length === 23)
        await follower.close()
        await journal.user('unheard')
      })
      expect(heard).toEqual(numbers(23))
    })

    it('hears the last words of an owner that closes at once', async () => {
      const at = world.place()
      const heard: number[] = []
      await using(postgresStore(at), () => {})
      const follower = await followJournal({ ...at, ...NO_POLL }, ({ seq }) => heard.push(seq))
      await using(postgresStore(at), (journal) => journal.user('last words'))
      await until(() => heard.length === 2)
      await follower.close()
    })

    it('hears of what was committed without waiting for the disk when it is durable, and not before', async () => {
      const at = world.place()
      const heard: number[] = []
      const journal = await openJournal(postgresStore(at), { sync: 'turn' })
      await journal.user('before')
      const follower = await followJournal({ ...at, pollMs: 10 }, ({ seq }) => heard.push(seq))
      const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100))
      const turn = await journal.beginTurn()
      await journal.user('within the turn')
      await pause()
      expect(heard).toEqual([0, 1])
      await journal.endTurn(turn, 'completed')
      await until(() => heard.length === 5)
      await journal.beginTurn()
      await journal.user('a turn that is never ended')
      await pause()
      expect(heard).toHaveLength(5)
      await journal.close()
      await until(() => heard.length === 7)
      await follower.close()
      expect(heard).toEqual(numbers(7))
    })

    it('may begin later, and hears nothing of other journals', async () => {
      const [at, other] = [world.place(), world.place()]
      const heard: string[] = []
      await using(postgresStore(at), (journal) =>
        using(postgresStore(other), async (beside) => {
          await journal.user('one')
          const follower = await followJournal({ ...at, ...NO_POLL, from: 2 }, ({ seq, type }) =>
            heard.push(`${seq} ${type}`),
          )
          await beside.user('other')
          await journal.usage({ inputTokens: 1 })
          await until(() => heard.length === 1)
          await follower.close()
        }),
      )
      expect(heard).toEqual(['2 usage'])
    })

    it('may wait for a journal that nobody began, in a table that nobody made', async () => {
      const at = world.place({ table: 'not_yet_there' })
      const heard: string[] = []
      const follower = await followJournal({ ...at, pollMs: 50 }, ({ type }) => heard.push(type))
      await using(postgresStore(at), (journal) => journal.user('one'))
      await until(() => heard.length === 2)
      await follower.close()
      await world.sql('drop table not_yet_there')
    })

    it('hears of each record once and in order while its connection breaks again and again', async () => {
      const at = world.place()
      const roll = dice(11)
      const tap = new Tap(world.connect)
      const heard: number[] = []
      const follower = await followJournal({ ...at, connection: tap.connect, ...NO_POLL }, ({ seq }) => heard.push(seq))
      await using(postgresStore(at), async (journal) => {
        tap.cuts = () => (roll() < 0.2 ? 'before' : roll() < 0.2 ? 'after' : undefined)
        for (const index of numbers(100)) {
          await journal.user(`${index}`)
          if (roll() < 0.3) tap.cut()
          if (roll() < 0.3) await new Promise((resolve) => setTimeout(resolve, 10))
        }
        tap.cuts = () => undefined
        await until(() => heard.length === 101)
      })
      expect(heard).toEqual(numbers(101))
      console.log(
        `${world.name}: a follower heard 101 records over ${tap.connections} connections; 0 missed, 0 twice, in order`,
      )
      await follower.close()
    })

    it('asks now and then by itself, since a word may get lost', async () => {
      const at = world.place()
      const heard: number[] = []
      const deaf = async (): Promise<SqlClient> => {
        const client = await world.connect()
        return { query: (query) => client.query(query), on: () => {}, end: () => client.end() }
      }
      const follower = await followJournal({ ...at, connection: deaf, pollMs: 50 }, ({ seq }) => heard.push(seq))
      await using(postgresStore(at), (journal) => journal.user('unsaid'))
      await until(() => heard.length === 2)
      await follower.close()
    })

    it('goes on when a listener throws, and ends when it is closed by one', async () => {
      const at = world.place()
      const heard: number[] = []
      const warnings = vi.spyOn(process, 'emitWarning').mockReturnValue()
      await using(postgresStore(at), async (journal) => {
        const follower = await followJournal(at, ({ seq }) => {
          heard.push(seq)
          if (seq === 3) void follower.close()
          throw new Error(`what record ${seq} does to a listener`)
        })
        await Promise.all(numbers(5).map((index) => journal.user(`${index}`)))
        await until(() => heard.length === 4 && warnings.mock.calls.length === 4)
        await journal.user('unheard')
      })
      warnings.mockRestore()
      expect(heard).toEqual([0, 1, 2, 3])
    })

    it.each([
      ['is no record', `update ${TABLE} set record = '{}'`],
      ['is no JSON', `update ${TABLE} set record = '{"torn'`],
      ['is missing', `delete from ${TABLE}`],
    ])('ends with an error when a row %s', async (_, damage) => {
      const at = world.place()
      await using(postgresStore(at), async (journal) => {
        const errors: unknown[] = []
        const follower = await followJournal(
          { ...at, pollMs: 50, onError: (error) => errors.push(error) },
          ({ seq }) => {
            if (seq > 1) throw new Error('nothing is told behind the damage')
          },
        )
        await journal.user('one')
        await world.sql(`${damage} where session = $1 and seq = 2`, at.session)
        await journal.user('two')
        await until(() => errors.length === 1)
        expect(errors[0]).toMatchObject({ code: 'corrupt' })
        await follower.close()
      })
      expect(await rejection(followJournal(at, () => {}))).toMatchObject({ code: 'corrupt' })
    })

    it('is patient for a while when the database is away, then says so', async () => {
      const at = world.place()
      const tap = new Tap(world.connect)
      const errors: unknown[] = []
      const options: FollowOptions = {
        ...at,
        connection: tap.connect,
        patienceMs: 300,
        onError: (error) => errors.push(error),
      }
      const follower = await followJournal(options, () => {})
      tap.isAway = true
      tap.cut()
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(errors).toEqual([])
      await until(() => errors.length === 1)
      expect(errors[0]).toMatchObject({ name: 'JournalError', code: 'io' })
      await follower.close()
      expect(await rejection(followJournal(options, () => {}))).toMatchObject({ code: 'io' })
    })

    it('needs no lease and keeps nobody out', async () => {
      const at = world.place()
      const follower = await followJournal(at, () => {})
      const journal = await openJournal(postgresStore(at))
      await journal.close()
      await follower.close()
      expect((await world.rows(at.session)).map(({ seq }) => seq)).toEqual([0])
    })
  })
}
