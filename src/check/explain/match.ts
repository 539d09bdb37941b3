import type { Book, Fault, Found, Places, Rules } from './book.ts'
import type { Clues, Hints } from './clues.ts'
import { fits, stepsOf } from './place.ts'
import { sentenceFinder } from './sentences.ts'

/** Looks up a text in one book: sentences first, then what a validator says of a place. */
export type Lookup = (text: string, hints: Hints) => Found | undefined

export function lookupIn(book: Book): Lookup {
  const sentence = sentenceFinder(book.sentences, book.alone)
  return (text, hints) => {
    const found = sentence(text)
    if (found === undefined || refusedByStatus(book, found, hints)) return ofPlaces(book, text, hints)
    return found
  }
}

function refusedByStatus({ statuses }: Book, { rules }: Found, hints: Hints): boolean {
  const wanted = Object.hasOwn(statuses, rules[0] ?? '') ? statuses[rules[0] ?? ''] : undefined
  return wanted !== undefined && hints.statuses.size > 0 && !hints.statuses.has(wanted)
}

function ofPlaces(book: Book, text: string, { params }: Hints): Found | undefined {
  for (const fault of book.faults(text, params)) {
    if (isForeign(book, fault)) continue
    const rules = rulesAt(book.places, fault)
    if (rules.length > 0) return { rules, path: fault.path }
  }
  return undefined
}

/** A path of another API; but a parameter that is not known may have any name. */
function isForeign(book: Book, { says, path }: Fault): boolean {
  if (path === undefined || !hasForeign(book, path)) return false
  return !(says.startsWith('unknown') && stepsOf(path).length === 1)
}

/** Whether only other APIs have such a place. */
export function hasForeign({ foreign }: Book, path: string): boolean {
  const steps = stepsOf(path)
  return foreign.some((pattern) => fits(steps, pattern))
}

/** The first row that fits; all of them where the text names no place. */
function rulesAt(places: Places<string>, { says, path }: Fault): readonly string[] {
  if (path === undefined) {
    const rows = places.filter(([words]) => words !== 'value' && says.startsWith(words))
    return [...new Set(rows.flatMap(([, , rules]) => listed(rules)))]
  }
  const steps = stepsOf(path)
  const row = places.find(([words, place]) => says.startsWith(words) && fits(steps, place))
  return row === undefined ? [] : listed(row[2])
}

export const listed = (rules: Rules<string>): readonly string[] => (typeof rules === 'string' ? [rules] : rules)

/** What a field of the body says, where the words say nothing. */
export function ofSigns({ signs }: Book, { hints }: Clues): Found | undefined {
  for (const sign of [...hints.codes, ...hints.types]) {
    if (Object.hasOwn(signs, sign)) return { rules: listed(signs[sign]!) }
  }
  return undefined
}
