/** `1 call`, `2 calls`. */
export function count(number: number, singular: string, plural: string = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`
}

/** How often each value stands in a list, in the order of first appearance. */
export function tally<T>(values: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
