import type { Fields } from '../../model/json.ts'
import { bracketPath } from './place.ts'

/** Deeper than this the fast walk gives up, for one that also ends on a value that holds itself. */
const FAST_DEPTH = 256

type Test = (text: string) => boolean

/** The bracket path of a string (or key) that passes the test, undefined when there is none. */
export function pathOfText(value: unknown, test: Test): string | undefined {
  return findFast(value, test, 0) === false ? undefined : findSlow(value, test)
}

/** Whether some string, keys included, passes the test; undefined: nested too deeply to be told. */
function findFast(value: unknown, test: Test, depth: number): boolean | undefined {
  if (typeof value === 'string') return test(value)
  if (typeof value !== 'object' || value === null) return false
  if (depth === FAST_DEPTH) return undefined
  return Array.isArray(value) ? findInList(value, test, depth) : findInObject(value as Fields, test, depth)
}

function findInList(list: readonly unknown[], test: Test, depth: number): boolean | undefined {
  for (let index = 0; index < list.length; index++) {
    const found = findFast(list[index], test, depth + 1)
    if (found !== false) return found
  }
  return false
}

function findInObject(object: Fields, test: Test, depth: number): boolean | undefined {
  for (const key in object) {
    if (test(key)) return true
    const found = findFast(object[key], test, depth + 1)
    if (found !== false) return found
  }
  return false
}

interface Seen {
  readonly value: object
  readonly key: string | number
  readonly parent: Seen | undefined
}

/** Without recursion, nearest to the root first; each object is entered once. */
function findSlow(root: unknown, test: Test): string | undefined {
  if (typeof root !== 'object' || root === null) return typeof root === 'string' && test(root) ? '' : undefined
  const met = new Set<object>([root])
  const queue: Seen[] = [{ value: root, key: '', parent: undefined }]
  for (const holder of queue) {
    const inList = Array.isArray(holder.value)
    for (const [name, inner] of Object.entries(holder.value)) {
      const key = inList ? Number(name) : name
      if (test(name) || (typeof inner === 'string' && test(inner))) return pathTo(holder, key)
      if (typeof inner !== 'object' || inner === null || met.has(inner)) continue
      met.add(inner)
      queue.push({ value: inner, key, parent: holder })
    }
  }
  return undefined
}

function pathTo(holder: Seen, key: string | number): string {
  const keys = [key]
  for (let at: Seen | undefined = holder; at?.parent !== undefined; at = at.parent) keys.push(at.key)
  return bracketPath(keys.reverse())
}
