import { ReadError } from '../../model/error.ts'
import { isTimed, ownersOf } from '../cline/detect.ts'
import { History } from '../cline/history.ts'
import { Screen } from '../cline/screen.ts'
import { placeOf } from '../cline/session.ts'
import { isShown, listOf } from '../cline/shape.ts'
import { Narrator } from '../narrator.ts'
import type { Reader, ReadOptions, ReadResult, Source } from '../reader.ts'
import { effectiveHistory, fullHistory, isSummary } from './effective.ts'

/** Tasks of Roo Code and of Kilo Code before it became another tool: `api_conversation_history.json`, `ui_messages.json`. */
export const reader: Reader = { format: 'roo', detect, read }

/** The form is that of Cline, with keys of its own, and a time on every message. */
function detect(source: Source): number {
  const owners = ownersOf(source)
  if (owners.has('roo')) return owners.has('foreign') ? 0.3 : owners.has('cline') ? 0.91 : 0.96
  return owners.has('either') && !owners.has('cline') && !owners.has('foreign') && isTimed(source) ? 0.93 : 0
}

function read(source: Source, options: ReadOptions): Omit<ReadResult, 'format'> {
  const list = listOf(source)
  if (list === undefined) throw new ReadError('there is no list of messages', { format: 'roo' })
  const to = new Narrator()
  if (list.some(isShown)) told(list, new Screen(to, 'roo'))
  else {
    const window =
      options.history === 'full' ? fullHistory(list, to.reportAside) : effectiveHistory(list, to.reportAside)
    told(window, new History(to, { format: 'roo', isSummary }))
  }
  const { messages, changes } = to.finish()
  return {
    session: { version: 1, source: { format: 'roo' }, ...placeOf(list), messages },
    changes,
    branches: [],
  }
}

function told(list: readonly unknown[], into: History | Screen): void {
  for (const message of list) into.add(message)
  into.finish()
}
