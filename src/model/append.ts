/**
 * The list with the item behind it: another one as long as it is short, then the same. Pushing to an empty list makes
 * room for sixteen more, and histories hold thousands of lists with one or two items.
 */
export function append<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item]
  if (list.length === 1) return [list[0]!, item]
  if (list.length === 2) return [list[0]!, list[1]!, item]
  list.push(item)
  return list
}
