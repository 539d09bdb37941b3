import { describe, expect, it } from 'vitest'
import { LockedError, openJournal } from '../../src/journal/index.ts'
import { postgresStore } from '../../src/journal/postgres/index.ts'
import { thisProcess } from '../../src/journal/process-identity.ts'
import { rejection, using } from '../journal/folder.ts'
import { ended } from '../journal/locks.ts'
import { Tap } from './tap.ts'
import { numbers, TABLE, type World } from './world.ts'

const HOUR = "now() + interval '1 hour'"

export function leasing(world: World): void {
  describe(`the lease of a journal in ${world.name}`, () => {
    it('keeps a second owner out, who learns who holds it', async () => {
      const at = world.place()
      await using(
        postgresStore(at),
        async (journal) => {
          await journal.user('one')
          const error = await rejection(openJournal(postgresStore(at)))
          expect(LockedError.is(error)).toBe(true)
          expect(error).toMatchObject({ owner: { pid: process.pid, name: 'the first, é\0' } })
          await journal.user('two')
        },
        { owner: 'the first, é\0' },
      )
      await using(postgresStore(at), (journal) => expect(journal.session().messages).toHaveLength(2))
    })

    it('is of one owner, however many race for it', async () => {
      const [rounds, racers] = [12, 8]
      let locked = 0
      for (const round of numbers(rounds)) {
        const at = world.place(round === 0 ? { table: 'raced_for' } : {})
        const outcomes = await Promise.allSettled(numbers(racers).map(() => openJournal(postgresStore(at))))
        const won = outcomes.filter((outcome) => outcome.status === 'fulfilled')
        expect(won).toHaveLength(1)
        locked += outcomes.filter((outcome) => outcome.status === 'rejected' && LockedError.is(outcome.reason)).length
        await won[0]?.value.close()
      }
      expect(locked).toBe(rounds * (racers - 1))
      console.log(`${world.name}: ${rounds} races of ${racers}, one owner each; ${locked} told that it is held`)
      await world.sql('drop table raced_for')
    })

    it('is taken over by one, however many find it expired', async () => {
      const at = world.place()
      const stale = await openJournal(postgresStore(at))
      for (const token of numbers(10, 2)) {
        await world.expire(at.session)
        const outcomes = await Promise.allSettled(numbers(8).map(() => openJournal(postgresStore(at))))
        const won = outcomes.filter((outcome) => outcome.status === 'fulfilled')
        expect(won).toHaveLength(1)
        expect((await world.rows(at.session))[0]?.token).toBe(token)
        await world.expire(at.session)
      }
      expect(await rejection(stale.user('late'))).toMatchObject({ code: 'lease-lost' })
    })

    it('is taken over at once from a process of this system that is gone, and from no other', async () => {
      const at = world.place()
      await using(postgresStore(at), () => {})
      const own = JSON.parse((await world.rows(at.session))[0]!.record) as object
      const heldBy = (fields: object): Promise<unknown> =>
        world.sql(
          `update ${TABLE} set record = $2, until = ${HOUR} where session = $1 and seq = 0`,
          at.session,
          JSON.stringify({ ...own, ...fields }),
        )
      const gone = await ended()
      // A fleet has machines of one name, and containers that do not see each other's processes.
      for (const other of [
        { host: 'elsewhere' },
        { boot: 'another' },
        { boot: '' },
        { space: 'pid:[1]' },
        { space: '' },
        { start: 1 },
      ]) {
        await heldBy({ ...gone, ...other })
        expect(LockedError.is(await rejection(openJournal(postgresStore(at)))), JSON.stringify(other)).toBe(true)
      }
      await heldBy({ ...(await thisProcess()) })
      expect(LockedError.is(await rejection(openJournal(postgresStore(at))))).toBe(true)
      await heldBy(gone)
      await using(postgresStore(at), (journal) => journal.user('mine now'))
      expect((await world.rows(at.session)).map(({ token }) => token)).toEqual([2, 2, 2])
    })

    it.each(['', 'null', '{', '[]', '{"pid":1}', '{"pid":-1}'])(
      'is held by somebody who tells nothing: %j',
      async (record) => {
        const at = world.place()
        await using(postgresStore(at), () => {})
        await world.sql(`update ${TABLE} set record = $2, until = ${HOUR} where session = $1`, at.session, record)
        expect(await rejection(openJournal(postgresStore(at)))).toMatchObject({
          owner: { host: '', pid: 0, since: '' },
        })
      },
    )

    it('fences a stale owner off: no write of its is taken, however late, and each is told', async () => {
      const at = world.place()
      const stale = await openJournal(postgresStore(at))
      await stale.user('one')
      await world.expire(at.session)
      let refused = 0
      await using(postgresStore(at), async (journal) => {
        await journal.user('two')
        for (const late of numbers(20)) {
          const error = await rejection(
            late % 2 === 0 ? stale.user(`late ${late}`) : stale.usage({ inputTokens: late }),
          )
          expect(error).toMatchObject({ name: 'JournalError', code: 'lease-lost' })
          refused++
        }
        await stale.close()
        await journal.user('three')
      })
      const rows = (await world.rows(at.session)).slice(1)
      expect(rows.map(({ token }) => token)).toEqual([1, 1, 2, 2])
      expect(await world.texts(at.session)).toEqual(['one', 'two', 'three'])
      console.log(`${world.name}: ${refused} writes of a stale owner, ${refused} refused`)
    })

    it('fences each of many stale owners off by the database, not by their own memory', async () => {
      const at = world.place()
      const opened = []
      for (const _ of numbers(12)) {
        await world.expire(at.session)
        const store = await postgresStore(at).open(undefined, 1000)
        await store.read(() => {})
        opened.push(store)
      }
      const last = opened.pop()!
      for (const store of opened) {
        for (const _ of numbers(3)) {
          expect(await rejection(store.append(['{"late":true}'], true))).toMatchObject({ code: 'lease-lost' })
          expect(await rejection(store.append([], true))).toMatchObject({ code: 'lease-lost' })
        }
      }
      await last.append(['{"mine":true}'], true)
      expect((await world.rows(at.session)).slice(1).map(({ record }) => record)).toEqual(['{"mine":true}'])
      // Giving back what is not held any more changes nothing.
      for (const store of opened) await store.close()
      expect(LockedError.is(await rejection(openJournal(postgresStore(at))))).toBe(true)
      await last.close()
    })

    it('fences a stale owner off whose journal was deleted and begun anew, so that its token is in use again', async () => {
      const at = world.place()
      const stale = await openJournal(postgresStore(at))
      await stale.user('of the journal before')
      await world.sql(`delete from ${TABLE} where session = $1`, at.session)
      await using(postgresStore(at), async (journal) => {
        await journal.user('anew')
        expect(await rejection(stale.user('late'))).toMatchObject({ code: 'lease-lost' })
      })
      expect((await world.rows(at.session)).map(({ token }) => token)).toEqual([1, 1, 1])
      expect(await world.texts(at.session)).toEqual(['anew'])
    })

    it('is kept by an owner that was paused beyond it, when nobody took over', async () => {
      const at = world.place()
      await using(postgresStore(at), async (journal) => {
        await journal.user('one')
        await world.expire(at.session)
        await journal.user('two')
        expect(LockedError.is(await rejection(openJournal(postgresStore(at))))).toBe(true)
      })
    })

    it('is not taken again over a new connection, when another took over meanwhile and is through', async () => {
      const tap = new Tap(world.connect)
      const at = world.place()
      const stale = await openJournal(postgresStore({ ...at, connection: tap.connect }))
      await stale.user('one')
      tap.cut()
      await world.expire(at.session)
      await using(postgresStore(at), (journal) => journal.user('two'))
      expect(await rejection(stale.user('late'))).toMatchObject({ code: 'lease-lost' })
      await stale.close()
      expect(await world.texts(at.session)).toEqual(['one', 'two'])
    })

    it('is renewed while its owner has nothing to say, also over a new connection', async () => {
      const tap = new Tap(world.connect)
      const at = world.place({ leaseMs: 2000, connection: tap.connect })
      await using(postgresStore(at), async (journal) => {
        for (const round of numbers(3)) {
          await new Promise((resolve) => setTimeout(resolve, 1000))
          expect(LockedError.is(await rejection(openJournal(postgresStore(at))))).toBe(true)
          if (round === 0) tap.cut()
        }
        await journal.user('still mine')
      })
    })

    it('leaves few dead rows behind: an append does not write it', async () => {
      const at = world.place()
      await using(postgresStore(at), async (journal) => {
        const versions = async (): Promise<unknown> =>
          world.sql(`select xmin::text, until from ${TABLE} where session = $1 and seq = 0`, at.session)
        const before = await versions()
        for (const index of numbers(20)) await journal.user(`${index}`)
        expect(await versions()).toEqual(before)
      })
    })
  })
}
