import { isJson, isNestedOver } from '../../model/is-json.ts'
import { isObject, MAX_DEPTH } from '../../model/json.ts'
import type { Report } from '../report.ts'
import { deepText } from '../shallow.ts'
import { type Fields, fitted, type Shape } from './shapes.ts'

/** What is read apart from the head. */
const CONTENT = new Set([
  'role',
  'authority',
  'content',
  'parts',
  'toolCalls',
  'tool_calls',
  'messages',
  'instructions',
  'system',
  'tools',
  'version',
])

/** The optional fields of a message or session that the model knows; all others are kept in `extra.entries`. */
export function headOf(stored: Fields, shape: Shape, report: Report): Fields {
  const keys = Object.keys(stored).filter((key) => !CONTENT.has(key))
  if (keys.length === 0) return {}
  const isKnown = (key: string): boolean => Object.hasOwn(shape.may, key)
  const head = fitted(picked(stored, keys.filter(isKnown)), { needs: {}, may: shape.may }, report) ?? {}
  const others = keys.filter((key) => !isKnown(key))
  if (others.length === 0) return head
  const extra = isObject(head.extra) ? head.extra : {}
  const kept = others.filter((key) => isJson(stored[key]) || isNestedOver(stored[key], MAX_DEPTH))
  const entries = Object.fromEntries(kept.map((key) => [key, keptValue(stored[key], report)]))
  return { ...head, extra: { ...extra, entries } }
}

/** Slots stay within the depth of the model. */
function keptValue(value: unknown, report: Report): unknown {
  if (!isNestedOver(value, MAX_DEPTH - 1)) return value
  const text = deepText(value)
  report('value-too-deep', { before: text })
  return text
}

const picked = (from: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(keys.map((key) => [key, from[key]]))
