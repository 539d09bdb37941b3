import { readFileSync } from 'node:fs'
import { type Journal, type JournalOptions, openJournal } from '../../src/journal/index.ts'
import type { JournalRecord } from '../../src/read/journal/record.ts'

/** Opens, does something, and closes whatever comes of it. */
export async function using<T>(
  store: Parameters<typeof openJournal>[0],
  work: (journal: Journal) => Promise<T> | T,
  options: JournalOptions = {},
): Promise<T> {
  const journal = await openJournal(store, options)
  try {
    return await work(journal)
  } finally {
    await journal.close()
  }
}

export function recordsIn(path: string): JournalRecord[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.endsWith('\u0018'))
    .map((line) => JSON.parse(line) as JournalRecord)
}

/** The error of a promise that must reject. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('expected a rejection')
}
