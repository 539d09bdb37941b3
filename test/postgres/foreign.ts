import { describe, expect, it } from 'vitest'
import { openJournal } from '../../src/journal/index.ts'
import { followJournal, journalTable, journalText, postgresStore } from '../../src/journal/postgres/index.ts'
import { rejection, using } from '../journal/folder.ts'
import { URL_OF_SERVER } from './real.ts'
import { TABLE, type World } from './world.ts'

/** The URL of the server, but for some of its parts. */
function url(parts: { readonly [part in 'pathname' | 'username' | 'password']?: string }): string {
  return Object.assign(new URL(URL_OF_SERVER), parts).href
}

export function foreign(world: World): void {
  describe(`${world.name} that others look after`, () => {
    it.each(['LATIN1', 'SQL_ASCII', 'EUC_JP'])('and whose encoding is %s keeps every character', async (encoding) => {
      const name = `other_${encoding.toLowerCase()}`
      await world.sql(`drop database if exists ${name}`)
      await world.sql(`create database ${name} encoding '${encoding}' locale 'C' template template0`)
      const at = world.place({ connection: url({ pathname: name }), session: 'é😀\0' })
      const text = 'é ü 日本語 😀 \ud800 \0 \u2028 ~ \\ ¥'
      await using(postgresStore(at), (journal) => journal.user(text), { owner: 'é😀' })
      await using(postgresStore(at), (journal) =>
        expect(journal.session().messages).toMatchObject([{ parts: [{ text }] }]),
      )
      expect(JSON.parse((await journalText(at)).split('\n')[1]!)).toMatchObject({ message: { parts: [{ text }] } })
      const line = JSON.stringify({ text: 'é'.repeat(100) })
      const limited = await postgresStore({ ...at, session: 'limit' }).open(undefined, Buffer.byteLength(line))
      await limited.append([line], true)
      await limited.close()
      const again = await postgresStore({ ...at, session: 'limit' }).open(undefined, Buffer.byteLength(line))
      const read: unknown[] = []
      await again.read((stored) => read.push(JSON.parse(stored.text ?? 'null')))
      await again.close()
      expect(read).toEqual([{ text: 'é'.repeat(100) }])
      await world.sql(`drop database ${name}`)
    })

    it('and who let no agent make tables, and no follower write, is written and followed', async () => {
      const run = `${process.pid}_${Date.now()}`
      const [agent, reader] = [`agent_${run}`, `reader_${run}`]
      for (const role of [agent, reader]) await world.sql(`create role ${role} login password 'secret'`)
      await world.sql('revoke create on schema public from public')
      await world.sql(journalTable())
      await world.sql(`grant select, insert, update on ${TABLE} to ${agent}`)
      await world.sql(`grant select on ${TABLE} to ${reader}`)
      const at = world.place({ connection: url({ username: agent, password: 'secret' }) })
      const asReader = { ...at, connection: url({ username: reader, password: 'secret' }) }
      const heard: number[] = []
      await using(postgresStore(at), (journal) => journal.user('one'))
      const follower = await followJournal(asReader, ({ seq }) => heard.push(seq))
      expect(heard).toEqual([0, 1])
      await follower.close()
      expect(await rejection(openJournal(postgresStore(asReader)))).toMatchObject({
        code: 'io',
        message: expect.stringContaining('42501'),
      })
      for (const role of [agent, reader]) {
        await world.sql(`drop owned by ${role}`)
        await world.sql(`drop role ${role}`)
      }
    })

    it('and that does not know who asks is an error of the store, at once', async () => {
      const at = world.place({ connection: url({ password: 'wrong' }) })
      expect(await rejection(openJournal(postgresStore(at)))).toMatchObject({
        code: 'io',
        message: expect.stringContaining('28P01'),
      })
    })
  })
}
