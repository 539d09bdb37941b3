/** How much of an error is looked at: characters of all its texts together. */
export const MOST = 16_384

/**
 * A text as the wordings are compared: escapes of JSON and of Python's `repr`, also of texts quoted within texts, are
 * undone; double quotes are single and backticks gone, since servers that pass words on change both. One pass.
 */
export function readable(text: string): string {
  return unescaped(text.slice(0, MOST)).replaceAll('"', "'").replaceAll('`', '')
}

function unescaped(text: string): string {
  let plain = ''
  let from = 0
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', from)) {
    let end = at
    while (text[end] === '\\') end++
    const escaped = escapeAt(text, end)
    plain += text.slice(from, at) + escaped.is
    from = end + escaped.length
  }
  return plain + text.slice(from)
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\n'],
  ['t', '\t'],
])

/** What stands behind the backslashes: `n`, `u0027`, or a character that means itself. */
function escapeAt(text: string, at: number): { readonly is: string; readonly length: number } {
  const char = text[at] ?? ''
  const code = char === 'u' ? /^[0-9a-fA-F]{4}$/.exec(text.slice(at + 1, at + 5)) : null
  if (code !== null) return { is: String.fromCharCode(Number.parseInt(code[0], 16)), length: 5 }
  return { is: NAMED.get(char) ?? char, length: char.length }
}
