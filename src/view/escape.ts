/**
 * Controls (C0, DEL, C1), which terminals act on; bidi controls, which show a text in another order than it has; characters
 * without a glyph, which hide a text; halves of surrogate pairs. Joiners and variation selectors stay: scripts and emoji
 * are made of them.
 *
 * @see https://trojansource.codes
 */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]|[\u{e0000}-\u{e007f}]/gu

const NAMED: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

/** A text of a session as it may stand in a terminal: what is unsafe becomes a visible escape. */
export function escapeText(text: string): string {
  return text.replace(UNSAFE, visible)
}

/** JSON text with the same value, of which a terminal shows every character. Line breaks between values stay. */
export function escapeJson(json: string): string {
  return json.replace(UNSAFE, (char) => (char === '\n' ? char : jsonEscape(char)))
}

/** The beginning of a text on one line, escaped, at most `width` characters long; `…` says that more follows. */
export function glimpse(text: string, width: number): string {
  // White space is joined, so that somewhat more than the width is looked at, but never the whole of a long text.
  const head = text.slice(0, width * 4 + 64)
  const pieces: string[] = []
  let used = 0
  let isCut = head.length < text.length
  for (const char of head.trim().replace(/\s+/gu, ' ')) {
    const piece = escapeText(char)
    if (used + sizeOf(piece) > width) {
      isCut = true
      break
    }
    pieces.push(piece)
    used += sizeOf(piece)
  }
  if (!isCut) return pieces.join('')
  while (used >= width && pieces.length > 0) used -= sizeOf(pieces.pop() ?? '')
  return `${pieces.join('')}…`
}

/** In characters: an escape is many, anything else is one. */
const sizeOf = (piece: string): number => (piece.startsWith('\\') ? piece.length : 1)

function visible(char: string): string {
  const named = NAMED.get(char)
  if (named !== undefined) return named
  const code = char.codePointAt(0) ?? 0
  if (code > 0xffff) return `\\u{${code.toString(16)}}`
  return code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`
}

function jsonEscape(char: string): string {
  let escaped = ''
  for (let index = 0; index < char.length; index++) escaped += `\\u${hex(char.charCodeAt(index), 4)}`
  return escaped
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')
