import type { ApiId } from '../../model/session.ts'
import type { Book, Found } from './book.ts'
import { BOOKS } from './books.ts'
import type { Clues, Hints } from './clues.ts'
import { hasForeign, type Lookup, lookupIn, ofSigns } from './match.ts'
import { placeOf } from './place.ts'
import { unwrap } from './unwrap.ts'

/** What an API meant by a refusal. */
export interface Explanation {
  /** Where all rules are of one API. */
  readonly api?: ApiId | undefined
  /** Every rule that the words can stand for, the likeliest first. */
  readonly rules: readonly ExplainedRule[]
  /** The place that the error names, as it writes it: `messages.3.content.0`, `input[4]`; `origin` of a conversion takes it. */
  readonly path?: string | undefined
  /** Ids of calls or items that the error names. */
  readonly ids?: readonly string[] | undefined
}

export interface ExplainedRule {
  /** Such as `anthropic/tool-result-missing`. */
  readonly id: string
  /** What the rule wants. */
  readonly meaning: string
  /** Which repair step or option of this library obeys it. */
  readonly repair: string
}

/** A book's answer to an error. */
interface Answer {
  readonly book: Book
  readonly found: Found
}

const SHELF: readonly { readonly book: Book; readonly lookup: Lookup }[] = BOOKS.map((book) => ({
  book,
  lookup: lookupIn(book),
}))

/**
 * Says which rules an error of an API can stand for, and what obeys them. Takes what an SDK throws, an error body as object or
 * text, or plain text, also within the wrappers of gateways; looks at 16,384 characters at most. Undefined where nothing is
 * known. Never throws.
 */
export function explain(error: unknown): Explanation | undefined {
  const clues = unwrap(error)
  for (const text of clues.texts) {
    const answers = SHELF.flatMap(({ book, lookup }) => {
      const found = lookup(text, clues.hints)
      return found === undefined ? [] : [{ book, found }]
    })
    if (answers.length > 0) return explanation(narrowed(answers, clues.hints), clues.hints)
  }
  const signs = signsOf(clues)
  return signs.length === 0 ? undefined : explanation(narrowed(signs, clues.hints), clues.hints)
}

function signsOf(clues: Clues): readonly Answer[] {
  return BOOKS.flatMap((book) => {
    const found = ofSigns(book, clues)
    return found === undefined ? [] : [{ book, found }]
  })
}

/** Where several APIs say the same, the place that the body names tells which it is; an envelope of another API, which not. */
function narrowed(answers: readonly Answer[], { params, types }: Hints): readonly Answer[] {
  if (answers.length < 2) return answers
  const kept = answers.filter(({ book }) => {
    // Only Anthropic's envelope has a type of its own.
    if (types.has('error') && book.api !== 'anthropic') return false
    return ![...params].some((param) => hasForeign(book, param))
  })
  return kept.length === 0 ? answers : kept
}

function explanation(answers: readonly Answer[], hints: Hints): Explanation {
  const rules = answers.flatMap(({ book, found }) => found.rules.map((rule) => ruleOf(book, rule)))
  const apis = new Set(answers.flatMap(({ book, found }) => found.rules.map((rule) => apiOf(book, rule))))
  const [api] = apis
  const path = placeOf(answers.find(({ found }) => found.path !== undefined)?.found.path, hints.params)
  const ids = answers.find(({ found }) => found.ids !== undefined)?.found.ids
  return {
    ...(apis.size === 1 ? { api } : {}),
    rules,
    ...(path === undefined ? {} : { path }),
    ...(ids === undefined || ids.length === 0 ? {} : { ids }),
  }
}

/** The rules of Converse stand in Anthropic's book, since its models are what Converse mostly serves. */
const apiOf = (book: Book, rule: string): ApiId => (rule.startsWith('converse-') ? 'bedrock' : book.api)

function ruleOf(book: Book, rule: string): ExplainedRule {
  const [meaning, repair] = book.meanings[rule] ?? ['', '']
  return { id: `${book.api}/${rule}`, meaning, repair }
}
