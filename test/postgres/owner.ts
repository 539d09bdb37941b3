/**
 * An owner of the journal of its arguments that writes one record for each line it reads, and says what came of it. It has
 * no time to itself while it is stopped.
 */
import { createInterface } from 'node:readline'
import { JournalError, openJournal } from '../../src/journal/index.ts'
import { postgresStore } from '../../src/journal/postgres/index.ts'

const [connection, session, leaseMs] = process.argv.slice(2) as [string, string, string]
const journal = await openJournal(postgresStore({ connection, session, leaseMs: Number(leaseMs) }))
process.stdout.write('open\n')
for await (const line of createInterface({ input: process.stdin })) {
  const outcome = await journal.user(line).then(
    () => 'acknowledged',
    (error: unknown) => (JournalError.is(error) ? error.code : String(error)),
  )
  process.stdout.write(`${outcome}\n`)
}
