import type { Fields } from '../../model/json.ts'
import type { Walk } from './verify.ts'

/** JSON kinds as bits, so that a shape says in one number what it takes. */
export const NULL = 1
export const STRING = 2
export const INTEGER = 4
export const DECIMAL = 8
export const BOOLEAN = 16
export const ARRAY = 32
export const OBJECT = 64
export const NUMBER: number = INTEGER | DECIMAL
export const ANY: number = NULL | STRING | NUMBER | BOOLEAN | ARRAY | OBJECT

/** The rule that each fault of a place is raised as. */
export interface FaultRules<Id extends string> {
  readonly missing: Id
  readonly type: Id
  readonly unknown: Id
  readonly value: Id
  readonly pattern: Id
  /** An empty string or list. */
  readonly empty: Id
  /** A string or list that is too long. */
  readonly long: Id
  /** A number out of its range. */
  readonly range: Id
}

/** What may stand at a place, as data. */
export interface Shape<Id extends string> {
  readonly takes: number
  /** The words of the type fault, such as 'a string' or 'one of a string or array of objects'. */
  readonly wanted: string
  /** The field is of answers only: whatever it holds, it is an unknown parameter by this rule. */
  readonly forbidden?: Id | undefined
  readonly rules?: Partial<FaultRules<Id>> | undefined
  readonly text?: TextLimits | undefined
  readonly range?: Range | undefined
  readonly list?: ListLimits<Id> | undefined
  readonly fields?: FieldShapes<Id> | undefined
  readonly tagged?: Tagged<Id> | undefined
  /** Rules of this place that are no mere shape; runs when the kind is right. */
  readonly also?: ((value: unknown, walk: Walk<Id>) => void) | undefined
}

export interface TextLimits {
  readonly min?: 1 | undefined
  readonly max?: number | undefined
  readonly pattern?: RegExp | undefined
  readonly values?: readonly string[] | undefined
}

export interface Range {
  readonly min?: number | undefined
  readonly max?: number | undefined
}

export interface ListLimits<Id extends string> {
  readonly min?: 1 | undefined
  readonly max?: number | undefined
  readonly items?: Shape<Id> | undefined
}

export interface FieldShapes<Id extends string> {
  readonly list: readonly Field<Id>[]
  readonly names: ReadonlySet<string>
  /** Further keys are let through. */
  readonly open: boolean
}

export interface Field<Id extends string> {
  readonly name: string
  readonly shape: Shape<Id>
  readonly required: boolean
}

/** One of several shapes, chosen by a field. */
export interface Tagged<Id extends string> {
  readonly tag: 'type' | 'role'
  readonly rows: { readonly [tag: string]: Shape<Id> }
  readonly supported: readonly string[]
  readonly missing: Id
  readonly invalid: Id
  /** The place that the fault of an unknown tag names as its `param`. */
  readonly blames: 'tag' | 'object'
  /** The shape of an object without the tag; without it the tag is missing. */
  readonly untagged?: ((value: Fields) => Shape<Id> | undefined) | undefined
}

type Shapes<Id extends string> = { readonly [name: string]: Shape<Id> }

/** Required fields first, then optional ones: the order in which faults of one object are told. */
export function object<Id extends string>(
  required: Shapes<Id>,
  optional: Shapes<Id> = {},
  rest: Omit<Shape<Id>, 'takes' | 'wanted' | 'fields'> & { readonly open?: boolean } = {},
): Shape<Id> {
  const { open = false, ...facets } = rest
  const list = [
    ...Object.entries(required).map(([name, shape]) => ({ name, shape, required: true })),
    ...Object.entries(optional).map(([name, shape]) => ({ name, shape, required: false })),
  ]
  const names = new Set(list.map((field) => field.name))
  return { takes: OBJECT, wanted: 'an object', fields: { list, names, open }, ...facets }
}

export function text<Id extends string>(limits: TextLimits = {}, rules?: Partial<FaultRules<NoInfer<Id>>>): Shape<Id> {
  return { takes: STRING, wanted: 'a string', text: limits, rules }
}

export function oneOf<Id extends string>(...values: readonly string[]): Shape<Id> {
  return text({ values })
}

export function list<Id extends string>(
  limits: ListLimits<Id> = {},
  rules?: Partial<FaultRules<NoInfer<Id>>>,
): Shape<Id> {
  const items = limits.items?.takes
  const wanted = items === OBJECT ? 'an array of objects' : items === STRING ? 'an array of strings' : 'an array'
  return { takes: ARRAY, wanted, list: limits, rules }
}

export function integer<Id extends string>(range: Range = {}, rules?: Partial<FaultRules<NoInfer<Id>>>): Shape<Id> {
  return { takes: INTEGER, wanted: 'an integer', range, rules }
}

export function decimal<Id extends string>(range: Range = {}, rules?: Partial<FaultRules<NoInfer<Id>>>): Shape<Id> {
  return { takes: NUMBER, wanted: 'a decimal', range, rules }
}

export function boolean<Id extends string>(): Shape<Id> {
  return { takes: BOOLEAN, wanted: 'a boolean' }
}

/** Any object: its keys are the caller's. */
export function record<Id extends string>(): Shape<Id> {
  return { takes: OBJECT, wanted: 'an object' }
}

export function anything<Id extends string>(): Shape<Id> {
  return { takes: ANY, wanted: 'a value' }
}

export function forbidden<Id extends string>(rule: NoInfer<Id>): Shape<Id> {
  return { ...anything(), forbidden: rule }
}

export function nullable<Id extends string>(shape: Shape<Id>): Shape<Id> {
  return { ...shape, takes: shape.takes | NULL }
}

/** An object that is one of several, by its tag. */
export function tagged<Id extends string>(rows: Tagged<Id>, rules?: Partial<FaultRules<NoInfer<Id>>>): Shape<Id> {
  return { takes: OBJECT, wanted: 'an object', tagged: rows, rules }
}
