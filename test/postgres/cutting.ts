import { describe, expect, it } from 'vitest'
import { postgresStore } from '../../src/journal/postgres/index.ts'
import { using } from '../journal/folder.ts'
import { Cutter, type Direction } from './cutter.ts'
import { URL_OF_SERVER } from './real.ts'
import { numbers, TABLE, type World } from './world.ts'

/** One byte of so many. */
const STEPS: { readonly [direction in Direction]: number } = { asked: 4, answered: 1 }

export function cutting(world: World): void {
  describe(`a connection to ${world.name} that is cut behind a byte`, () => {
    it.each(['asked', 'answered'] as const)(
      'of an append (%s) loses no record and repeats none',
      async (direction) => {
        const cutter = await Cutter.before(URL_OF_SERVER)
        const at = world.place({ connection: cutter.url })
        const texts: string[] = []
        let old = 0
        await using(postgresStore(at), async (journal) => {
          const record = async (text: string): Promise<void> => {
            texts.push(text)
            await journal.user(text)
          }
          await record('first')
          await pause()
          const before = cutter.passed[direction]
          await record('cut 0000')
          const length = cutter.passed[direction] - before
          for (let bytes = 0; bytes < length; bytes += STEPS[direction]) {
            await pause()
            cutter.cutAfter(direction, bytes)
            await record(`cut ${String(bytes).padStart(4, '0')}`)
            if (await wasThere(world, at.session, texts.length + 1)) old++
          }
        })
        await cutter.close()
        expect(await world.texts(at.session)).toEqual(texts)
        const rows = await world.rows(at.session)
        expect(rows.map(({ seq }) => seq)).toEqual(numbers(texts.length + 2))
        const cuts = texts.length - 2
        console.log(
          `${world.name}: ${cuts} appends cut behind a byte of what was ${direction}; ${old} were there all the same, ` +
            `${cuts - old} sent again; 0 lost, 0 twice`,
        )
        expect(rows[0]?.token).toBeGreaterThan(cuts)
        expect(direction === 'asked' ? cuts - old : old).toBeGreaterThan(cuts / 2)
      },
      240_000,
    )
  })
}

/** A record that was committed though nobody was told: the owner has a higher token since. */
async function wasThere(world: World, session: string, seq: number): Promise<boolean> {
  const text = `select token < (select token from ${TABLE} where session = $1 and seq = 0) as old
    from ${TABLE} where session = $1 and seq = $2`
  const [row] = await world.sql(text, session, seq)
  return (row as { readonly old: boolean }).old
}

/** Until followers were told of the last record, so that only the append goes over the wire. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30))
