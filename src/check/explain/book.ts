import type { ApiId } from '../../model/session.ts'
import type { Meaning } from './meanings/repairs.ts'

/** One rule, or all the rules that share a text. */
export type Rules<Rule extends string> = Rule | readonly Rule[]

/**
 * The words of an API's sentences, the more exact ones first. `{}` stands for anything, `{path}` and `{ids}` for what an
 * explanation names; the place in front of `: ` is found without.
 */
export type Sentences<Rule extends string> = { readonly [words: string]: Rules<Rule> }

/**
 * The words of a validator at a place of the request, the more exact rows first: how the words begin, a pattern of the path
 * (`#` an index, `*` any step, `**` any steps), the rules.
 */
export type Places<Rule extends string> = readonly (readonly [says: string, place: string, rules: Rules<Rule>])[]

/** What is told by a field of the body, where words are unknown or not published: `type` or `code`. */
export type Signs<Rule extends string> = { readonly [sign: string]: Rules<Rule> }

/** Everything that one rulebook says, in words. */
export interface Book<Rule extends string = string> {
  readonly api: ApiId
  readonly sentences: Sentences<Rule>
  /** Sentences so short that they count only as the whole of a message. */
  readonly alone: Sentences<Rule>
  readonly places: Places<Rule>
  /** How a text says that something is wrong at a place. */
  readonly faults: (text: string, params: ReadonlySet<string>) => readonly Fault[]
  /** Rules that only errors of a status can stand for, where their words are short. */
  readonly statuses: { readonly [rule: string]: number }
  /** Patterns of paths that only other APIs have. */
  readonly foreign: readonly string[]
  readonly signs: Signs<Rule>
  readonly meanings: { readonly [rule in Rule]: Meaning }
}

/** A fault of a schema, as a text tells it. */
export interface Fault {
  readonly says: string
  readonly path?: string | undefined
}

/** What a book knows of a text. */
export interface Found {
  readonly rules: readonly string[]
  readonly path?: string | undefined
  readonly ids?: readonly string[] | undefined
}
