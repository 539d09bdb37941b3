import { isObject, parseOrText } from '../../model/json.ts'
import type { Shape } from '../openai/shape.ts'
import { list, object, tagged, text } from '../openai/shape.ts'
import { patternMismatch } from '../openai/templates.ts'
import type { Walk } from '../openai/verify.ts'
import type { ChatRule } from './rules.ts'

const NAME = /^[a-zA-Z0-9_-]+$/
const MAX_ID = 40

/** An id of a call, and of the tool message that answers it. The fault of the latter is inferred from the former. */
export const CALL_ID: Shape<ChatRule> = {
  ...text<ChatRule>(
    { min: 1, max: MAX_ID },
    { missing: 'tool-call-id-missing', empty: 'tool-call-id-empty', long: 'tool-call-id-too-long' },
  ),
  also: portableId,
}

/** No text is known: in the words of the name's pattern. */
function portableId(id: unknown, { report, place }: Walk<ChatRule>): void {
  if (!report.strict || typeof id !== 'string' || id === '' || id.length > MAX_ID || NAME.test(id)) return
  report.raise('tool-call-id-charset', patternMismatch(place.path(), NAME.source))
}

/** The name of a tool, in calls and in definitions. */
export const TOOL_NAME: Shape<ChatRule> = text(
  { min: 1, max: 64, pattern: NAME },
  { empty: 'tool-call-name-empty', long: 'tool-call-name-too-long', pattern: 'tool-call-name-pattern' },
)

const ARGUMENTS: Shape<ChatRule> = { ...text({}, { type: 'tool-call-arguments-not-string' }), also: portableArguments }

/** No text of OpenAI exists, since it takes any; worded as its validator words a wrong text elsewhere. */
function portableArguments(value: unknown, { report, place }: Walk<ChatRule>): void {
  if (!report.strict || isObject(parseOrText(String(value)))) return
  const path = place.path()
  const message = `Invalid '${path}': expected a string that holds a JSON object.`
  report.raise('tool-call-arguments-json', { message, code: 'invalid_value', param: path, path })
}

export const FUNCTION_PAYLOAD: Shape<ChatRule> = object({ name: TOOL_NAME, arguments: ARGUMENTS })

const TYPE: Shape<ChatRule> = text({}, { missing: 'tool-call-id-missing' })

const FUNCTION_CALL: Shape<ChatRule> = object({ id: CALL_ID, type: TYPE, function: FUNCTION_PAYLOAD })

const CUSTOM_CALL: Shape<ChatRule> = object({
  id: CALL_ID,
  type: TYPE,
  custom: object({ name: TOOL_NAME, input: text() }, {}, { rules: { missing: 'tool-call-custom' } }),
})

/** Null is no list: the key is left out instead. */
export const TOOL_CALLS: Shape<ChatRule> = list(
  {
    min: 1,
    max: 128,
    items: tagged({
      tag: 'type',
      rows: { function: FUNCTION_CALL, custom: CUSTOM_CALL },
      supported: ['function', 'custom'],
      missing: 'tool-call-id-missing',
      invalid: 'tool-call-type-invalid',
      blames: 'tag',
      untagged: () => FUNCTION_CALL,
    }),
  },
  { empty: 'tool-calls-empty', long: 'tool-calls-too-many' },
)
