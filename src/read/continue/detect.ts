import { type Fields, isObject } from '../../model/json.ts'
import { soleValue } from '../body.ts'
import { SAMPLE } from '../evidence.ts'
import type { Source } from '../reader.ts'

/** A session with a history whose items each hold a message. */
export function sessionIn(source: Source): (Fields & { readonly history: readonly unknown[] }) | undefined {
  const value = soleValue(source)
  return isObject(value) && Array.isArray(value.history)
    ? (value as Fields & { readonly history: readonly unknown[] })
    : undefined
}

export function detect(source: Source): number {
  const session = sessionIn(source)
  if (session === undefined) return 0
  const sample = session.history.slice(0, SAMPLE)
  // A session that was opened and closed.
  if (sample.length === 0)
    return typeof session.sessionId === 'string' && Object.hasOwn(session, 'workspaceDirectory') ? 0.96 : 0
  return sample.some(isItem) ? 0.97 : 0
}

const isItem = (item: unknown): boolean =>
  isObject(item) && isObject(item.message) && typeof item.message.role === 'string'
