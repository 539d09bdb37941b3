/**
 * The words of OpenAI's two validators. The schema validator (since 2024) names a bracket path, sets `param` to it and a
 * `code`; the older semantic one runs after it, with dotted params and `code: null`.
 */

/** What is wrong, in the vendor's words; the rule's id and the level are the report's business. */
export interface Fault {
  readonly message: string
  readonly code: string | null
  readonly param: string | null
  /** The bracket path of the place, '' for the whole body. */
  readonly path: string
  /** Default 400. */
  readonly status?: number | undefined
}

/** `'a'`, `'a' and 'b'`, `'a', 'b', and 'c'`. */
export function listed(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`)
  if (quoted.length < 3) return quoted.join(' and ')
  return `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`
}

export function missing(path: string): Fault {
  return { message: `Missing required parameter: '${path}'.`, code: 'missing_required_parameter', param: path, path }
}

export function unknownParameter(path: string): Fault {
  return { message: `Unknown parameter: '${path}'.`, code: 'unknown_parameter', param: path, path }
}

/** `wanted` and `got` with their article, such as 'a string' and 'an object'; `got` may be 'null'. */
export function invalidType(path: string, wanted: string, got: string): Fault {
  const message = `Invalid type for '${path}': expected ${wanted}, but got ${got} instead.`
  return { message, code: 'invalid_type', param: path, path }
}

/** `param` is the path unless the API was seen to name another place. */
export function invalidValue(value: string, supported: readonly string[], path: string): Fault {
  const message = `Invalid value: '${value}'. Supported values are: ${listed(supported)}.`
  return { message, code: 'invalid_value', param: path, path }
}

export function patternMismatch(path: string, pattern: string): Fault {
  const message = `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '${pattern}'.`
  return { message, code: 'invalid_value', param: path, path }
}

export function emptyString(path: string): Fault {
  const message = `Invalid '${path}': empty string. Expected a string with minimum length 1, but got an empty string instead.`
  return { message, code: 'empty_string', param: path, path }
}

export function stringTooLong(path: string, max: number, length: number): Fault {
  const message = `Invalid '${path}': string too long. Expected a string with maximum length ${max}, but got a string with length ${length} instead.`
  return { message, code: 'string_above_max_length', param: path, path }
}

export function emptyArray(path: string): Fault {
  const message = `Invalid '${path}': empty array. Expected an array with minimum length 1, but got an empty array instead.`
  return { message, code: 'empty_array', param: path, path }
}

export function arrayTooLong(path: string, max: number, length: number): Fault {
  const message = `Invalid '${path}': array too long. Expected an array with maximum length ${max}, but got an array with length ${length} instead.`
  return { message, code: 'array_above_max_length', param: path, path }
}

export function integerTooSmall(path: string, min: number, got: number): Fault {
  const message = `Invalid '${path}': integer below minimum value. Expected a value >= ${min}, but got ${got} instead.`
  return { message, code: 'integer_below_min_value', param: path, path }
}

export function integerTooLarge(path: string, max: number, got: number): Fault {
  const message = `Invalid '${path}': integer above maximum value. Expected a value <= ${max}, but got ${got} instead.`
  return { message, code: 'integer_above_max_value', param: path, path }
}

export function decimalTooSmall(path: string, min: number, got: number): Fault {
  const message = `Invalid '${path}': decimal below minimum value. Expected a value >= ${min}, but got ${got} instead.`
  return { message, code: 'decimal_below_min_value', param: path, path }
}

/** The recorded answer prints a whole number as a decimal: `got 99.0`. */
export function decimalTooLarge(path: string, max: number, got: number): Fault {
  const printed = Number.isInteger(got) ? got.toFixed(1) : String(got)
  const message = `Invalid '${path}': decimal above maximum value. Expected a value <= ${max}, but got ${printed} instead.`
  return { message, code: 'decimal_above_max_value', param: path, path }
}

/** Rejected pairs of fields; the code was seen, the wording is reported from memory. */
export function mutuallyExclusive(a: string, b: string, param: string | null, path: string): Fault {
  const message = `Mutually exclusive parameters: '${a}' and '${b}'. Ensure you are only providing one of: '${a}' or '${b}'.`
  return { message, code: 'mutually_exclusive_parameters', param, path }
}

export function unsupportedValue(path: string, message: string): Fault {
  return { message, code: 'unsupported_value', param: path, path }
}

/** A refusal of the semantic validator: no code. */
export function semantic(message: string, param: string | null, path: string): Fault {
  return { message, code: null, param, path }
}
