import { describe, expect, it } from 'vitest'
import type { JournalStore } from '../../src/journal/index.ts'
import { openJournal } from '../../src/journal/index.ts'
import { Opening } from '../../src/journal/opening.ts'
import { bytesStore } from './bytes-store.ts'
import { rejection, using } from './folder.ts'
import { head, lines, user } from './records.ts'

const [one, two, three] = lines(head, user('a'), user('b')).split('\n') as [string, string, string]
const repair = (offset: number, length: number): string =>
  JSON.stringify({ journal: 1, seq: 1, at: '', type: 'repair', torn: { offset, length }, closed: [], turns: [] })

describe('a line over the limit', () => {
  const LIMIT = 5000
  const long = `${two.slice(0, -1)}${' '.repeat(2 * LIMIT)}}`
  const opened = async (content: string): Promise<Opening> => {
    const store = await bytesStore(Buffer.from(content)).open(undefined, LIMIT)
    try {
      const opening = new Opening(LIMIT)
      await store.read((read) => opening.take(read))
      return opening
    } finally {
      await store.close()
    }
  }

  it.each([
    ['the last one', `${one}\n${long}\n`, 2],
    ['the first one', `${long}\n`, 1],
    ['one in the middle', `${one}\n${two}\n${long}\n${three}\n`, 3],
    ['one that was not synced before the next', `${one}\n${long} \n${three}\n`, 2],
    ['one without its newline, which may be whole all the same', `${one}\n${long}`, 2],
    ['one behind a hole', `${one}\n\0\0\n${long} \n`, 3],
    ['one that is no JSON, which nobody can tell', `${one}\n${'x'.repeat(2 * LIMIT)}\n`, 2],
  ])('is refused as too large, with the option that raises it: %s', async (_what, content, line) => {
    const error = await rejection(opened(content))
    expect(error).toMatchObject({ name: 'JournalError', code: 'too-large', line })
    expect((error as Error).message).toMatch(/maxRecordBytes/)
  })

  it('is skipped where a crash left it: with a hole at the end, or as torn before a repair', async () => {
    const hole = `${one}\n\0${'x'.repeat(2 * LIMIT)}`
    expect((await opened(hole)).finish()).toEqual({ offset: one.length + 1, length: 2 * LIMIT + 1 })
    const torn = 'x'.repeat(2 * LIMIT)
    const begin = one.length + 1
    expect((await opened(`${one}\n${torn}\u0018\n${repair(begin, torn.length)}\n`)).finish()).toBeUndefined()
  })
})

describe('a journal with a record over 64 MiB', () => {
  const length = 64 * 1024 ** 2 + 1
  const record = `${two.slice(0, -1)}${' '.repeat(length - two.length)}}`

  it('is opened with the limit that it was written with, and without it is left as it is', async () => {
    const store = bytesStore(Buffer.from(`${one}\n${record}\n`))
    for (const options of [{}, { maxRecordBytes: 1000 }, { maxRecordBytes: length - 1 }]) {
      expect(await rejection(openJournal(store, options))).toMatchObject({ code: 'too-large', line: 2 })
      expect(store.bytes).toHaveLength(one.length + length + 2)
    }
    await using(store, (journal) => expect(journal.session().messages).toHaveLength(1), { maxRecordBytes: length })
  })

  it('is read up to 64 MiB whatever is allowed to be written', async () => {
    let asked = 0
    const store = bytesStore(Buffer.alloc(0))
    const watched: JournalStore = {
      repairs: true,
      open(owner, maxLineBytes) {
        asked = maxLineBytes
        return store.open(owner, maxLineBytes)
      },
    }
    await using(watched, () => {}, { maxRecordBytes: 10_000 })
    expect(asked).toBe(64 * 1024 ** 2)
  })
})
