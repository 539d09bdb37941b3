import { describe, expect, it } from 'vitest'
import { JournalError, openJournal } from '../../src/journal/index.ts'
import { journalTable, journalText, postgresStore } from '../../src/journal/postgres/index.ts'
import { readWith } from '../../src/read/choose.ts'
import { reader } from '../../src/read/journal/index.ts'
import { rejection, using } from '../journal/folder.ts'
import { call } from '../journal/records.ts'
import { isAppend, Tap } from './tap.ts'
import { done, numbers, TABLE, type World } from './world.ts'

/** Texts that PostgreSQL cannot store as they are, or that look like something else on the way there. */
const HOSTILE = [
  '\0',
  '\ud800',
  '\udc00\ud800',
  '\\u0000',
  "'; drop table x; --",
  '"{}"',
  '\\',
  '\n',
  '\u2028',
  '😀é',
  '$1',
  'a ',
  'a',
]

export function storing(world: World): void {
  describe(`a journal in ${world.name}`, () => {
    it('is the same session when it is opened again, and for a reader without a lease', async () => {
      const at = world.place()
      const before = await using(postgresStore(at), async (journal) => {
        await journal.user(HOSTILE.join('|'))
        await journal.assistant({ parts: [call('a'), call('b')] })
        await Promise.all([
          journal.settle('b', done('B')),
          journal.settle('a', done('A')),
          journal.usage({ inputTokens: 3 }),
        ])
        return journal.session()
      })
      await using(postgresStore(at), (journal) => {
        expect(journal.session()).toEqual(before)
        expect(journal.usageTotals().total).toEqual({ inputTokens: 3 })
        expect(journal.opened).toEqual({ closedCalls: [], interruptedTurns: [], resolvedCalls: [] })
      })
      const { session } = readWith([reader], await journalText(at))
      expect(session.messages).toEqual(before.messages)
    })

    it('has no text for a reader before its first record', async () => {
      expect(await journalText(world.place())).toBe('')
      expect(await journalText({ ...world.place(), table: 'there_is_none' })).toBe('')
    })

    it('keeps journals apart by their ids, however hostile', async () => {
      const ids = ['', ...HOSTILE, '__proto__', 'e\u0301', '\u00e9', 'x'.repeat(1000), '\0'.repeat(166)]
      for (const [index, session] of ids.entries()) {
        await using(postgresStore(world.place({ session })), (journal) => journal.user(`journal ${index}`))
      }
      for (const [index, session] of ids.entries()) {
        await using(postgresStore(world.place({ session })), (journal) =>
          expect(journal.session().messages).toMatchObject([{ parts: [{ text: `journal ${index}` }] }]),
        )
      }
      expect(await world.rows('a')).toHaveLength(3)
    })

    it('refuses ids, tables and leases that cannot be', () => {
      const wrong: readonly object[] = [
        { session: 'x'.repeat(1001) },
        { session: '\0'.repeat(167) },
        { session: undefined },
        { session: {} },
        ...['x; drop table y', 'a"b', '', 'A', 'a'.repeat(64), 'a.b.c', '.a', 'a.', {}].map((table) => ({ table })),
        ...[0, -1, 199, Number.NaN, Number.POSITIVE_INFINITY, 86_400_001, 'x'].map((leaseMs) => ({ leaseMs })),
      ]
      for (const more of wrong)
        expect(() => postgresStore(world.place(more)), JSON.stringify(more)).toThrow(JournalError)
    })

    it('may stand in a table of a schema, named by words that SQL has for itself', async () => {
      await world.sql('create schema if not exists "order"')
      const at = world.place({ table: 'order.user' })
      await using(postgresStore(at), (journal) => journal.user('one'))
      await using(postgresStore(at), (journal) => expect(journal.session().messages).toHaveLength(1))
      expect(journalTable('order.user')).toContain('"order"."user"')
      await world.sql('drop schema "order" cascade')
    })

    it('numbers the records of each session from 1, and writes nothing when nothing was left undone', async () => {
      const [one, other] = [world.place(), world.place()]
      await using(postgresStore(one), (journal) =>
        using(postgresStore(other), async (beside) => {
          await Promise.all([journal.user('one'), beside.user('other')])
          await journal.user('one more')
        }),
      )
      await using(postgresStore(one), () => {})
      expect((await world.rows(one.session)).map(({ seq }) => seq)).toEqual([0, 1, 2, 3])
      expect((await world.rows(other.session)).map(({ seq }) => seq)).toEqual([0, 1, 2])
    })

    it('is repaired when an owner is gone, by one record, and only once', async () => {
      const at = world.place()
      const first = await openJournal(postgresStore(at))
      const turn = await first.beginTurn()
      await first.assistant({
        parts: [call('ran'), call('not'), call('asked', { status: 'pending', reason: 'approval' })],
      })
      await first.dispatch({ id: 'ran', name: 'bash', args: {} })
      await world.expire(at.session)
      await using(postgresStore(at), (journal) => {
        expect(journal.opened).toEqual({
          closedCalls: [
            { id: 'ran', dispatched: true },
            { id: 'not', dispatched: false },
          ],
          interruptedTurns: [turn],
          resolvedCalls: [],
        })
      })
      const rows = await world.rows(at.session)
      expect(rows.map(({ record }) => (JSON.parse(record) as { type?: string }).type)).toEqual([
        undefined,
        'session',
        'turn',
        'message',
        'dispatch',
        'repair',
      ])
      await using(postgresStore(at), (journal) => expect(journal.opened.closedCalls).toEqual([]))
      expect((await world.rows(at.session)).slice(1)).toEqual(rows.slice(1))
      await first.close()
    })

    it('refuses to open when a row is missing, is no record or is too long', async () => {
      const at = world.place()
      await using(postgresStore(at), async (journal) => {
        await journal.user('one')
        await journal.user('two')
      })
      const damage = (what: string): Promise<unknown> => world.sql(`${what} where session = $1 and seq = 3`, at.session)
      await damage(`update ${TABLE} set record = '{"torn'`)
      expect(await rejection(openJournal(postgresStore(at)))).toMatchObject({ code: 'corrupt', line: 3 })
      await damage(`update ${TABLE} set record = repeat(' ', 64 * 1024 * 1024 + 1)`)
      expect(await rejection(openJournal(postgresStore(at)))).toMatchObject({ code: 'too-large', line: 3 })
      await damage(`update ${TABLE} set record = '{}'`)
      expect(await rejection(openJournal(postgresStore(at)))).toMatchObject({ code: 'corrupt', line: 3 })
      await world.sql(`delete from ${TABLE} where session = $1 and seq = 2`, at.session)
      expect(await rejection(openJournal(postgresStore(at)))).toMatchObject({ code: 'corrupt', line: 3 })
    })

    it('is read in pages of bytes, not of rows', async () => {
      const tap = new Tap(world.connect)
      const at = world.place({ connection: tap.connect })
      const long = 'x'.repeat(3_000_000)
      await using(postgresStore(at), async (journal) => {
        for (const index of numbers(8)) await journal.user(`${index}${long}`)
      })
      tap.asked.length = 0
      await using(postgresStore(at), (journal) => expect(journal.session().messages).toHaveLength(8))
      // Nine rows of 24 MB at 8 MB each, and the look that finds no more.
      expect(tap.asked.filter(({ text }) => text.includes('octet_length'))).toHaveLength(4)
    })

    it('has 64 appenders share their commits', async () => {
      const tap = new Tap(world.connect)
      const at = world.place({ connection: tap.connect })
      await using(postgresStore(at), async (journal) => {
        await journal.user('first')
        tap.asked.length = 0
        const begun = performance.now()
        for (const index of numbers(64)) await journal.user(`alone ${index}`)
        const alone = performance.now() - begun
        expect(tap.asked.filter(({ text }) => isAppend(text))).toHaveLength(64)
        tap.asked.length = 0
        const appender = async (name: number): Promise<void> => {
          for (const index of numbers(10)) await journal.user(`${name} ${index}`)
        }
        await Promise.all(numbers(64).map(appender))
        const together = performance.now() - begun - alone
        const commits = tap.asked.filter(({ text }) => isAppend(text)).length
        const rates = [(64_000 / alone).toFixed(0), (640_000 / together).toFixed(0)]
        console.log(
          `${world.name}: 640 records of 64 appenders in ${commits} commits; ${rates[1]} a second, one alone ${rates[0]}`,
        )
        expect(commits).toBeLessThanOrEqual(64)
      })
      const texts = await world.texts(at.session)
      expect(texts).toHaveLength(1 + 64 + 640)
      for (const name of numbers(64)) {
        expect(texts.filter((text) => text.startsWith(`${name} `))).toEqual(
          numbers(10).map((index) => `${name} ${index}`),
        )
      }
    })

    it('commits without waiting for the disk within a turn, when only turns are to be durable', async () => {
      const tap = new Tap(world.connect)
      const at = world.place({ connection: tap.connect })
      const journal = await openJournal(postgresStore(at), { sync: 'turn' })
      const heard: string[] = []
      journal.subscribe(({ type }) => heard.push(type))
      const turn = await journal.beginTurn()
      await journal.user('one')
      await journal.endTurn(turn, 'completed')
      expect(tap.asked.filter(({ text }) => isAppend(text)).map(({ values }) => values[6])).toEqual([true, false, true])
      expect(heard).toEqual(['session', 'turn', 'message', 'turn'])
      await journal.beginTurn()
      await journal.user('two')
      tap.asked.length = 0
      await journal.close()
      // What is left of a turn is made durable by a commit that waits.
      expect(tap.asked[0]?.text).toMatch(/^with lease as \(\s+update .* set until/)
      await using(postgresStore(at), (opened) => expect(opened.session().messages).toHaveLength(2))
    })

    it('is durable and fenced whatever the server does by default', async () => {
      const client = await world.connect()
      await client.query({ text: "set synchronous_commit = 'off'" })
      await client.query({ text: "set default_transaction_isolation = 'serializable'" })
      const shown = async (name: string): Promise<unknown> =>
        Object.values((await client.query({ text: `show ${name}` })).rows[0]!)
      const journal = await openJournal(postgresStore(world.place({ connection: async () => client })))
      expect(await shown('synchronous_commit')).toEqual(['on'])
      expect(await shown('default_transaction_isolation')).toEqual(['read committed'])
      await journal.close()
    })
  })
}
