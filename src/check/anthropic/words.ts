/** The generic words of the API's schema phase. */

export const REQUIRED = 'Field required'
export const EXTRA = 'Extra inputs are not permitted'
export const NOT_OBJECT = 'Input should be an object'
export const NOT_STRING = 'Input should be a valid string'
export const NOT_ARRAY = 'Input should be a valid array'
export const NOT_INTEGER = 'Input should be a valid integer'
export const NOT_BOOLEAN = 'Input should be a valid boolean'
export const NOT_NUMBER = 'Input should be a valid number'

/** `Input should be 'a', 'b' or 'c'`. */
export function notOneOf(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`)
  const last = quoted.at(-1) ?? ''
  return quoted.length < 2 ? `Input should be ${last}` : `Input should be ${quoted.slice(0, -1).join(', ')} or ${last}`
}

export function notMatching(pattern: RegExp): string {
  return `String should match pattern '${pattern.source}'`
}

export function tooShort(count: number): string {
  return `String should have at least ${count} character${count === 1 ? '' : 's'}`
}

export function tooLong(count: number): string {
  return `String should have at most ${count} characters`
}

/** The refusal of a union member, with the tags in the order in which the API lists them. */
export function unexpectedTag(tag: unknown, tags: readonly string[]): string {
  const found = typeof tag === 'string' ? tag : typeof tag === 'object' ? 'None' : String(tag)
  const expected = tags.map((each) => `'${each}'`).join(', ')
  return `Input tag '${found}' found using 'type' does not match any of the expected tags: ${expected}`
}
