import { distinct, MAX_DEPTH } from './json.ts'

/** Whether a value is JSON, nested no deeper than `limit` levels. Without recursion; a value that holds itself is not. */
export function isJson(value: unknown, limit: number = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return isLeaf(value)
  let level: object[] = [value]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return false
    const next: object[] = []
    for (const container of level) if (!collectInner(container, next)) return false
    level = distinct(next)
  }
  return true
}

/** False when something in the container is not JSON. */
function collectInner(container: object, next: object[]): boolean {
  if (!Array.isArray(container) && Object.prototype.toString.call(container) !== '[object Object]') return false
  for (const inner of Object.values(container)) {
    if (typeof inner === 'object' && inner !== null) next.push(inner)
    else if (!isLeaf(inner)) return false
  }
  return true
}

function isLeaf(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}
