/** Files that are worked on at once. */
const AT_ONCE = 16

/** Does something with each of many, some at once. The first failure ends it when nothing is under way any more. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE) {
    const ended = await Promise.allSettled(items.slice(start, start + AT_ONCE).map(work))
    const failed = ended.find((one) => one.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}
