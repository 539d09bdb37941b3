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
