import { type Fields, isObject } from '../../model/json.ts'

type Test = (value: unknown) => boolean

const TYPES = new Set<unknown>(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])

const isString: Test = (value) => typeof value === 'string'
const isNumber: Test = (value) => typeof value === 'number'
const isBoolean: Test = (value) => typeof value === 'boolean'
const isCount: Test = (value) => Number.isInteger(value) && Number(value) >= 0
const isSchema: Test = (value) => isObject(value) || typeof value === 'boolean'
const isList: Test = (value) => Array.isArray(value)
const isSchemaMap: Test = (value) => isObject(value) && Object.values(value).every(isSchema)
const isSchemaList: Test = (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema)

const isNames: Test = (value) =>
  Array.isArray(value) && value.every(isString) && new Set<unknown>(value).size === value.length

const isType: Test = (value) =>
  TYPES.has(value) || (Array.isArray(value) && value.length > 0 && value.every((each) => TYPES.has(each)))

/** Keywords under which one schema stands, and those under which a map or a list of them does. */
const ONE = [
  'additionalProperties',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'items',
  'contains',
  'not',
  'if',
  'then',
  'else',
]
const MAPS = ['properties', 'patternProperties', '$defs', 'dependentSchemas']
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']
const STRINGS = ['pattern', 'title', 'description', 'format', '$ref']

/**
 * What the meta-schema of draft 2020-12 asks of each keyword. What older drafts allowed and this one refuses is the
 * common fault: lists under `items`, booleans under `exclusiveMinimum` and `required`.
 * @see https://json-schema.org/draft/2020-12/schema
 */
const KEYWORDS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['type', isType],
  ['required', isNames],
  ['enum', isList],
  ['multipleOf', (value) => typeof value === 'number' && value > 0],
  ['uniqueItems', isBoolean],
  ...ONE.map((keyword): [string, Test] => [keyword, isSchema]),
  ...MAPS.map((keyword): [string, Test] => [keyword, isSchemaMap]),
  ...LISTS.map((keyword): [string, Test] => [keyword, isSchemaList]),
  ...NUMBERS.map((keyword): [string, Test] => [keyword, isNumber]),
  ...COUNTS.map((keyword): [string, Test] => [keyword, isCount]),
  ...STRINGS.map((keyword): [string, Test] => [keyword, isString]),
])

const HOLDS_ONE = new Set(ONE)
const HOLDS_MANY = new Set([...MAPS, ...LISTS])

/** The schemas directly inside of one. */
export function innerSchemas(schema: Fields): readonly Fields[] {
  const found: Fields[] = []
  for (const key in schema) {
    const value = schema[key]
    if (typeof value !== 'object' || value === null) continue
    if (HOLDS_ONE.has(key)) {
      if (isObject(value)) found.push(value)
    } else if (HOLDS_MANY.has(key)) {
      for (const inner of Object.values(value)) if (isObject(inner)) found.push(inner)
    }
  }
  return found
}

/** Every schema of a tree, without recursion, each once. */
export function* everySchema(root: Fields): Generator<Fields> {
  const seen = new Set<Fields>([root])
  for (const schema of seen) {
    yield schema
    for (const inner of innerSchemas(schema)) seen.add(inner)
  }
}

/** Whether a schema breaks the meta-schema. */
export function jsonSchemaFault(root: Fields): boolean {
  for (const schema of everySchema(root)) {
    for (const key in schema) {
      const test = KEYWORDS.get(key)
      if (test !== undefined && schema[key] !== undefined && !test(schema[key])) return true
    }
  }
  return false
}
