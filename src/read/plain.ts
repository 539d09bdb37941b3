import { distinct, MAX_DEPTH } from '../model/json.ts'

/**
 * Whether a value in memory is what JSON text could have given, `undefined` aside: no lists with holes, no maps, dates or
 * functions, nothing that throws when it is looked at, nothing that holds itself. Without recursion.
 */
export function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isLeaf(value)
  try {
    return isPlainTree(value)
  } catch {
    return false
  }
}

/** What holds itself twice on every level makes text without end; a list may well hold one object in all its places. */
const MOST_REPEATED = 1_000_000

/** Deeper values are not looked through here. */
function isPlainTree(root: object): boolean {
  let level: object[] = [root]
  let repeated = 1
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return false
    const next: object[] = []
    for (const container of level) {
      const isFine = Array.isArray(container) ? takeList(container, next) : takeObject(container, next)
      if (!isFine) return false
    }
    level = distinct(next)
    repeated *= next.length / Math.max(level.length, 1)
    if (repeated > MOST_REPEATED) return false
  }
  return true
}

function takeList(list: readonly unknown[], next: object[]): boolean {
  for (let index = 0; index < list.length; index++) {
    const item = list[index]
    if (typeof item === 'object' && item !== null) next.push(item)
    else if (!isLeaf(item) || (item === undefined && !(index in list))) return false
  }
  return true
}

function takeObject(container: object, next: object[]): boolean {
  if (Object.prototype.toString.call(container) !== '[object Object]') return false
  for (const inner of Object.values(container)) {
    if (typeof inner === 'object' && inner !== null) next.push(inner)
    else if (!isLeaf(inner)) return false
  }
  return true
}

const LEAVES: ReadonlySet<string> = new Set(['string', 'boolean', 'undefined'])

function isLeaf(value: unknown): boolean {
  return value === null || LEAVES.has(typeof value) || Number.isFinite(value)
}
