import { isObject, sameJson } from '../model/json.ts'
import type { AssistantMessage, Extra } from '../model/session.ts'

type Fields = Omit<AssistantMessage, 'role' | 'parts'>

/**
 * The fields of two adjacent assistant messages as one: the first says who and when, the last how it ended. Undefined
 * when they must stay apart so that nothing is lost.
 */
export function joinedFields(first: Fields, second: Fields): Fields | undefined {
  if (first.by?.model !== second.by?.model) return undefined
  const extra = joinedExtra(first.extra, second.extra)
  if (extra === 'clash') return undefined
  return {
    ...second,
    ...first,
    ...(second.stop === undefined ? {} : { stop: second.stop }),
    ...(second.usage === undefined ? {} : { usage: second.usage }),
    ...(extra === undefined ? {} : { extra }),
  }
}

function joinedExtra(first: Extra | undefined, second: Extra | undefined): Extra | undefined | 'clash' {
  if (first === undefined || second === undefined) return first ?? second
  const joined: Record<string, unknown> = { ...first }
  for (const [slot, value] of Object.entries(second)) {
    const both = Object.hasOwn(first, slot) ? joinedSlot(joined[slot], value) : value
    if (both === 'clash') return 'clash'
    joined[slot] = both
  }
  return joined as Extra
}

/** Slots that are objects are joined key by key; anything else must be the same on both sides. */
function joinedSlot(first: unknown, second: unknown): unknown {
  if (sameJson(first, second)) return first
  if (!isObject(first) || !isObject(second)) return 'clash'
  const clashes = Object.keys(second).some((key) => Object.hasOwn(first, key) && !sameJson(first[key], second[key]))
  return clashes ? 'clash' : { ...first, ...second }
}
