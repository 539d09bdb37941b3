/** Shorter names are near to too much. */
const SHORTEST = 4
const LONGEST = 40

/** The one of these names that another is when it is misspelt: by one letter, by two that changed places, or by how words are joined. */
export function misspelt(given: string, names: readonly string[]): string | undefined {
  return given.length > LONGEST ? undefined : names.find((name) => name.length >= SHORTEST && isNear(given, name))
}

function isNear(given: string, name: string): boolean {
  const a = plain(given)
  const b = plain(name)
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  const restA = a.slice(at)
  const restB = b.slice(at)
  return (
    restA === restB ||
    restA.slice(1) === restB.slice(1) ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  )
}

const plain = (name: string): string => name.replaceAll(/[-_]/g, '').toLowerCase()

/** Longer ones are no id of anything. */
const LONGEST_ID = 100
/** Of so many letters one may be wrong. */
const LETTERS_PER_FAULT = 5

/**
 * The one of these ids that another is nearest to, if it is near to any. Ids are such as `anthropic/max-tokens`; one with
 * nothing or another name before the slash is near, too.
 */
export function nearestId(given: string, ids: Iterable<string>): string | undefined {
  if (given.length > LONGEST_ID) return undefined
  const ofAnother = given.includes('/') ? 1 : 0
  let best: string | undefined
  let least = Math.floor(given.length / LETTERS_PER_FAULT) + 1
  for (const id of ids) {
    const faults = Math.min(faultsBetween(given, id), ofAnother + faultsBetween(behindSlash(given), behindSlash(id)))
    if (faults >= least) continue
    best = id
    least = faults
  }
  return best
}

const behindSlash = (id: string): string => id.slice(id.indexOf('/') + 1)

/** How many letters are to be put in, left out or changed; two that changed places count as two. */
function faultsBetween(given: string, name: string): number {
  const a = plain(given)
  const b = plain(name)
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let at = 1; at <= a.length; at++) {
    const next = [at]
    for (let column = 1; column <= b.length; column++) {
      const kept = row[column - 1]! + (a[at - 1] === b[column - 1] ? 0 : 1)
      next.push(Math.min(kept, row[column]! + 1, next[column - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
