import type { Json } from './session.ts'

export type JsonObject = { readonly [key: string]: Json }

/** An object of which nothing is known yet. */
export type Fields = { readonly [key: string]: unknown }

/** Values nested deeper than this are kept as text (readers) and refused (schema). */
export const MAX_DEPTH = 256

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The string under an own key of an object, else undefined. */
export function stringAt(value: unknown, key: string): string | undefined {
  const found = valueAt(value, key)
  return typeof found === 'string' ? found : undefined
}

/** The value under an own key of an object, else undefined. */
export function valueAt(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** Levels so wide are rare in JSON text, but a value that holds itself twice doubles with every level. */
const WIDE = 4096

/** The next level of a walk by levels: each object once, where it is wide. */
export function distinct(level: object[]): object[] {
  return level.length > WIDE ? [...new Set(level)] : level
}

/** Whether objects are nested over `limit` levels; whatever holds itself is. Without recursion: input may be deeper than the stack. */
export function deeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  let level: object[] = [value]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true
    const next: object[] = []
    for (const container of level) {
      for (const inner of Object.values(container)) if (typeof inner === 'object' && inner !== null) next.push(inner)
    }
    level = distinct(next)
  }
  return false
}

/** Parsed JSON, or the text itself when it is not JSON or nested too deeply. */
export function parseOrText(text: string): Json {
  try {
    const value = JSON.parse(text) as Json
    return deeperThan(value, MAX_DEPTH) ? text : value
  } catch {
    return text
  }
}

/** At most 200 characters, for the `before` and `after` of a change. */
export function preview(value: unknown): string {
  const text = typeof value === 'string' ? value : printed(value)
  return text.length <= 200 ? copied(text) : `${copied(text.slice(0, 199))}…`
}

/** A part of a text holds all of it in memory, where engines do not copy: a change would hold a file. */
const copied = (text: string): string => ` ${text}`.slice(1)

/** Structural equality of JSON values; the order of keys does not matter. Values nested too deeply are not compared: they differ. */
export function sameJson(a: unknown, b: unknown, levels: number = 2 * MAX_DEPTH): boolean {
  if (a === b) return true
  if (levels === 0) return false
  const same = (one: unknown, other: unknown): boolean => sameJson(one, other, levels - 1)
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, at) => same(item, b[at]))
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
}

/** JSON text, or a stand-in where the value is too deep for the stack. */
function printed(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return '(value too deep to print)'
  }
}
