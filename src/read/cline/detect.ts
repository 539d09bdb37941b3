import { isObject } from '../../model/json.ts'
import { SAMPLE } from '../evidence.ts'
import type { Source } from '../reader.ts'
import { listOf, ownerOf, storeOf } from './shape.ts'

/** What else a list of theirs may hold is in the form of the Anthropic API, which has no such keys and tags. */
export function detect(source: Source): number {
  if (storeOf(source) !== undefined) return 0.97
  const owners = ownersOf(source)
  if (owners.has('cline')) return owners.has('foreign') ? 0.3 : owners.has('roo') ? 0.92 : 0.96
  return owners.has('roo') || owners.has('foreign') || !owners.has('either') ? 0 : isTimed(source) ? 0.92 : 0.94
}

export function ownersOf(source: Source): ReadonlySet<string | undefined> {
  return new Set((listOf(source) ?? []).slice(0, SAMPLE).map(ownerOf))
}

/** Roo has a time on every message; Cline has, where it has one, the model on answers too. */
export function isTimed(source: Source): boolean {
  const list = (listOf(source) ?? []).slice(0, SAMPLE)
  return (
    list.length > 0 &&
    list.every((message) => isObject(message) && typeof message.ts === 'number' && message.role !== undefined)
  )
}
