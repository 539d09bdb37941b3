import { preview } from '../../model/json.ts'
import { RepairError } from './error.ts'
import type { Replaced } from './plan.ts'

type Path = readonly (string | number)[]

interface Span {
  readonly start: number
  readonly end: number
}

/**
 * A JSON text whose values can be replaced in place: all else of it stays byte for byte, such as numbers that JavaScript cannot
 * hold, the order of keys and the white space.
 */
export class JsonText {
  readonly value: unknown
  readonly #text: string
  readonly #root: Span
  /** By where a container starts, since the paths of many edits lead through the same ones. */
  readonly #children = new Map<number, ReadonlyMap<string | number, Span>>()
  readonly #edits: (Span & { readonly text: string; readonly told: Replaced })[] = []

  /** @throws {RepairError} when it is not JSON. */
  constructor(text: string) {
    const start = text.startsWith('\uFEFF') ? 1 : 0
    try {
      this.value = JSON.parse(start === 0 ? text : text.slice(1)) as unknown
    } catch {
      throw new RepairError('unsupported', 'the JSON of this file is cut off or broken, and is not repaired')
    }
    this.#text = text
    this.#root = { start: skipBlank(text, start), end: text.length }
  }

  /** The text of the value at a path; undefined where there is none. */
  textAt(path: Path): string | undefined {
    const span = this.#spanOf(path)
    return span === undefined ? undefined : this.#text.slice(span.start, span.end)
  }

  /** Puts another text in the place of the value at a path. */
  replace(path: Path, text: string): void {
    const span = this.#spanOf(path)
    if (span === undefined) return
    const before = preview(this.#text.slice(span.start, span.end))
    this.#edits.push({ ...span, text, told: { place: placeOf(path), before, after: preview(text) } })
  }

  /** Sets a member of the object at a path. */
  set(path: Path, key: string, text: string): void {
    const there = [...path, key]
    if (this.#spanOf(there) !== undefined) this.replace(there, text)
    else this.#insert(path, `${JSON.stringify(key)}:${text}`, { place: placeOf(there), after: preview(text) })
  }

  /** Adds an item behind the one at a path. */
  insertBehind(path: Path, text: string): void {
    const span = this.#spanOf(path)
    if (span === undefined) return
    const { end } = span
    this.#edits.push({
      start: end,
      end,
      text: `,${text}`,
      told: { place: `behind ${placeOf(path)}`, after: preview(text) },
    })
  }

  get edits(): readonly Replaced[] {
    return this.#edits.map(({ told }) => told)
  }

  edited(): string {
    const pieces: string[] = []
    let from = 0
    for (const { start, end, text } of this.#edits.toSorted((a, b) => a.start - b.start)) {
      pieces.push(this.#text.slice(from, start), text)
      from = end
    }
    return pieces.join('') + this.#text.slice(from)
  }

  #insert(path: Path, member: string, told: Replaced): void {
    const span = this.#spanOf(path)
    if (span === undefined) return
    const start = span.start + 1
    const text = this.#childrenOf(span).size === 0 ? member : `${member},`
    this.#edits.push({ start, end: start, text, told })
  }

  #spanOf(path: Path): Span | undefined {
    let span: Span | undefined = this.#root
    for (const key of path) span = span && this.#childrenOf(span).get(key)
    return span
  }

  /** Of a key that stands twice the last one counts, as for every parser. */
  #childrenOf({ start }: Span): ReadonlyMap<string | number, Span> {
    const known = this.#children.get(start)
    if (known !== undefined) return known
    const children = new Map(childrenIn(this.#text, start))
    this.#children.set(start, children)
    return children
  }
}

/** Such as `messages[3].tool_calls[0].state`. */
function placeOf(path: Path): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('')
}

const QUOTE = 34
const BACKSLASH = 92

/** The values of the container that starts at a place of a valid JSON text; none when another value stands there. */
function* childrenIn(text: string, start: number): Generator<[key: string | number, Span]> {
  const isObject = text[start] === '{'
  if (!isObject && text[start] !== '[') return
  let at = skipBlank(text, start + 1)
  for (let index = 0; text[at] !== '}' && text[at] !== ']'; index++) {
    let key: string | number = index
    if (isObject) {
      const end = stringEnd(text, at)
      key = JSON.parse(text.slice(at, end)) as string
      at = skipBlank(text, skipBlank(text, end) + 1)
    }
    const end = valueEnd(text, at)
    yield [key, { start: at, end }]
    at = skipBlank(text, end)
    if (text[at] === ',') at = skipBlank(text, at + 1)
  }
}

function valueEnd(text: string, start: number): number {
  if (text.charCodeAt(start) === QUOTE) return stringEnd(text, start)
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]!
    if (char === '"') at = stringEnd(text, at) - 1
    else if (char === '{' || char === '[') depth++
    else if (depth > 0 && (char === '}' || char === ']')) {
      depth--
      if (depth === 0) return at + 1
    } else if (depth === 0 && ENDS.has(char)) return at
  }
  return text.length
}

/** What ends a number or a word. */
const ENDS: ReadonlySet<string> = new Set([',', '}', ']', ' ', '\t', '\n', '\r'])

function stringEnd(text: string, start: number): number {
  let at = start + 1
  for (let unit = text.charCodeAt(at); unit !== QUOTE && at < text.length; unit = text.charCodeAt(at)) {
    at += unit === BACKSLASH ? 2 : 1
  }
  return at + 1
}

function skipBlank(text: string, start: number): number {
  let at = start
  while (at < text.length && ENDS.has(text[at]!) && text[at]!.trim() === '') at++
  return at
}
