import { findString, isWellFormed } from './body-scan.ts'
import type { Rule, RuleId, Run } from './run.ts'

interface Fault {
  readonly rule: RuleId
  readonly words: string
  /** Offset in the JSON text at which the parser gives up. */
  readonly at: number
  /** Whether a string of the body has this fault. */
  readonly inString: (text: string) => boolean
}

const ESCAPE_LENGTH = 6

const surrogate = (words: string, at: number): Fault => ({
  rule: 'anthropic/json-lone-surrogate',
  words,
  at,
  inString: (text) => !isWellFormed(text),
})

const cut = (at: number): Fault => ({
  rule: 'anthropic/json-truncated',
  words: 'unexpected end of data',
  at,
  inString: (text) => text.includes('\u0000'),
})

/**
 * What the API's parser says of one `\uXXXX` escape: a lone low surrogate is told at the escape, a lone high one behind
 * it. `JSON.stringify` escapes surrogates only where they stand alone. A NUL cuts the body short.
 * @see https://github.com/ibireme/yyjson
 */
function faultOf(json: string, at: number): Fault | undefined {
  const code = Number.parseInt(json.slice(at + 2, at + ESCAPE_LENGTH), 16)
  if (code === 0) return cut(at)
  if (code < 0xd800 || code > 0xdfff) return undefined
  if (code >= 0xdc00) return surrogate('invalid high surrogate in string', at)
  const behind = at + ESCAPE_LENGTH
  const words = json.startsWith('\\u', behind) ? 'invalid low surrogate in string' : 'no low surrogate in string'
  return surrogate(words, behind)
}

/** The first fault of each rule, in the order of the text. */
function faultsOf(json: string): readonly Fault[] {
  const found = new Map<RuleId, Fault>()
  for (let at = json.indexOf('\\'); at >= 0 && found.size < 2; ) {
    const isUnicode = json[at + 1] === 'u'
    const fault = isUnicode ? faultOf(json, at) : undefined
    if (fault !== undefined && !found.has(fault.rule)) found.set(fault.rule, fault)
    at = json.indexOf('\\', at + (isUnicode ? ESCAPE_LENGTH : 2))
  }
  return [...found.values()]
}

/** The parser counts characters, not UTF-16 units. */
function characters(json: string, end: number): number {
  let count = end
  for (let at = 0; at < end; at++) {
    const code = json.charCodeAt(at)
    if (code >= 0xd800 && code <= 0xdbff) count--
  }
  return count
}

function tell(fault: Fault, json: string, run: Run): void {
  const char = characters(json, fault.at)
  const message = `The request body is not valid JSON: ${fault.words}: line 1 column ${char + 1} (char ${char})`
  run.report(fault.rule, message, findString(run.body, fault.inString) ?? '')
}

/** The body as a JSON text, which is only written when a string was found that a strict parser refuses. */
const jsonText: Rule = {
  ids: ['anthropic/json-lone-surrogate', 'anthropic/json-truncated'],
  check: (run) => {
    if (run.scan.clean) return
    const json = run.json
    if (json !== undefined) for (const fault of faultsOf(json)) tell(fault, json, run)
  },
}

export const JSON_ENCODING: readonly Rule[] = [jsonText]
