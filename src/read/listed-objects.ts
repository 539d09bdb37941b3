import { type Fields, isObject } from '../model/json.ts'
import type { Report } from './report.ts'

/** The objects of a list, or the one that stands without a list; what is none is told of. */
export function listedObjects(stored: unknown, report: Report): readonly Fields[] {
  if (stored === undefined || stored === null) return []
  const found: Fields[] = []
  for (const item of Array.isArray(stored) ? (stored as readonly unknown[]) : [stored]) {
    if (isObject(item)) found.push(item)
    else report('part-invalid', { before: item })
  }
  return found
}
