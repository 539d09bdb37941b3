import { isObject, parseOrText, stringAt } from '../../model/json.ts'
import type { Shape } from '../openai/shape.ts'
import { nullable, text } from '../openai/shape.ts'
import { type Fault, patternMismatch, stringTooLong } from '../openai/templates.ts'
import type { Walk } from '../openai/verify.ts'
import type { ResponsesRule } from './rules.ts'

const MAX_ID = 64
const CHARSET = /^[a-zA-Z0-9_-]+$/

/** `measured`: a refusal of another prefix was seen; of the others only what the API itself returns is known. */
export interface IdPrefix {
  readonly prefix: string
  readonly measured: boolean
}

/**
 * The id of an item. Length is told before characters and prefix: opaque ids of over 400 characters, wrong in all three, were
 * answered with their length.
 */
export function itemId(
  { prefix, measured }: IdPrefix,
  missing: ResponsesRule = 'item-id-missing',
): Shape<ResponsesRule> {
  return {
    ...text<ResponsesRule>({ max: MAX_ID }, { missing, long: 'item-id-too-long', type: 'item-id-null' }),
    also: (id, walk) => {
      if (typeof id !== 'string' || id.length > MAX_ID) return
      if (!CHARSET.test(id)) walk.report.raise('item-id-charset', charsetFault(walk.place.path(), id))
      else if (!id.startsWith(prefix) && (measured || walk.report.strict)) {
        walk.report.raise('item-id-prefix', prefixFault(walk.place.path(), id, prefix))
      }
    },
  }
}

function charsetFault(path: string, id: string): Fault {
  const message = `Invalid '${path}': '${id}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.`
  return { message, code: 'invalid_value', param: path, path }
}

function prefixFault(path: string, id: string, prefix: string): Fault {
  const message = `Invalid '${path}': '${id}'. Expected an ID that begins with '${prefix}'.`
  return { message, code: 'invalid_value', param: path, path }
}

/** The id that pairs a call with its output. */
export const CALL_ID: Shape<ResponsesRule> = {
  ...text<ResponsesRule>(
    { min: 1, max: MAX_ID },
    { missing: 'call-id-missing', empty: 'call-id-empty', long: 'call-id-too-long' },
  ),
  also: portableId,
}

/** No text is known: in the words of the name's pattern. */
function portableId(id: unknown, { report, place }: Walk<ResponsesRule>): void {
  if (!report.strict || typeof id !== 'string' || id === '' || id.length > MAX_ID || CHARSET.test(id)) return
  report.raise('call-id-charset', patternMismatch(place.path(), CHARSET.source))
}

/** 128 for tools of a namespace; 64 is what every tool may have. */
const MAX_NAME = 128
const SAFE_NAME = 64

/** The name of a tool, in calls and definitions. */
export function toolName(missing: ResponsesRule): Shape<ResponsesRule> {
  return {
    ...text<ResponsesRule>(
      { min: 1, max: MAX_NAME, pattern: CHARSET },
      { missing, long: 'name-too-long', pattern: 'name-pattern' },
    ),
    also: shortName,
  }
}

function shortName(name: unknown, { report, place }: Walk<ResponsesRule>): void {
  if (!report.strict || typeof name !== 'string' || name.length <= SAFE_NAME || name.length > MAX_NAME) return
  report.raise('name-too-long', stringTooLong(place.path(), SAFE_NAME, name.length))
}

export const NAMESPACE: Shape<ResponsesRule> = text({ min: 1, max: 64, pattern: CHARSET })
export const OUTPUT_NAME: Shape<ResponsesRule> = nullable(text({ min: 1, max: MAX_NAME }, { long: 'name-too-long' }))

/** Arguments are a text; whether it is JSON is not looked at, since the API itself emits arguments that are cut off. */
export const ARGUMENTS: Shape<ResponsesRule> = {
  ...text<ResponsesRule>({}, { type: 'arguments-not-string' }),
  also: portableArguments,
}

/** No text of OpenAI exists, since it takes any; worded as its validator words a wrong text elsewhere. */
function portableArguments(value: unknown, { report, place }: Walk<ResponsesRule>): void {
  if (!report.strict || isObject(parseOrText(String(value)))) return
  const path = place.path()
  const message = `Invalid '${path}': expected a string that holds a JSON object.`
  report.raise('arguments-json', { message, code: 'invalid_value', param: path, path })
}

/** The id of an item as text, for messages that name it. */
export function idOf(item: unknown): string | undefined {
  return stringAt(item, 'id')
}
