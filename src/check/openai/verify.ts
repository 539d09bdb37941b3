import type { Fields } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Place } from './place.ts'
import type { Report } from './report.ts'
import type { FaultRules, FieldShapes, ListLimits, Range, Shape, Tagged, TextLimits } from './shape.ts'
import { ARRAY, BOOLEAN, DECIMAL, INTEGER, NULL, OBJECT, STRING } from './shape.ts'
import * as words from './templates.ts'

/** What a walk over a body carries. */
export interface Walk<Id extends string> {
  readonly report: Report<Id>
  readonly place: Place
  /** The rules of faults for which a shape names none. */
  readonly rules: FaultRules<Id>
  /** Keys that a server is known to take although OpenAI does not. */
  readonly spared: ReadonlySet<string>
}

/** The kind as JSON would carry it: what JSON cannot carry arrives as null. */
export function kindOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return STRING
    case 'number':
      return Number.isInteger(value) ? INTEGER : Number.isFinite(value) ? DECIMAL : NULL
    case 'boolean':
      return BOOLEAN
    case 'object':
      return value === null ? NULL : Array.isArray(value) ? ARRAY : OBJECT
    default:
      return NULL
  }
}

const GOT: { readonly [kind: number]: string } = {
  [NULL]: 'null',
  [STRING]: 'a string',
  [INTEGER]: 'an integer',
  [DECIMAL]: 'a decimal',
  [BOOLEAN]: 'a boolean',
  [ARRAY]: 'an array',
  [OBJECT]: 'an object',
}

/** The kind of a value in the words of the type fault. */
export function gotten(value: unknown): string {
  return GOT[kindOf(value)] ?? 'null'
}

/** Raises what the schema validator would refuse at the walk's place. Shapes are finite, so the walk is too. */
export function verify<Id extends string>(value: unknown, shape: Shape<Id>, walk: Walk<Id>): void {
  const kind = kindOf(value)
  if ((shape.takes & kind) === 0) {
    const fault = words.invalidType(walk.place.path(), shape.wanted, GOT[kind] ?? 'null')
    walk.report.raise(shape.rules?.type ?? walk.rules.type, fault)
    return
  }
  if (kind === STRING) {
    if (shape.text !== undefined) verifyText(value as string, shape.text, shape, walk)
  } else if (kind === OBJECT) {
    if (shape.fields !== undefined) verifyFields(value as Fields, shape.fields, shape, walk)
    if (shape.tagged !== undefined) verifyTagged(value as Fields, shape.tagged, walk)
  } else if (kind === ARRAY) {
    if (shape.list !== undefined) verifyList(value as readonly unknown[], shape.list, shape, walk)
  } else if (shape.range !== undefined && kind !== NULL) {
    verifyRange(value as number, shape.range, shape, walk)
  }
  if (shape.forbidden !== undefined) walk.report.raise(shape.forbidden, words.unknownParameter(walk.place.path()))
  shape.also?.(value, walk)
}

function verifyText<Id extends string>(value: string, limits: TextLimits, shape: Shape<Id>, walk: Walk<Id>): void {
  const { report, place, rules } = walk
  if (limits.min !== undefined && value === '') {
    report.raise(shape.rules?.empty ?? rules.empty, words.emptyString(place.path()))
  } else if (limits.max !== undefined && value.length > limits.max) {
    report.raise(shape.rules?.long ?? rules.long, words.stringTooLong(place.path(), limits.max, value.length))
  } else if (limits.pattern !== undefined && !limits.pattern.test(value)) {
    report.raise(shape.rules?.pattern ?? rules.pattern, words.patternMismatch(place.path(), limits.pattern.source))
  } else if (limits.values !== undefined && !limits.values.includes(value)) {
    report.raise(shape.rules?.value ?? rules.value, words.invalidValue(value, limits.values, place.path()))
  }
}

function verifyRange<Id extends string>(value: number, range: Range, shape: Shape<Id>, walk: Walk<Id>): void {
  const low = range.min !== undefined && value < range.min
  if (!low && (range.max === undefined || value <= range.max)) return
  const path = walk.place.path()
  const whole = (shape.takes & DECIMAL) === 0
  const tooSmall = whole ? words.integerTooSmall : words.decimalTooSmall
  const tooLarge = whole ? words.integerTooLarge : words.decimalTooLarge
  const fault = low ? tooSmall(path, range.min ?? 0, value) : tooLarge(path, range.max ?? 0, value)
  walk.report.raise(shape.rules?.range ?? walk.rules.range, fault)
}

function verifyList<Id extends string>(
  value: readonly unknown[],
  limits: ListLimits<Id>,
  shape: Shape<Id>,
  walk: Walk<Id>,
): void {
  const { report, place, rules } = walk
  if (limits.min !== undefined && value.length === 0) {
    report.raise(shape.rules?.empty ?? rules.empty, words.emptyArray(place.path()))
  } else if (limits.max !== undefined && value.length > limits.max) {
    report.raise(shape.rules?.long ?? rules.long, words.arrayTooLong(place.path(), limits.max, value.length))
  }
  if (limits.items === undefined) return
  for (let index = 0; index < value.length; index++) {
    place.enter(index)
    verify(value[index], limits.items, walk)
    place.leave()
  }
}

function verifyFields<Id extends string>(
  value: Fields,
  fields: FieldShapes<Id>,
  shape: Shape<Id>,
  walk: Walk<Id>,
): void {
  for (const { name, shape: inner, required } of fields.list) {
    const held = Object.hasOwn(value, name) ? value[name] : undefined
    if (held !== undefined) {
      walk.place.enter(name)
      verify(held, inner, walk)
      walk.place.leave()
    } else if (required) {
      walk.report.raise(inner.rules?.missing ?? walk.rules.missing, words.missing(walk.place.at(name)))
    }
  }
  if (!fields.open) refuseUnknown(value, fields.names, shape.rules?.unknown ?? walk.rules.unknown, walk)
}

function refuseUnknown<Id extends string>(value: Fields, names: ReadonlySet<string>, rule: Id, walk: Walk<Id>): void {
  for (const key in value) {
    if (names.has(key) || value[key] === undefined || walk.spared.has(key)) continue
    walk.report.raise(rule, words.unknownParameter(walk.place.at(key)))
  }
}

function verifyTagged<Id extends string>(value: Fields, by: Tagged<Id>, walk: Walk<Id>): void {
  const tag = Object.hasOwn(value, by.tag) ? value[by.tag] : undefined
  const row = own(by.rows, tag) ?? (tag === undefined || tag === null ? by.untagged?.(value) : undefined)
  if (row !== undefined) {
    verify(value, row, walk)
    return
  }
  const path = walk.place.at(by.tag)
  if (tag === undefined) walk.report.raise(by.missing, words.missing(path))
  else if (typeof tag !== 'string') walk.report.raise(walk.rules.type, words.invalidType(path, 'a string', gotten(tag)))
  else raiseInvalidTag(tag, path, by, walk)
}

function raiseInvalidTag<Id extends string>(tag: string, path: string, by: Tagged<Id>, walk: Walk<Id>): void {
  const fault = words.invalidValue(tag, by.supported, path)
  walk.report.raise(by.invalid, by.blames === 'tag' ? fault : { ...fault, param: walk.place.path() })
}
