const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['[', ']'],
])
const CLOSING: ReadonlySet<string> = new Set(CLOSERS.values())

/**
 * The beginning of a JSON value made whole: what is not finished at its end is left out, and what is open is closed.
 * Undefined when no object or array begins.
 */
export function closedJson(text: string): string | undefined {
  const open: string[] = []
  let cut = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text[at]!
    const closer = CLOSERS.get(unit)
    if (unit === '"') at = endOfString(text, at)
    else if (closer !== undefined) open.push(closer)
    else if (CLOSING.has(unit)) open.pop()
    if (unit === ',') cut = at
    else if (closer !== undefined || CLOSING.has(unit)) cut = at + 1
    if (open.length === 0 && cut > 0) break
  }
  return cut === 0 ? undefined : text.slice(0, cut) + open.reverse().join('')
}

/** The closing quote of the string that begins here; the end of the text where there is none. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

/** So many beginnings are tried. */
const MOST_TRIED = 200

/** The last fields of a JSON object, from the end of its text; none when there are none, or it is no object. */
export function trailingFields(text: string): { readonly [key: string]: unknown } {
  let found = {}
  let at = text.lastIndexOf(',')
  for (let tried = 0; at >= 0 && tried < MOST_TRIED; tried++) {
    // What stands within another value is followed by more ends than beginnings.
    found = parsedFields(text.slice(at + 1)) ?? found
    at = at === 0 ? -1 : text.lastIndexOf(',', at - 1)
  }
  return found
}

function parsedFields(rest: string): object | undefined {
  if (!/^\s*"/.test(rest)) return undefined
  try {
    return JSON.parse(`{${rest}`) as object
  } catch {
    return undefined
  }
}
