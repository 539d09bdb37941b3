import { storeError } from '../error.ts'
import { Link } from './link.ts'
import { checkPlace } from './place-options.ts'
import { rowsAfter } from './rows.ts'
import { keyOf, statements } from './sql.ts'
import type { PostgresPlace } from './store.ts'

const ANSWER_MS = 30_000

/**
 * The records of a journal as JSON lines, for a reader, as far as they are committed; '' when there is none. Takes no lease.
 * @throws {JournalError} when the database cannot be reached.
 */
export async function journalText(place: PostgresPlace): Promise<string> {
  checkPlace(place)
  const sql = statements(place.table)
  const key = keyOf(place.session)
  const link = new Link({ connection: place.connection, answerMs: ANSWER_MS, greet: async () => {} })
  const lines: string[] = []
  try {
    for await (const { record = '' } of rowsAfter(link, sql.read, { key, seq: 0, maxBytes: Number.MAX_SAFE_INTEGER })) {
      lines.push(record, '\n')
    }
  } catch (error) {
    throw storeError(error, 'the journal cannot be read')
  } finally {
    await link.close()
  }
  return lines.join('')
}
