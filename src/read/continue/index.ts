import { change } from '../../model/change.ts'
import { ReadError } from '../../model/error.ts'
import { type Fields, stringAt, valueAt } from '../../model/json.ts'
import { isoTime } from '../iso-time.ts'
import { Narrator } from '../narrator.ts'
import type { Reader, ReadOptions, ReadResult, Source } from '../reader.ts'
import { SUMMARY_LEFT_OUT } from '../summary-left-out.ts'
import { detect, sessionIn } from './detect.ts'
import { History } from './history.ts'

/** Session files of Continue. */
export const reader: Reader = { format: 'continue', detect, read }

function read(source: Source, options: ReadOptions): Omit<ReadResult, 'format'> {
  const session = sessionIn(source)
  if (session === undefined) throw new ReadError('there is no history', { format: 'continue' })
  const to = new Narrator()
  const history = new History(to)
  for (const item of windowOf(session.history, options, to)) history.add(item)
  history.finish()
  const { messages, changes } = to.finish()
  return {
    session: { version: 1, source: { format: 'continue' }, ...sessionFields(session), messages },
    changes,
    branches: [],
  }
}

function reportOdd(history: readonly unknown[], to: Narrator): void {
  for (const item of history) {
    const summary = valueAt(item, 'conversationSummary')
    if (summary !== undefined && summary !== null && typeof summary !== 'string')
      to.reportAside('record-invalid', { before: summary })
  }
}

function windowOf(history: readonly unknown[], options: ReadOptions, to: Narrator): readonly unknown[] {
  reportOdd(history, to)
  if (options.history !== 'full') return activeWindow(history, to)
  for (const item of history) {
    const summary = valueAt(item, 'conversationSummary')
    if (isSummary(summary)) to.reportAside('message-left-out', { message: SUMMARY_LEFT_OUT, before: summary })
  }
  return history
}

/** The last summary stands for all items up to its own, and is the first thing that the model is told. */
function activeWindow(history: readonly unknown[], to: Narrator): readonly unknown[] {
  const last = history.findLastIndex((item) => isSummary(valueAt(item, 'conversationSummary')))
  if (last < 0) return history
  to.change(change('compaction-applied', {}, { before: `${last + 1} items` }))
  const text = stringAt(history[last], 'conversationSummary') ?? ''
  to.user({ parts: [{ type: 'text', text }], kind: 'summary' })
  return history.slice(last + 1)
}

const isSummary = (summary: unknown): boolean => typeof summary === 'string' && summary !== ''

function sessionFields(session: Fields) {
  const [id, title] = [stringAt(session, 'sessionId'), stringAt(session, 'title')]
  const cwd = folderOf(stringAt(session, 'workspaceDirectory') ?? '')
  const createdAt = isoTime(session.dateCreated)
  return {
    ...(id === undefined || id === '' ? {} : { id }),
    ...(title === undefined || title === '' ? {} : { title }),
    ...(cwd === '' ? {} : { cwd }),
    ...(createdAt === undefined ? {} : { createdAt }),
  }
}

/** Some versions store a URI. */
function folderOf(stored: string): string {
  if (!stored.startsWith('file://')) return stored
  try {
    return decodeURIComponent(new URL(stored).pathname)
  } catch {
    return stored
  }
}
