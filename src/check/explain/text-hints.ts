import type { HintBook } from './clues.ts'

/** A field of a body that is quoted within a text, as JSON or as Python prints it; quotes are single in readable texts. */
const FIELD = /'(type|code|error_code|param)': {0,2}(?:'([^']{0,300})'|(\d{3})\b)/g
/** `400 {...}`, `Error code: 400 - {...}`, `API Error: 400 {...}`. */
const STATUS = /(?:^|(?:error|code|status|http)[ :]{1,3})([45]\d\d)\b/gi
const EXCEPTION = /\b(ValidationException)\b/
/** The surface of Codex puts the place in front of the words: `[ItemParam] [input[4]] [invalid_enum_value]`. */
const BRACKETED = /^\[\w{1,40}\] \[((?:input|tools)[\w.[\]]{0,200})\] \[(\w{1,60})\]/m

/** Hints that stand within a readable text. */
export function hintsIn(text: string, hints: HintBook): void {
  for (const [, field, quoted, number] of text.matchAll(FIELD)) hints.add(field ?? '', quoted ?? number)
  for (const [, status] of text.matchAll(STATUS)) hints.add('status', status)
  const exception = EXCEPTION.exec(text)
  if (exception !== null) hints.add('type', exception[1])
  const bracketed = BRACKETED.exec(text)
  if (bracketed !== null) hints.add('param', bracketed[1])
}
