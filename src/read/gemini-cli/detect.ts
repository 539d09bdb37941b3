import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { type Entry, recordsOf, soleValue } from '../body.ts'
import { LIKELY, SAMPLE } from '../evidence.ts'
import { isPart } from '../gemini/parts.ts'
import type { Source } from '../reader.ts'

const CERTAIN = 0.95

/** Sessions are certain; a bare list of contents is a checkpoint only if nothing else claims it. */
export function detect(source: Source): number {
  const value = soleValue(source)
  if (isCheckpoint(value)) return CERTAIN
  if (Array.isArray(value) && isContentList(value)) return LIKELY
  return recordsOf(source).slice(0, SAMPLE).some(isOfSession) ? CERTAIN : 0
}

/** A line of metadata, an operation, or the whole of a session. */
function isOfSession({ value }: Entry): boolean {
  if (!isObject(value)) return false
  if (stringAt(value, 'projectHash') !== undefined && stringAt(value, 'sessionId') !== undefined) return true
  if (stringAt(value, '$rewindTo') !== undefined || isObject(valueAt(value, '$set'))) return true
  return value.type === 'gemini' && stringAt(value, 'id') !== undefined && Object.hasOwn(value, 'content')
}

/** `/chat save` stores `{ history }`, the tools that write files `{ clientHistory }`. */
function isCheckpoint(value: unknown): boolean {
  return isContentList(checkpointOf(value))
}

/** The contents of a checkpoint; undefined when the value is none. */
export function checkpointOf(value: unknown): readonly unknown[] | undefined {
  const found = valueAt(value, 'clientHistory') ?? valueAt(value, 'history')
  return Array.isArray(found) ? found : undefined
}

/** Contents have parts, and roles of their own. */
export function isContentList(list: readonly unknown[] | undefined): list is readonly unknown[] {
  return list?.slice(0, SAMPLE).some(isContent) === true
}

function isContent(value: unknown): boolean {
  const role = stringAt(value, 'role')
  const parts = valueAt(value, 'parts')
  return (role === 'user' || role === 'model') && Array.isArray(parts) && parts.slice(0, SAMPLE).some(isPart)
}
