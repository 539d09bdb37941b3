import { describe, expect, it } from 'vitest'
import { type Journal, JournalError, openJournal } from '../../src/journal/index.ts'
import { postgresStore } from '../../src/journal/postgres/index.ts'
import { rejection, using } from '../journal/folder.ts'
import { type Cut, isAppend, Tap } from './tap.ts'
import { dice, numbers, TABLE, type World } from './world.ts'

const WAYS = ['before', 'after'] as const

/** Every record once, in rows without a gap. */
async function expectWhole(world: World, session: string, texts: readonly string[]): Promise<void> {
  expect(await world.texts(session)).toEqual(texts)
  expect((await world.rows(session)).map(({ seq }) => seq)).toEqual(numbers(texts.length + 2))
}

export function breaking(world: World): void {
  describe(`a connection to ${world.name} that breaks`, () => {
    it.each(WAYS)('in mid-append, %s it is done, loses no record and repeats none', async (when) => {
      const tap = new Tap(world.connect)
      const at = world.place({ connection: tap.connect })
      await using(postgresStore(at), async (journal) => {
        await journal.user('one')
        let cuts = 0
        tap.cuts = (text) => (isAppend(text) && cuts++ === 0 ? when : undefined)
        await Promise.all([journal.user('two'), journal.user('three')])
        await journal.user('four')
        expect(tap.connections).toBe(2)
      })
      await expectWhole(world, at.session, ['one', 'two', 'three', 'four'])
      // The owner fences off what it said before.
      expect((await world.rows(at.session)).map(({ token }) => token)).toEqual(
        when === 'before' ? [2, 1, 1, 2, 2, 2] : [2, 1, 1, 1, 1, 2],
      )
    })

    it('in mid-append does nothing any more when what it carried arrives late', async () => {
      const tap = new Tap(world.connect)
      const at = world.place({ connection: tap.connect })
      await using(postgresStore(at), async (journal) => {
        await journal.user('one')
        let cuts = 0
        tap.cuts = (text) => (isAppend(text) && cuts++ === 0 ? 'before' : undefined)
        tap.asked.length = 0
        await journal.user('two')
        const late = tap.asked.find(({ text }) => isAppend(text))!
        expect(late.values).toContainEqual(expect.stringContaining('two'))
        expect(await world.sql(late.text, ...late.values)).toMatchObject([
          { added: expect.toSatisfy((n) => Number(n) === 0) },
        ])
        // Nor would it if the row that it wanted were free.
        const [session, token, holder, leaseMs, seq, ...more] = late.values
        await world.sql(late.text, session, token, holder, leaseMs, Number(seq) + 1, ...more)
        await journal.user('three')
      })
      await expectWhole(world, at.session, ['one', 'two', 'three'])
    })

    it('between two appends does not matter', async () => {
      const tap = new Tap(world.connect)
      const at = world.place({ connection: tap.connect })
      await using(postgresStore(at), async (journal) => {
        for (const index of numbers(5)) {
          await journal.user(`${index}`)
          tap.cut()
        }
      })
      await expectWhole(world, at.session, ['0', '1', '2', '3', '4'])
    })

    it('at random, whatever goes over it, loses no record and repeats none', async () => {
      const roll = dice(7)
      const counts = { before: 0, after: 0 }
      const tap = new Tap(world.connect)
      const at = world.place({ connection: tap.connect })
      const journal = await openJournal(postgresStore(at))
      tap.cuts = (): Cut => {
        const when = roll() < 0.15 ? (roll() < 0.5 ? 'before' : 'after') : undefined
        if (when !== undefined) counts[when]++
        return when
      }
      const texts = numbers(120).map((index) => `record ${index}`)
      for (const text of texts) await journal.user(text)
      tap.cuts = () => undefined
      await journal.close()
      await expectWhole(world, at.session, texts)
      console.log(
        `${world.name}: ${texts.length} acknowledged over ${tap.connections} connections, cut ${counts.before} times before and ` +
          `${counts.after} after what was asked; 0 lost, 0 twice`,
      )
    })

    it.each(WAYS)(
      'for longer than the lease, %s an append is done, fails closed; a retry finds what is there',
      async (when) => {
        const tap = new Tap(world.connect)
        const at = world.place({ leaseMs: 400 })
        const journal = await openJournal(postgresStore({ ...at, connection: tap.connect }))
        await journal.user('acknowledged')
        tap.cuts = (text) => {
          if (isAppend(text)) tap.isAway = true
          return isAppend(text) ? when : undefined
        }
        const wanted = ['lost?', 'lost too?']
        for (const outcome of await Promise.allSettled(wanted.map((text) => journal.user(text)))) {
          expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'JournalError', code: 'io' } })
        }
        tap.isAway = false
        expect(JournalError.is(await rejection(journal.user('more')))).toBe(true)
        expect(journal.session().messages).toHaveLength(1)
        await journal.close()
        await world.expire(at.session)
        await using(postgresStore(at), (reopened) => recordMissing(reopened, wanted))
        await expectWhole(world, at.session, ['acknowledged', ...wanted])
      },
    )

    it('for ever without a word is given up', async () => {
      const tap = new Tap(world.connect)
      const at = world.place({ leaseMs: 400 })
      let isDead = false
      const connection = async (): ReturnType<typeof tap.connect> => {
        if (isDead) return new Promise(() => {})
        const client = await tap.connect()
        return { ...client, query: (query) => (isDead ? new Promise(() => {}) : client.query(query)) }
      }
      const journal = await openJournal(postgresStore({ ...at, connection }))
      isDead = true
      expect(await rejection(journal.user('one'))).toMatchObject({ code: 'io' })
      await journal.close()
    })

    it('while it is opened leaves nothing behind that keeps others out', async () => {
      for (const which of numbers(7)) {
        const tap = new Tap(world.connect)
        const at = world.place()
        let count = 0
        tap.cuts = () => (count++ === which ? 'before' : undefined)
        const outcome = await openJournal(postgresStore({ ...at, connection: tap.connect })).catch(
          (error: unknown) => error,
        )
        if (JournalError.is(outcome)) expect(outcome).toMatchObject({ code: 'io' })
        else await (outcome as Journal).close()
        await world.expire(at.session)
        await using(postgresStore(at), (journal) => journal.user('goes on'))
      }
    })

    it('to a server that lost what it had acknowledged is told so, and nothing is written over the gap', async () => {
      const tap = new Tap(world.connect)
      const at = world.place()
      const journal = await openJournal(postgresStore({ ...at, connection: tap.connect }))
      await journal.user('one')
      await journal.user('two')
      // As after a failover to a standby that was behind.
      tap.cut()
      await world.sql(`delete from ${TABLE} where session = $1 and seq = 3`, at.session)
      expect(await rejection(journal.user('three'))).toMatchObject({
        code: 'io',
        message: expect.stringContaining('holds 2'),
      })
      await journal.close()
      await using(postgresStore(at), (reopened) => reopened.user('goes on'))
      await expectWhole(world, at.session, ['one', 'goes on'])
    })

    it('is not asked again when the server refuses what is asked', async () => {
      const tap = new Tap(world.connect)
      const at = world.place({ connection: tap.connect })
      const journal = await openJournal(postgresStore(at))
      await journal.user('one')
      await world.sql(`alter table ${TABLE} add constraint no_two check (record not like '%"two"%') not valid`)
      expect(await rejection(journal.user('two'))).toMatchObject({
        code: 'io',
        message: expect.stringContaining('23514'),
      })
      await world.sql(`alter table ${TABLE} drop constraint no_two`)
      expect(tap.connections).toBe(1)
      await journal.close()
      await expectWhole(world, at.session, ['one'])
    })

    it('from the first is an error of the store', async () => {
      const at = world.place({ connection: 'postgres://nobody@127.0.0.1:1/none' })
      expect(await rejection(openJournal(postgresStore(at)))).toMatchObject({
        code: 'io',
        message: expect.stringContaining('ECONNREFUSED'),
      })
    })
  })
}

/** What an agent does after a fault: it looks at what is recorded, and records the rest. */
async function recordMissing(journal: Journal, wanted: readonly string[]): Promise<void> {
  const recorded = JSON.stringify(journal.session().messages)
  for (const text of wanted) if (!recorded.includes(JSON.stringify(text))) await journal.user(text)
}
