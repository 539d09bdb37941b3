import type { FileOptions } from '../files/file-options.ts'
import type { ReadOptions } from '../read/reader.ts'
import { choiceOf, type Values } from './arguments.ts'
import { formatOf } from './choices.ts'

/** What every command takes that reads a session. */
export const SESSION_OPTIONS = {
  from: { type: 'string' },
  id: { type: 'string' },
  leaf: { type: 'string' },
  history: { type: 'string' },
} as const

export const SESSION_HELP = `\
  --from FORMAT     the format of the session, where it is not recognised
  --id ID           the session to take of a database or a folder; without it, the newest
  --leaf ID         another branch, as inspect lists them
  --history WHICH   active (default): what the tool itself would send; full: without compactions;
                    portable: as active, but with the messages in place of a summary that only its own API can read
`

const HISTORIES: readonly NonNullable<ReadOptions['history']>[] = ['active', 'full', 'portable']

/** @throws {UsageError} when one of them is none of its choices. */
export function sessionOptions({ from, id, leaf, history }: Values<typeof SESSION_OPTIONS>): FileOptions {
  return { format: formatOf(from), id, leaf, history: choiceOf(history, 'history', HISTORIES) }
}
