import type { Found, Sentences } from './book.ts'
import { placeBefore } from './place.ts'
import { readable } from './readable.ts'

interface Template {
  readonly rules: readonly string[]
  /** The literals between the gaps, in readable form. */
  readonly literals: readonly string[]
  /** What each gap holds: `path`, `ids`, or nothing of interest. */
  readonly gaps: readonly string[]
}

const LONGEST_LEAD = 80
/** Longer gaps belong to two texts. */
const LONGEST_GAP = 2000

/** Words, with a sentence of the table as its literals say it: found by `indexOf` alone, one literal after the other. */
export function sentenceFinder(
  sentences: Sentences<string>,
  alone: Sentences<string>,
): (text: string) => Found | undefined {
  let templates: readonly (Template & { readonly alone: boolean })[] | undefined
  return (text) => {
    templates ??= [...compiled(sentences, false), ...compiled(alone, true)]
    for (const template of templates) {
      const found = locate(text, template, template.alone)
      if (found !== undefined) return found
    }
    return undefined
  }
}

function compiled(sentences: Sentences<string>, alone: boolean): (Template & { readonly alone: boolean })[] {
  return Object.entries(sentences).map(([words, rules]) => {
    const pieces = readable(words).split(/\{(path|ids|)\}/)
    return {
      rules: typeof rules === 'string' ? [rules] : rules,
      literals: pieces.filter((_, index) => index % 2 === 0),
      gaps: pieces.filter((_, index) => index % 2 === 1),
      alone,
    }
  })
}

function locate(text: string, { rules, literals, gaps }: Template, alone: boolean): Found | undefined {
  const first = literals[0]!
  const start = text.indexOf(first)
  if (start < 0 || (alone && !beginsMessage(text, start))) return undefined
  let end = start + first.length
  let path = pathBefore(text, start)
  let ids: readonly string[] | undefined
  for (const [index, gap] of gaps.entries()) {
    const literal = literals[index + 1]!
    const next = literal === '' ? endOfMessage(text, end) : text.indexOf(literal, end)
    if (next < 0 || next - end > LONGEST_GAP || (alone && /\s/.test(text.slice(end, next)))) return undefined
    if (gap === 'path') path = text.slice(end, next)
    else if (gap === 'ids') ids = idsIn(text.slice(end, next))
    end = next + literal.length
  }
  if (alone && end !== endOfMessage(text, end)) return undefined
  return { rules, path, ids }
}

/** Parameters that stand in front of a sentence; any other single word may be anything, such as `error: `. */
const PARAMETERS = new Set([
  'container',
  'max_tokens',
  'messages',
  'model',
  'system',
  'temperature',
  'tool_choice',
  'tools',
])

/** The words in front of the first literal belong to its message, as the type in `messages.1: image blocks can only`. */
function pathBefore(text: string, start: number): string | undefined {
  const leading = /^(\w{1,20}): /.exec(text.slice(start, start + 24))?.[1]
  if (leading !== undefined && PARAMETERS.has(leading)) return leading
  const from = Math.max(0, start - LONGEST_LEAD)
  const colon = text.slice(from, start).lastIndexOf(': ')
  const path = colon < 0 ? undefined : placeBefore(text, from + colon + 2)
  return path !== undefined && (/[.[]\d/.test(path) || PARAMETERS.has(path)) ? path : undefined
}

/** A message begins a text, a line or a quoted field, or stands behind a status. */
function beginsMessage(text: string, at: number): boolean {
  return (
    at === 0 || text[at - 1] === "'" || text[at - 1] === '\n' || /\b\d{3} $/.test(text.slice(Math.max(0, at - 5), at))
  )
}

/** What closes the field of a body in which a message is quoted, or its line. */
const CLOSINGS = ["'}", "', '", "','", '\n'] as const

function endOfMessage(text: string, from: number): number {
  const ends = CLOSINGS.map((closing) => text.indexOf(closing, from)).filter((end) => end >= 0)
  return Math.min(...ends, text.length)
}

const MOST_IDS = 50

function idsIn(list: string): string[] {
  return list
    .split(', ')
    .map((id) => id.trim().replace(/^'|[.']$/g, ''))
    .filter((id) => id !== '' && !/\s/.test(id))
    .slice(0, MOST_IDS)
}
