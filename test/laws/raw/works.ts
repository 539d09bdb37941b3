import type { CallRec, Plan, Rec, ResultRec } from './plan.ts'

/** A history in the works. */
export interface Works {
  records: Rec[]
  readonly pairs: Map<string, string | undefined>
  readonly gone: Set<string>
  /** Calls that were damaged in what pairs them: not to be touched again, so that the outcome stays certain. */
  readonly touched: Set<string>
  /** Every result still stands behind its call, in the order of the calls. */
  orderly: boolean
  /** A call without id relies on that order. */
  ordered: boolean
  marked: boolean
  toolTwice: boolean
}

export const isCall = (record: Rec | undefined): record is CallRec => record?.kind === 'call'
export const isResult = (record: Rec | undefined): record is ResultRec => record?.kind === 'result'
export const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)]

/** Calls whose pair is whole. */
export function whole(works: Works): readonly CallRec[] {
  return works.records
    .filter(isCall)
    .filter((call) => !works.touched.has(call.token) && works.pairs.get(call.token) !== undefined)
}

export function resultOf(works: Works, call: CallRec): ResultRec | undefined {
  const token = works.pairs.get(call.token)
  return works.records.filter(isResult).find((result) => result.token === token)
}

export function replace(works: Works, from: Rec, ...to: readonly Rec[]): void {
  works.records = works.records.flatMap((record) => (record === from ? to : [record]))
}

export function insert(works: Works, index: number, record: Rec): void {
  works.records = [...works.records.slice(0, index), record, ...works.records.slice(index)]
}

/** Takes a whole pair that was not touched yet. */
export function taken(works: Works, at: number): { readonly call: CallRec; readonly result: ResultRec } | undefined {
  const call = pick(whole(works), at)
  const result = call && resultOf(works, call)
  if (call === undefined || result === undefined) return undefined
  works.touched.add(call.token)
  return { call, result }
}

export type Do = (works: Works, at: number, by: number) => boolean

/** A damage that unsettles the order of results cannot come together with one that relies on it. */
export const unsettling =
  (act: Do): Do =>
  (works, at, by) => {
    if (works.ordered) return false
    const done = act(works, at, by)
    if (done) works.orderly = false
    return done
  }

export function reshape(works: Works, at: number, id: (old: string) => string): boolean {
  const pair = taken(works, at)
  if (pair === undefined) return false
  replace(works, pair.call, { ...pair.call, id: id(pair.call.id) })
  replace(works, pair.result, { ...pair.result, id: id(pair.result.id) })
  return true
}

/** A text that the producer put in the place of a result must stay as the producer writes it. */
const isCloser = (record: Rec): boolean => isResult(record) && record.token === ''

export function rewrite<K extends Rec['kind']>(
  kind: K,
  change: (record: Extract<Rec, { kind: K }>, by: number) => Rec,
): Do {
  return (works, at, by) => {
    const found = pick(
      works.records.filter((record) => record.kind === kind && !isCloser(record)),
      at,
    )
    if (found === undefined) return false
    replace(works, found, change(found as Extract<Rec, { kind: K }>, by))
    return true
  }
}

export function isTouched(works: Works, record: CallRec | ResultRec): boolean {
  if (isCall(record)) return works.touched.has(record.token)
  const owner = [...works.pairs].find(([, result]) => result === record.token)?.[0]
  return owner === undefined || works.touched.has(owner)
}

/** The pairs of a clean history: each call with the result that stands under its id. */
function pairsOf(records: readonly Rec[]): Map<string, string | undefined> {
  const results = new Map(records.filter(isResult).map((result) => [result.id, result.token]))
  return new Map(records.filter(isCall).map((call) => [call.token, results.get(call.id)]))
}

export function worksOf(plan: Plan): Works {
  return {
    records: [...plan.records],
    pairs: pairsOf(plan.records),
    gone: new Set(),
    touched: new Set(),
    orderly: true,
    ordered: false,
    marked: false,
    toolTwice: false,
  }
}
