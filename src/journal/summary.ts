import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { dirname } from 'node:path'
import type { JournalTurn, JournalUsage } from '../read/journal/accounts.ts'
import { storeError } from './error.ts'
import { type FileSystem, NODE_FILES } from './file-system.ts'
import type { Journal } from './journal.ts'
import { syncFolder } from './sync-folder.ts'

/** What a journal comes to, for those who do not want to read all of it. */
export interface JournalSummary extends JournalUsage {
  /** Of the session; so is the title. */
  readonly id?: string | undefined
  readonly title?: string | undefined
  /** How many the conversation has now, a summary counted. */
  readonly messages: number
  /** In the order in which they were first recorded. Of a result, the first 4096 bytes. */
  readonly turns: readonly JournalTurn[]
}

/** Bytes of a result in a summary. */
const MAX_RESULT_BYTES = 4096

/** What an open journal comes to now, as far as it is acknowledged: plain JSON. Nothing is read, and it throws nothing. */
export function summaryOf(journal: Journal): JournalSummary {
  const { id, title, messages } = journal.session()
  return {
    ...(id === undefined ? {} : { id }),
    ...(title === undefined ? {} : { title }),
    messages: messages.length,
    turns: journal
      .turns()
      .map((turn) => (turn.result === undefined ? turn : { ...turn, result: bounded(turn.result, MAX_RESULT_BYTES) })),
    ...journal.usageTotals(),
  }
}

/**
 * Writes the summary of a journal to a file of its own, which is replaced as a whole. It is a projection: it can be made
 * anew at any time, and nothing is ever inferred from it.
 * @throws {JournalError} when the file cannot be written; what stood there before still does.
 */
export async function writeSummary(journal: Journal, path: string, files: FileSystem = NODE_FILES): Promise<void> {
  const draft = `${path}.${randomUUID()}.new`
  try {
    await write(draft, `${JSON.stringify(summaryOf(journal))}\n`, files)
    await files.rename(draft, path)
    await syncFolder(dirname(path), files)
  } catch (error) {
    await files.unlink(draft).catch(() => {})
    throw storeError(error, 'the summary cannot be written')
  }
}

async function write(path: string, text: string, files: FileSystem): Promise<void> {
  const file = await files.open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The beginning of a text, cut between characters. */
function bounded(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  let end = maxBytes
  // A byte 10xxxxxx goes on with a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}
