import type { Fault } from './book.ts'

/** How the words of OpenAI's schema validator begin, up to the quoted place; what `says` calls the fault. */
const OPENINGS: readonly (readonly [opening: string, says: string])[] = [
  ["Missing required parameter: '", 'missing'],
  ["Unknown parameter: '", 'unknown'],
  ["Unsupported parameter: '", 'unsupported parameter'],
  ["Unsupported value: '", 'unsupported value'],
  ["Invalid type for '", 'type'],
  // What is wrong stands behind the place: `Invalid 'tools': empty array. Expected ...`
  ["Invalid '", ''],
]
const VALUE = "Invalid value: '"
const SUPPORTED = "'. Supported values are: "

const LONGEST = 300
const HEAD = 120

/** The faults of a text; an invalid value has its place in `param` alone. */
export function quotedFaults(text: string, params: ReadonlySet<string>): readonly Fault[] {
  const value = valueFaults(text, params)
  if (value.length > 0) return value
  for (const [opening, says] of OPENINGS) {
    const at = text.indexOf(opening)
    if (at < 0) continue
    const start = at + opening.length
    const end = text.indexOf("'", start)
    if (end < 0 || end - start > LONGEST) continue
    const behind = text.slice(end + 1, end + HEAD).replace(/^[:. ]{1,3}/, '')
    return [{ says: says === '' ? behind : `${says} ${behind}`, path: text.slice(start, end) }]
  }
  return []
}

function valueFaults(text: string, params: ReadonlySet<string>): readonly Fault[] {
  const at = text.indexOf(VALUE)
  const listed = at < 0 ? -1 : text.indexOf(SUPPORTED, at + VALUE.length)
  if (listed < 0) return []
  const start = listed + SUPPORTED.length
  const says = `value ${text.slice(start, start + HEAD)}`
  return params.size === 0 ? [{ says }] : [...params].map((path) => ({ says, path }))
}
