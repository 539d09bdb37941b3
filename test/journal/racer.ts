/** A process that opens the journal of its argument when it is told to, and says what came of it. */
import { createInterface } from 'node:readline'
import { type Journal, LockedError, openJournal } from '../../src/journal/index.ts'

const path = process.argv[2] as string
let journal: Journal | undefined

async function go(): Promise<string> {
  try {
    journal = await openJournal(path)
    await journal.user(`process ${process.pid}`)
    return 'won'
  } catch (error) {
    return LockedError.is(error) ? 'locked' : String(error)
  }
}

async function close(): Promise<string> {
  await journal?.close()
  journal = undefined
  return 'closed'
}

process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${await (line === 'go' ? go() : close())}\n`)
}
