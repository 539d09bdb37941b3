import { isObject } from '../model/json.ts'

export interface FoundValue {
  readonly value: unknown
  readonly start: number
}

export interface Recovered {
  readonly values: readonly FoundValue[]
  /** What could not be read; '' when nothing was lost. */
  readonly lost: string
  /** The text ends inside a value. */
  readonly cutOff: boolean
}

const QUOTE = 34
const BACKSLASH = 92

/** Several tail records behind one tear are not looked for without end. */
const MAX_TAIL = 8

/**
 * The records of a line that is not one JSON value: glued ones, and whole ones behind a torn one. Every character is
 * looked at a bounded number of times.
 */
export function recoverRecords(text: string): Recovered {
  const front = leading(text)
  const tail = front.end === text.length ? { values: [], start: text.length } : trailing(text, front.end)
  return {
    values: [...front.values, ...tail.values],
    lost: text.slice(front.end, tail.start).trim(),
    cutOff: front.cutOff && tail.values.length === 0,
  }
}

function leading(text: string): { values: FoundValue[]; end: number; cutOff: boolean } {
  const values: FoundValue[] = []
  let position = skipFiller(text, 0)
  while (position < text.length) {
    if (!isOpening(text.charCodeAt(position))) return { values, end: position, cutOff: false }
    const end = endOfValue(text, position)
    if (end < 0) return { values, end: position, cutOff: true }
    const value = parsed(text, position, end)
    if (value === undefined) return { values, end: position, cutOff: false }
    values.push({ value, start: position })
    position = skipFiller(text, end)
  }
  return { values, end: text.length, cutOff: false }
}

/** Whole objects at the end of the text, found backwards: from outside a string, quotes pair up that way too. */
function trailing(text: string, from: number): { values: FoundValue[]; start: number } {
  const values: FoundValue[] = []
  let start = text.length
  while (values.length < MAX_TAIL) {
    const found = lastObject(text, from, start)
    if (found === undefined) break
    values.unshift(found)
    start = found.start
  }
  return { values, start }
}

function lastObject(text: string, from: number, to: number): FoundValue | undefined {
  let end = to
  while (end > from && isFiller(text.charCodeAt(end - 1))) end--
  const start = startOfObject(text, from, end)
  if (start < 0 || !isRecordStart(text, from, start)) return undefined
  const value = parsed(text, start, end)
  return isObject(value) && Object.keys(value).length > 0 ? { value, start } : undefined
}

/**
 * Whether an object that begins here is a record, and not a member of the torn one before it: a member follows a colon,
 * a comma or a bracket outside of strings, and inside a string an object cannot have bare quotes.
 */
function isRecordStart(text: string, from: number, start: number): boolean {
  let before = start - 1
  while (before >= from && isFiller(text.charCodeAt(before)) && text[before] !== ',') before--
  return before < from || !':,['.includes(text[before] ?? '') || isInString(text, from, start)
}

function isInString(text: string, from: number, to: number): boolean {
  let inString = false
  for (let position = from; position < to; position++) {
    const unit = text.charCodeAt(position)
    if (unit === QUOTE) inString = !inString
    else if (unit === BACKSLASH && inString) position++
  }
  return inString
}

/** Behind the bracket that closes the one at `start`, or -1. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  let inString = false
  for (let position = start; position < text.length; position++) {
    const unit = text.charCodeAt(position)
    if (unit === QUOTE) inString = !inString
    else if (inString) position += unit === BACKSLASH ? 1 : 0
    else if (isOpening(unit)) depth++
    else if (isClosing(unit) && --depth === 0) return position + 1
  }
  return -1
}

/** The brace that the one before `end` closes, or -1. */
function startOfObject(text: string, from: number, end: number): number {
  if (text[end - 1] !== '}') return -1
  let depth = 0
  let inString = false
  for (let position = end - 1; position >= from; position--) {
    const unit = text.charCodeAt(position)
    if (unit === QUOTE && !isEscaped(text, position)) inString = !inString
    else if (inString) continue
    else if (isClosing(unit)) depth++
    else if (isOpening(unit) && --depth === 0) return text[position] === '{' ? position : -1
  }
  return -1
}

function isEscaped(text: string, position: number): boolean {
  let slashes = 0
  while (text.charCodeAt(position - 1 - slashes) === BACKSLASH) slashes++
  return slashes % 2 === 1
}

function parsed(text: string, start: number, end: number): unknown {
  try {
    return JSON.parse(text.slice(start, end))
  } catch {
    return undefined
  }
}

const isOpening = (unit: number): boolean => unit === 123 || unit === 91
const isClosing = (unit: number): boolean => unit === 125 || unit === 93

/** White space, commas, the NUL bytes of a crashed disk, and byte order marks of joined files. */
const isFiller = (unit: number): boolean =>
  unit === 32 || unit === 44 || (unit >= 9 && unit <= 13) || unit === 0 || unit === 0xfeff

function skipFiller(text: string, from: number): number {
  let position = from
  while (position < text.length && isFiller(text.charCodeAt(position))) position++
  return position
}
