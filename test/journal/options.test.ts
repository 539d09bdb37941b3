import { describe, expect, it } from 'vitest'
import { type JournalOptions, memoryStore, openJournal } from '../../src/journal/index.ts'
import { followJournal, journalText, postgresStore } from '../../src/journal/postgres/index.ts'
import { rejection, using } from './folder.ts'

type Store = Parameters<typeof openJournal>[0]

describe('openJournal', () => {
  it.each([
    [{ sync: 'never' }, "TypeError: The option sync must be 'record' or 'turn'."],
    [{ reasoning: 'hide' }, "TypeError: The option reasoning must be 'keep' or 'drop'."],
    [{ owner: 5 }, 'TypeError: The option owner must be a text.'],
    [{ maxRecordBytes: '1' }, 'TypeError: The option maxRecordBytes must be a number.'],
    [{ resolve: {} }, 'TypeError: The option resolve must be a function.'],
    [{ now: 1 }, 'TypeError: The option now must be a function.'],
    [{ start: 'x' }, 'TypeError: The option start must be an object, with a list of messages or none.'],
    [null, 'TypeError: The options must be an object.'],
  ])('refuses %j', async (options, wanted) => {
    const store = memoryStore()
    expect(String(await rejection(openJournal(store, options as unknown as JournalOptions)))).toBe(wanted)
    await using(store, (journal) => journal.user('The lease is free.'))
  })

  it('refuses what is neither a path nor a store', async () => {
    for (const store of [undefined, null, 5, {}]) {
      const error = await rejection(openJournal(store as unknown as Store))
      expect(String(error)).toMatch(/^TypeError: A journal is opened by the path of its file, or in a store/)
    }
  })
})

describe('a journal in PostgreSQL', () => {
  const place = { connection: 'postgres://localhost/none', session: 's' }

  it.each([
    [{ ...place, tabel: 't' }, 'TypeError: There is no option tabel; table may be meant.'],
    [{ session: 's' }, 'TypeError: The option connection must be a URL or a function that connects.'],
    [{ ...place, connection: 5 }, 'TypeError: The option connection must be a URL or a function that connects.'],
    [undefined, 'TypeError: The options must be an object.'],
  ])('refuses %j before it connects', async (options, wanted) => {
    expect(() => postgresStore(options as never)).toThrow(wanted.slice('TypeError: '.length))
    expect(String(await rejection(followJournal(options as never, () => {})))).toMatch(/^TypeError: The/)
    expect(String(await rejection(journalText(options as never)))).toMatch(/^TypeError: The/)
  })
})

describe('what is handed to a journal', () => {
  it('is refused with what it should have been', async () => {
    await using(memoryStore(), async (journal) => {
      expect(String(await rejection(journal.user(5 as never)))).toMatch(/message.*role.*parts/)
      await journal.assistant({
        parts: [{ type: 'tool-call', id: 'c', name: 'a', args: {}, state: { status: 'pending' } }],
      })
      expect(String(await rejection(journal.settle('c', { status: 'done' } as never)))).toMatch(
        /completed \(with a result\), failed \(with an error\), interrupted, pending/,
      )
      expect(String(await rejection(journal.usage({ outputTokens: 'x' } as never)))).toMatch(/usage.*numbers/)
    })
  })
})
