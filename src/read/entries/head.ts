import { isJson, isNestedOver } from '../../model/is-json.ts'
import { isObject, MAX_DEPTH } from '../../model/json.ts'
import type { FormatId } from '../../model/session.ts'
import type { Report } from '../report.ts'
import { deepText } from '../shallow.ts'
import { type Fields, fitted, type Shape } from './shapes.ts'

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
  const others = keys.filter((key) => !Object.hasOwn(shape.may, key) && isKept(stored[key]))
  const head = fitted(picked(stored, known), { needs: {}, may: shape.may }, report) ?? {}
  if (others.length === 0) return head
  const slots = isObject(head.extra) ? head.extra : {}
  const kept = Object.fromEntries(others.map((key) => [key, keptValue(stored[key], report)]))
  return { ...head, extra: { ...slots, [slot]: kept } }
}

const isKept = (value: unknown): boolean => isJson(value) || isNestedOver(value, MAX_DEPTH)

/** Slots stay within the depth of the model. */
function keptValue(value: unknown, report: Report): unknown {
  if (!isNestedOver(value, MAX_DEPTH - 1)) return value
  const text = deepText(value)
  report('value-too-deep', { before: text })
  return text
}

const picked = (from: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(keys.map((key) => [key, from[key]]))
