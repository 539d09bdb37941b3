import { isObject, valueAt } from '../model/json.ts'
import type { Source } from './reader.ts'

export interface Entry {
  readonly value: unknown
  /** 1-based line, when the source is JSON lines. */
  readonly line?: number
}

export interface Body {
  /** The other fields of the body; empty for a bare list. */
  readonly fields: { readonly [key: string]: unknown }
  readonly list: readonly Entry[]
}

const NO_FIELDS = {}

/** The one value of a source: JSON lines that hold a single whole body count as that body. */
export function soleValue(source: Source): unknown {
  return source.records?.length === 1 ? source.records[0]?.value : source.value
}

/** The list of messages or items: under one of the keys of a body, as a bare array, or as JSON lines. */
export function bodyOf(source: Source, keys: readonly string[]): Body | undefined {
  const value = soleValue(source)
  for (const key of keys) {
    const list = valueAt(value, key)
    if (isObject(value) && Array.isArray(list)) return { fields: value, list: entriesOf(list) }
  }
  if (Array.isArray(value)) return { fields: NO_FIELDS, list: entriesOf(value) }
  return source.records === undefined ? undefined : { fields: NO_FIELDS, list: source.records }
}

/** A hole of a list counts as an entry without a value. */
function entriesOf(list: readonly unknown[]): readonly Entry[] {
  return Array.from(list, entry)
}

export const entry = (value: unknown): Entry => ({ value })

/** The records of a stored file: JSON lines, an array of what stood on them, or the only one. */
export function recordsOf(source: Source): readonly Entry[] {
  const { value, records } = source
  return records ?? (Array.isArray(value) ? entriesOf(value) : [{ value }])
}
