import { isJson } from '../../model/is-json.ts'
import { deeperThan, type Fields, isObject, MAX_DEPTH } from '../../model/json.ts'
import type { FormatId } from '../../model/session.ts'
import type { Report } from '../report.ts'
import { deepText } from '../shallow.ts'
import { fitted, type Shape } from './shapes.ts'

/**
 * The optional fields that the model knows; all others, but those that are read apart, are kept in the slot of the format,
 * so that nothing that was stored is gone.
 */
export function headOf(
  stored: Fields,
  shape: Shape,
  report: Report,
  { apart, slot }: { readonly apart: ReadonlySet<string>; readonly slot: FormatId },
): Fields {
  const keys = Object.keys(stored).filter((key) => !apart.has(key))
  if (keys.length === 0) return {}
  const known = keys.filter((key) => Object.hasOwn(shape.may, key))
  const others = keys.flatMap((key) => (Object.hasOwn(shape.may, key) ? [] : keptEntry(key, stored[key], report)))
  const head = fitted(picked(stored, known), { needs: {}, may: shape.may }, report) ?? {}
  if (others.length === 0) return head
  const slots = isObject(head.extra) ? head.extra : {}
  return { ...head, extra: { ...slots, [slot]: Object.fromEntries(others) } }
}

/** Slots stay within the depth of the model. What is no JSON was never stored. */
function keptEntry(key: string, value: unknown, report: Report): [string, unknown][] {
  if (isJson(value, MAX_DEPTH - 1)) return [[key, value]]
  if (!deeperThan(value, MAX_DEPTH - 1)) return []
  const text = deepText(value)
  report('value-too-deep', { before: text })
  return [[key, text]]
}

const picked = (from: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(keys.map((key) => [key, from[key]]))
