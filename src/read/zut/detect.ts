import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { SAMPLE } from '../evidence.ts'
import { lineRecordsOf } from '../line-records.ts'
import type { Source } from '../reader.ts'
import { kindOf } from './blocks.ts'

const JOURNAL: { readonly [type: string]: true } = {
  'child.accepted': true,
  'turn.accepted': true,
  'turn.started': true,
  'turn.finished': true,
  'child.interrupted': true,
  'child.failed': true,
  'message.user': true,
  'message.assistant': true,
  'tool.call': true,
  'tool.result': true,
}

export function detect(source: Source): number {
  let best = 0
  for (const { value } of lineRecordsOf(source).slice(0, SAMPLE)) {
    if (isObject(value)) best = Math.max(best, score(value))
  }
  return best
}

function score(record: Fields): number {
  if (isEvent(record)) return 0.95
  return own(ROWS, record.type)?.(record) ?? 0
}

/** A record of the journal of a child agent. */
export const isEvent = (record: Fields): boolean =>
  own(JOURNAL, record.type) === true && record.version === 1 && stringAt(record, 'time') !== undefined

const ROWS: { readonly [type: string]: (record: Fields) => number } = {
  meta: ({ meta }) => (stringAt(meta, 'id') !== undefined && stringAt(meta, 'provider') !== undefined ? 0.95 : 0),
  message: ({ message }) => (isMessage(message) ? 0.8 : 0),
  compaction: ({ messages }) => (Array.isArray(messages) && messages.some(isMessage) ? 0.9 : 0),
}

/** Messages of other formats have typed blocks, and other clocks. */
function isMessage(message: unknown): boolean {
  const content = valueAt(message, 'content')
  if (stringAt(message, 'time') === undefined || !Array.isArray(content)) return false
  return content.length > 0 && content.every((block) => kindOf(block) !== undefined && !Object.hasOwn(block, 'type'))
}
