import type { CallDraft } from './open-calls.ts'

/**
 * The places of the results of one message, for those calls whose place among the results is not their place among the
 * calls that the client runs. Undefined when the results were stored in the order of the calls.
 */
export function resultPlaces(calls: readonly CallDraft[]): ReadonlyMap<CallDraft, number> | undefined {
  if (isInOrder(calls)) return undefined
  const own = new Map(calls.filter((draft) => draft.call.executor !== 'provider').map((draft, index) => [draft, index]))
  const answered = calls.filter((draft) => draft.answeredAt !== undefined && own.has(draft))
  answered.sort((a, b) => (a.answeredAt ?? 0) - (b.answeredAt ?? 0))
  return new Map([...answered.entries()].filter(([place, draft]) => own.get(draft) !== place).map(([p, d]) => [d, p]))
}

function isInOrder(calls: readonly CallDraft[]): boolean {
  let last = -1
  for (const { answeredAt, call } of calls) {
    if (answeredAt === undefined || call.executor === 'provider') continue
    if (answeredAt < last) return false
    last = answeredAt
  }
  return true
}
