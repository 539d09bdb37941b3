import type { Fault } from './book.ts'
import { placeBefore } from './place.ts'

/** How the words of a pydantic validator begin, behind `messages.3.content.0.text: `. */
const OPENINGS = [
  'Field required',
  'Extra inputs are not permitted',
  'Input should be ',
  "Input tag '",
  'Input does not match ',
  'String should ',
] as const

const MOST_FAULTS = 8
const HEAD = 120

/** The faults of a text in its order, older spellings in today's words. */
export function dottedFaults(text: string): readonly Fault[] {
  const found: (Fault & { readonly at: number })[] = []
  for (const opening of OPENINGS) {
    let at = text.indexOf(opening)
    for (let count = 0; at >= 0 && count < MOST_FAULTS; count++) {
      const path = placeBefore(text, at)
      if (path !== undefined) found.push({ at, path, says: today(text.slice(at, at + HEAD)) })
      at = text.indexOf(opening, at + opening.length)
    }
  }
  return found.sort((a, b) => a.at - b.at)
}

/** The words of 2024 and 2025. */
const OLDER: ReadonlyMap<string, string> = new Map([
  ['Input should be a valid dictionary', 'Input should be an object'],
  ['Input should be a valid list', 'Input should be a valid array'],
])

function today(says: string): string {
  for (const [before, now] of OLDER) if (says.startsWith(before)) return now
  return says
}
