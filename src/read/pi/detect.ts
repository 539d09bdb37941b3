import { type Fields, isObject, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { SAMPLE } from '../evidence.ts'
import { lineRecordsOf } from '../line-records.ts'
import type { Source } from '../reader.ts'
import { isEntryType } from './records.ts'

/** The header decides; a file that has lost it is told by the links of its entries, or by roles that only pi has. */
export function detect(source: Source): number {
  let best = 0
  for (const { value } of lineRecordsOf(source).slice(0, SAMPLE)) {
    if (isObject(value)) best = Math.max(best, score(value))
  }
  return best
}

function score(record: Fields): number {
  if (record.type === 'session') return isHeader(record) ? 0.96 : 0
  if (record.kind === 'header') return typeof record.version === 'number' && stringAt(record, 'id') ? 0.6 : 0
  if (!isEntryType(record.type) || stringAt(record, 'timestamp') === undefined) return 0
  if (stringAt(record, 'id') !== undefined && Object.hasOwn(record, 'parentId')) return 0.9
  // The first version links nothing.
  return own(ROLES, stringAt(record.message, 'role')) === true && isObject(record.message) ? timed(record.message) : 0
}

/** Headers of other formats hold their data in a field of its own. */
function isHeader(record: Fields): boolean {
  const id = stringAt(record, 'id')
  return id !== undefined && (typeof record.version === 'number' || stringAt(record, 'timestamp') !== undefined)
}

const timed = (message: Fields): number => (typeof message.timestamp === 'number' ? 0.8 : 0)

const ROLES: { readonly [role: string]: true } = { user: true, assistant: true, toolResult: true, bashExecution: true }
