const ROUNDS = 12
const FEWER = 64

/** Half way, on a logarithmic scale, between linear and quadratic: caches and the collection of garbage cost some of it. */
export const LINEAR = Math.sqrt(FEWER)

/**
 * What one of many costs against one of a sixty-fourth of them: about 1 where the work grows with what is given, about 64
 * where it grows with its square. Both side by side, the fastest of several rounds, until it is below the limit: a busy machine
 * makes it larger, and nothing makes it smaller.
 */
export async function growth(many: number, work: (count: number) => unknown, limit: number = LINEAR): Promise<number> {
  const few = Math.floor(many / FEWER)
  let [fastestMany, fastestFew] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let ratio = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS && ratio >= limit; round++) {
    fastestMany = Math.min(fastestMany, await timed(() => work(many)))
    fastestFew = Math.min(fastestFew, await timed(() => work(few)))
    ratio = fastestMany / many / (fastestFew / few)
  }
  return ratio
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
