const ROUNDS = 3
const FEWER = 64

/**
 * What one of many costs against one of a sixty-fourth of them: about 1 where the work grows with what is given, about 64
 * where it grows with its square. Both side by side, the fastest of several rounds, so that a busy machine decides nothing.
 */
export async function growth(many: number, work: (count: number) => unknown): Promise<number> {
  const few = Math.floor(many / FEWER)
  let [fastestMany, fastestFew] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < ROUNDS; round++) {
    fastestMany = Math.min(fastestMany, await timed(() => work(many)))
    fastestFew = Math.min(fastestFew, await timed(() => work(few)))
  }
  return fastestMany / many / (fastestFew / few)
}

/** Half way, on a logarithmic scale, between linear and quadratic: caches and the collection of garbage cost some of it. */
export const LINEAR = Math.sqrt(FEWER)

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
