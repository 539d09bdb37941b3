/** Whether a text is the JSON of an object, written as `JSON.stringify` writes it. */
export function isJsonOf(text: string, value: object): boolean {
  return isPlainJsonOf(text, value) || text === JSON.stringify(value)
}

/** The same for flat objects of short plain texts, numbers and booleans, without making a text. */
function isPlainJsonOf(text: string, value: object): boolean {
  if (Array.isArray(value) || text.charCodeAt(0) !== OPEN) return false
  let at = 1
  for (const key in value) {
    if (at > 1 && text.charCodeAt(at++) !== COMMA) return false
    at = behindQuoted(text, at, key)
    if (at < 0 || text.charCodeAt(at) !== COLON) return false
    at = behindLeaf(text, at + 1, (value as { readonly [key: string]: unknown })[key])
    if (at < 0) return false
  }
  return text.charCodeAt(at) === CLOSE && at + 1 === text.length
}

const [OPEN, CLOSE, COMMA, COLON, QUOTE, BACKSLASH] = [0x7b, 0x7d, 0x2c, 0x3a, 0x22, 0x5c]

/** From this length on the engine's own writing is faster. */
const SHORT = 64

/** The place behind the leaf, if it stands there and is of a simple kind; else -1. */
function behindLeaf(text: string, at: number, leaf: unknown): number {
  if (typeof leaf === 'string') return behindQuoted(text, at, leaf)
  if (typeof leaf !== 'boolean' && !Number.isFinite(leaf)) return -1
  const told = String(leaf)
  return text.startsWith(told, at) ? at + told.length : -1
}

/** The place behind the quoted text, if it stands there and nothing in it wants an escape; else -1. */
function behindQuoted(text: string, at: number, plain: string): number {
  if (plain.length > SHORT || text.charCodeAt(at) !== QUOTE) return -1
  for (let index = 0; index < plain.length; index++) {
    const unit = plain.charCodeAt(index)
    if (unit < 0x20 || unit > 0x7e || unit === QUOTE || unit === BACKSLASH) return -1
    if (text.charCodeAt(at + 1 + index) !== unit) return -1
  }
  const end = at + 1 + plain.length
  return text.charCodeAt(end) === QUOTE ? end + 1 : -1
}
