import type { Fields, JsonObject } from '../model/json.ts'
import type { ApiId, Extra, FormatId, Json } from '../model/session.ts'

/** The named own fields, null counted as absent; undefined when none is there. */
export function picked(from: Fields, keys: readonly string[]): JsonObject | undefined {
  let found: { [key: string]: Json } | undefined
  for (const key of keys) {
    if (!Object.hasOwn(from, key)) continue
    const value = from[key]
    if (value === null || value === undefined) continue
    found ??= {}
    found[key] = value as Json
  }
  return found
}

/** The own fields that are not named, null counted as absent; undefined when none is there. */
export function others(from: Fields, known: ReadonlySet<string>): JsonObject | undefined {
  let found: [string, Json][] | undefined
  for (const key in from) {
    if (known.has(key) || !Object.hasOwn(from, key)) continue
    const value = from[key]
    if (value === null || value === undefined) continue
    found ??= []
    found.push([key, value as Json])
  }
  // Not by assignment: a key such as `__proto__` would be swallowed.
  return found === undefined ? undefined : Object.fromEntries(found)
}

/** What is still being made. */
export type Writable<T> = { -readonly [key in keyof T]: T[key] }

/** The part with a slot, if there is something for it. */
export function slotted<P extends { extra?: Extra | undefined }>(
  part: P,
  api: ApiId | FormatId,
  value: JsonObject | undefined,
): P {
  if (value !== undefined) part.extra = { [api]: value }
  return part
}

/** To be spread into what has an `extra`. */
export function slot(api: ApiId | FormatId, value: JsonObject | undefined): { readonly extra?: Extra } {
  return value === undefined ? {} : { extra: { [api]: value } }
}
