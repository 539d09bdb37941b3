import { isObject } from '../../model/json.ts'
import type { Report } from './report.ts'
import { type Fault, semantic } from './templates.ts'
import { pathOfText } from './text-search.ts'

const NOT_JSON =
  "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON. If you have trouble figuring out how to fix this, please contact us through our help center at help.openai.com.)"

/**
 * Phase 1 of both APIs: whether nothing further can be looked at, since the body is no object. Half of a surrogate pair
 * does not hide the rest.
 */
export function raiseEncoding(body: unknown, report: Pick<Report<'body-not-json'>, 'raise'>): boolean {
  const fault = encodingFault(body)
  if (fault !== undefined) report.raise('body-not-json', fault)
  return !isObject(body)
}

/**
 * Both APIs answer with the same words when the body is no JSON object, or holds half of a surrogate pair: encoders write
 * it as an escape that no Unicode text has. NUL is no fault: no refusal of it was ever reported.
 */
function encodingFault(body: unknown): Fault | undefined {
  const path = isObject(body) ? pathOfText(body, illFormed) : ''
  return path === undefined ? undefined : semantic(NOT_JSON, null, path)
}

/** ES2024, in Node 20 and browsers since 2023; TypeScript's es2023 library does not name it. */
type WellFormed = string & { isWellFormed(): boolean }

function illFormed(text: string): boolean {
  return !(text as WellFormed).isWellFormed()
}
