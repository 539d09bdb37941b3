import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { SAMPLE } from '../evidence.ts'
import { lineRecordsOf } from '../line-records.ts'
import { detect as detectPi } from '../pi/detect.ts'
import { noteOf } from '../pi/dispatch.ts'
import type { Source } from '../reader.ts'
import { isEntry, isHeader } from './records.ts'

/** Its own records leave no doubt. A session in pi's form is oino's when a record of that program stands in it. */
export function detect(source: Source): number {
  let own = 0
  let isNamed = false
  for (const { value } of lineRecordsOf(source).slice(0, SAMPLE)) {
    if (isHeader(value) && stringAt(value.header, 'session_id') !== undefined) return 0.97
    if (isEntry(value) && stringAt(valueAt(value.entry, 'kind'), 'kind') !== undefined) own = 0.95
    if (isObject(value)) isNamed ||= isOwn(value)
  }
  const pi = isNamed ? detectPi(source) : 0
  return pi > 0 ? Math.min(pi + 0.02, 0.99) : own
}

/** Extensions of pi have records of their own too: one must name a call, or oino. */
function isOwn(record: Fields): boolean {
  if (record.type === 'session') return [record.agent, record.app, record.producer, record.source].includes('oino')
  if (record.type !== 'custom') return false
  const note = noteOf(record.customType, record.data)
  if (note !== undefined) return note.kind === 'dispatch' || note.closed.size > 0
  return /^oino\b/i.test(stringAt(record, 'customType') ?? '')
}
