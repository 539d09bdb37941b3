import type { JournalEntry } from '../read/journal/record.ts'

/** What each record is made of, for those who handed in something else. */
const WANTED: { readonly [K in JournalEntry['type']]: string } = {
  session: 'what is known of a session has texts as id and title, and lists as instructions and tools',
  message: 'a message has a role and a list of parts, each with the fields of its type',
  dispatch: 'a dispatch has the id and the name of a call, and its args',
  settle: 'a state is one of completed (with a result), failed (with an error), interrupted, pending',
  turn: 'a turn has a text as id, and ends as completed, failed or interrupted',
  usage: 'usage has numbers of tokens',
  compaction: 'a compaction has a text or a list of parts as its summary, and a number of messages to keep',
  rewind: 'a rewind has the number of messages to keep',
  repair: 'what resolve gives must be a state: completed (with a result), failed (with an error), interrupted, pending',
}

/** Why what was handed in is not recorded. */
export const misfit = (type: JournalEntry['type']): string => `this cannot be recorded as ${type}: ${WANTED[type]}`
