import { isObject, stringAt } from '../../model/json.ts'
import { recordsOf } from '../body.ts'
import { SAMPLE } from '../evidence.ts'
import type { Source } from '../reader.ts'

/** The tree of records is that of Claude Code, what they hold is that of Gemini. */
export function detect(source: Source): number {
  return recordsOf(source)
    .slice(0, SAMPLE)
    .some(({ value }) => isRecord(value))
    ? 0.96
    : 0
}

function isRecord(value: unknown): boolean {
  if (!isObject(value) || stringAt(value, 'uuid') === undefined || !Object.hasOwn(value, 'parentUuid')) return false
  const { message } = value
  if (isObject(message) && Array.isArray(message.parts)) return true
  return value.type === 'tool_result' || isObject(value.systemPayload)
}
