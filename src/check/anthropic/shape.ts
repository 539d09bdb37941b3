import { type Fields, isObject } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Platform, RuleId, Run } from './run.ts'
import * as words from './words.ts'

/** Looks at a value; the path of the run already stands at it. */
export type Check = (value: unknown, run: Run) => void

export interface Field {
  readonly check: Check
  /** The rule to name when it is missing; `true`: the area's own. */
  readonly required?: true | RuleId
  readonly nullable?: true
  /** Platforms that do not know this key, and the rule to name then. */
  readonly unknownOn?: { readonly [platform in Platform]?: RuleId }
}

/** A closed object: every key that is not a field is refused. */
export interface Shape {
  readonly fields: readonly (Field & { readonly name: string })[]
  readonly names: ReadonlySet<string>
  /** What holds between the fields. */
  readonly also?: Check | undefined
}

/** Fields in the order in which the API looks at them; `type` is the tag that chose the shape. */
export function shape(fields: { readonly [name: string]: Field }, also?: Check): Shape {
  return {
    fields: Object.entries(fields).map(([name, field]) => ({ ...field, name })),
    names: new Set([...Object.keys(fields), 'type']),
    also,
  }
}

export function checkShape(value: Fields, shape: Shape, run: Run): void {
  for (const field of shape.fields) checkField(value[field.name], field, run)
  for (const key in value) {
    if (!shape.names.has(key) && value[key] !== undefined) run.faultAt(key, run.area.extra, words.EXTRA)
  }
  shape.also?.(value, run)
}

function checkField(value: unknown, field: Field & { readonly name: string }, run: Run): void {
  if (value === undefined) {
    if (field.required === undefined) return
    run.faultAt(field.name, field.required === true ? run.area.required : field.required, words.REQUIRED)
    return
  }
  const unknown = field.unknownOn?.[run.platform]
  if (unknown !== undefined) {
    run.faultAt(field.name, unknown, words.EXTRA)
    return
  }
  if (value === null && field.nullable) return
  run.path.enter(field.name)
  field.check(value, run)
  run.path.leave()
}

export const string: Check = (value, run) => {
  if (typeof value !== 'string') run.fault(run.area.string, words.NOT_STRING)
}

export const integer: Check = (value, run) => {
  if (!Number.isInteger(value)) run.fault(run.area.type, words.NOT_INTEGER)
}

export const anything: Check = () => {}

export function boolean(rule?: RuleId): Check {
  return (value, run) => {
    if (typeof value !== 'boolean') run.fault(rule ?? run.area.type, words.NOT_BOOLEAN)
  }
}

export function object(rule?: RuleId): Check {
  return (value, run) => {
    if (!isObject(value)) run.fault(rule ?? run.area.type, words.NOT_OBJECT)
  }
}

export function stringWith(rule: RuleId): Check {
  return (value, run) => {
    if (typeof value !== 'string') run.fault(rule, words.NOT_STRING)
  }
}

/** The words quote the pattern as it is written. */
export function matching(pattern: RegExp, rule: RuleId, also?: Check): Check {
  return (value, run) => {
    if (typeof value !== 'string') string(value, run)
    else if (!pattern.test(value)) run.fault(rule, words.notMatching(pattern))
    also?.(value, run)
  }
}

export function lengthBetween(least: number, most: number, rule: RuleId): Check {
  return (value, run) => {
    if (typeof value !== 'string') string(value, run)
    else if (value.length < least) run.fault(rule, words.tooShort(least))
    else if (value.length > most) run.fault(rule, words.tooLong(most))
  }
}

export function oneOf(values: readonly string[], rule?: RuleId): Check {
  return (value, run) => {
    if (typeof value !== 'string' || !values.includes(value)) run.fault(rule ?? run.area.type, words.notOneOf(values))
  }
}

export function listOf(item: Check, rule?: RuleId): Check {
  return (value, run) => {
    if (!Array.isArray(value)) run.fault(rule ?? run.area.type, words.NOT_ARRAY)
    else eachOf(value, item, run)
  }
}

export function eachOf(values: readonly unknown[], item: Check, run: Run): void {
  for (let index = 0; index < values.length; index++) {
    run.path.enter(index)
    item(values[index], run)
    run.path.leave()
  }
}

/** An object of one shape, without a tag in its path. */
export function objectOf(fields: Shape, rule?: RuleId): Check {
  return (value, run) => {
    if (isObject(value)) checkShape(value, fields, run)
    else run.fault(rule ?? run.area.type, words.NOT_OBJECT)
  }
}

export type Variants = { readonly [tag: string]: Shape }

/** An object whose `type` chooses its shape; the tag stands in the path of what is inside. */
export function unionOf(variants: Variants, rule: RuleId, tags?: readonly string[]): Check {
  const expected = tags ?? Object.keys(variants).sort()
  return (value, run) => {
    if (!isObject(value)) return run.fault(run.area.type, words.NOT_OBJECT)
    const tag = value.type
    if (tag === undefined) return run.faultAt('type', run.area.required, words.REQUIRED)
    const found = own(variants, tag)
    if (found === undefined) return run.fault(rule, words.unexpectedTag(tag, expected))
    run.path.enter(String(tag))
    checkShape(value, found, run)
    run.path.leave()
  }
}
