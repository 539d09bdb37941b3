import type { Source } from '../reader.ts'
import { rowsOf, tablesOf } from '../tables.ts'

/** A database whose messages hold `parts`; the column for summaries stands in no other tool's table of sessions. */
export function detect(source: Source): number {
  const tables = tablesOf(source)
  const session = tables === undefined ? undefined : rowsOf(tables, 'sessions')[0]
  if (tables === undefined || session === undefined) return 0
  const message = rowsOf(tables, 'messages')[0]
  if (message !== undefined && !('parts' in message)) return 0
  return 'summary_message_id' in session || 'parent_session_id' in session ? 0.99 : message === undefined ? 0 : 0.6
}
