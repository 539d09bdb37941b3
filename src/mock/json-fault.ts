/** Where a text stops being JSON, and the words of the parser that the Messages API uses. */
export interface JsonFault {
  readonly words: string
  /** Offset in UTF-16 units. */
  readonly at: number
}

const UNEXPECTED = 'unexpected character'
const END = 'unexpected end of data'

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** `u` and four digits. */
const LONGEST_ESCAPE = 5
const ESCAPE = /^(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/
const CUT_ESCAPE = /^(?:u[\dA-Fa-f]{0,3})?$/

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const LITERAL = /true|false|null/y
const SPACE = /[ \t\n\r]*/y

/** What may come next. */
type State = 'value' | 'value-or-close' | 'key' | 'key-or-close' | 'colon' | 'comma-or-close' | 'end'

/**
 * The first fault of a text, or undefined when it is JSON. Engines word their errors differently and not all say where,
 * so the place is found here. Keeps its own stack: a text may be nested deeper than the call stack.
 * @see https://github.com/ibireme/yyjson
 */
export function jsonFault(text: string): JsonFault | undefined {
  const scan = new Scan(text)
  while (scan.fault === undefined && !scan.done) scan.step()
  return scan.fault
}

class Scan {
  fault: JsonFault | undefined
  done = false
  readonly #text: string
  #at = 0
  #state: State = 'value'
  readonly #open: ('[' | '{')[] = []

  constructor(text: string) {
    this.#text = text
  }

  step(): void {
    this.#match(SPACE)
    const found = this.#text[this.#at]
    if (found !== undefined) STEPS[this.#state](this, found)
    else if (this.#state === 'end') this.done = true
    else this.fail(this.#text.trim() === '' ? 'input data is empty' : END)
  }

  fail(words: string, at: number = this.#at): undefined {
    this.fault = { words, at }
  }

  /** One character that is no value. */
  take(next: State): void {
    this.#at += 1
    this.#state = next
  }

  open(bracket: '[' | '{'): void {
    this.#open.push(bracket)
    this.take(bracket === '[' ? 'value-or-close' : 'key-or-close')
  }

  close(bracket: string): undefined {
    const opener = this.#open.at(-1)
    if (opener === undefined || bracket !== (opener === '[' ? ']' : '}')) return this.fail(UNEXPECTED)
    this.#open.pop()
    this.#at += 1
    this.valueEnded()
  }

  comma(): void {
    this.take(this.#open.at(-1) === '{' ? 'key' : 'value')
  }

  string(next?: State): void {
    const end = this.#stringEnd(this.#at + 1)
    if (end === undefined) return
    this.#at = end
    if (next === undefined) this.valueEnded()
    else this.#state = next
  }

  scalar(found: string): void {
    if (this.#match(found === '-' || (found >= '0' && found <= '9') ? NUMBER : LITERAL)) this.valueEnded()
    else if ('true false null'.split(' ').some((word) => word.startsWith(this.#text.slice(this.#at)))) {
      this.fail(END, this.#text.length)
    } else this.fail(UNEXPECTED)
  }

  valueEnded(): void {
    this.#state = this.#open.length === 0 ? 'end' : 'comma-or-close'
  }

  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    const matched = pattern.test(this.#text)
    if (matched) this.#at = pattern.lastIndex
    return matched
  }

  /** Behind the closing quote; undefined when the string is at fault. */
  #stringEnd(start: number): number | undefined {
    for (let at = start; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at)
      if (code === QUOTE) return at + 1
      if (code < 0x20) return this.fail('unexpected control character in string', at)
      if (code !== BACKSLASH) continue
      const written = this.#text.slice(at + 1, at + 1 + LONGEST_ESCAPE)
      if (!ESCAPE.test(written)) {
        const cut = written.length < LONGEST_ESCAPE && CUT_ESCAPE.test(written)
        return cut ? this.fail(END, this.#text.length) : this.fail('invalid escaped sequence in string', at)
      }
      at += written.startsWith('u') ? LONGEST_ESCAPE : 1
    }
    return this.fail(END, this.#text.length)
  }
}

function value(scan: Scan, found: string): void {
  if (found === '[' || found === '{') scan.open(found)
  else if (found === '"') scan.string()
  else scan.scalar(found)
}

const STEPS: { readonly [state in State]: (scan: Scan, found: string) => void } = {
  value,
  'value-or-close': (scan, found) => (found === ']' ? scan.close(found) : value(scan, found)),
  key: (scan, found) => (found === '"' ? scan.string('colon') : scan.fail(UNEXPECTED)),
  'key-or-close': (scan, found) => {
    if (found === '}') scan.close(found)
    else STEPS.key(scan, found)
  },
  colon: (scan, found) => (found === ':' ? scan.take('value') : scan.fail(UNEXPECTED)),
  'comma-or-close': (scan, found) => (found === ',' ? scan.comma() : scan.close(found)),
  end: (scan) => scan.fail('unexpected content after document'),
}

/** `: line 1 column 5 (char 4)`, counted in characters. */
export function placeInText(text: string, at: number): string {
  let line = 1
  let lineStart = 0
  let pairs = 0
  let pairsBeforeLine = 0
  for (let index = 0; index < at; index++) {
    const code = text.charCodeAt(index)
    if (code >= 0xdc00 && code <= 0xdfff) pairs += 1
    if (code !== 0x0a) continue
    line += 1
    lineStart = index + 1
    pairsBeforeLine = pairs
  }
  const column = at - lineStart - (pairs - pairsBeforeLine) + 1
  return `line ${line} column ${column} (char ${at - pairs})`
}
