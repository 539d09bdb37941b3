import { change } from '../../model/change.ts'
import { ReadError } from '../../model/error.ts'
import { stringAt, valueAt } from '../../model/json.ts'
import { isoTime } from '../iso-time.ts'
import { Narrator } from '../narrator.ts'
import type { Reader, ReadResult, Source } from '../reader.ts'
import { detect } from './detect.ts'
import { History } from './history.ts'
import { Screen } from './screen.ts'
import { placeOf } from './session.ts'
import { isShown, listOf, storeOf } from './shape.ts'

/**
 * Conversations of Cline: `api_conversation_history.json`, what the screen showed (`ui_messages.json`), and the sessions
 * of its newer store (`<id>.messages.json`, `<id>.compaction.json`).
 */
export const reader: Reader = { format: 'cline', detect, read }

function read(source: Source): Omit<ReadResult, 'format'> {
  const store = storeOf(source)
  const list = store?.messages ?? listOf(source)
  if (list === undefined) throw new ReadError('there is no list of messages', { format: 'cline' })
  const to = new Narrator()
  const isCompaction = typeof store?.source_message_count === 'number'
  if (isCompaction) to.change(change('compaction-applied', {}))
  const into = list.some(isShown) ? new Screen(to, 'cline') : new History(to, { format: 'cline' })
  for (const message of list) into.add(message)
  into.finish()
  const { messages, changes } = to.finish()
  return {
    session: { version: 1, source: { format: 'cline' }, ...placeOf(list), ...storedFields(store), messages },
    changes,
    branches: [],
  }
}

function storedFields(store: { readonly [key: string]: unknown } | undefined) {
  if (store === undefined) return {}
  const id = stringAt(store, 'sessionId')
  const agent = stringAt(store, 'agent')
  const prompt = stringAt(store, 'system_prompt')
  const createdAt = isoTime(valueAt(store, 'created_at'))
  return {
    ...(id === undefined ? {} : { id }),
    ...(agent === undefined ? {} : { agent }),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(prompt === undefined || prompt === '' ? {} : { instructions: [{ type: 'text' as const, text: prompt }] }),
  }
}
