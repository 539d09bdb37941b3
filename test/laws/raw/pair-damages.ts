import type { CallRec, Rec, ResultRec } from './plan.ts'
import {
  type Do,
  insert,
  isCall,
  isResult,
  isTouched,
  pick,
  replace,
  reshape,
  resultOf,
  taken,
  unsettling,
  type Works,
  whole,
} from './works.ts'

const IDS: readonly ((old: string) => string)[] = [
  (old) => `${old}.x:y`,
  (old) => `${old}|fc_1`,
  (old) => `${old} \u00fc`,
  (old) => `${old}_${'k'.repeat(70)}`,
  (old) => `${'k'.repeat(70)}_${old}`,
]

const NAMES = ['', 'mcp.server/tool', 'n'.repeat(70), 'b\u00e4d', 'toString'] as const

/** What parts calls from results, or makes them hard to tell. */
export const PAIR_DAMAGES = {
  'result dropped': unsettling((works, at) => {
    const pair = taken(works, at)
    if (pair === undefined) return false
    replace(works, pair.result)
    works.pairs.set(pair.call.token, undefined)
    return true
  }),
  'result twice': unsettling((works, at, by) => {
    const pair = taken(works, at)
    if (pair === undefined) return false
    const token = `${pair.result.token}again`
    const index = works.records.indexOf(pair.result)
    insert(works, index + 1 + (by % (works.records.length - index)), {
      ...pair.result,
      token,
      text: `Second ${token}.`,
    })
    works.gone.add(`Second ${token}`)
    return true
  }),
  'result moved': unsettling((works, at, by) => {
    const pair = taken(works, at)
    if (pair === undefined) return false
    const index = works.records.indexOf(pair.result)
    replace(works, pair.result)
    insert(works, index + (by % (works.records.length - index + 1)), pair.result)
    return true
  }),
  'call dropped': unsettling((works, at) => {
    const pair = taken(works, at)
    if (pair === undefined) return false
    replace(works, pair.call)
    works.pairs.delete(pair.call.token)
    works.gone.add(pair.result.token)
    return true
  }),
  'id used again': (works, at, by) => {
    const first = taken(works, at)
    if (first === undefined) return false
    const end = works.records.indexOf(first.result)
    const later = whole(works).filter((call) => works.records.indexOf(call) > end)
    const second = pick(later, by)
    const result = second && resultOf(works, second)
    if (second === undefined || result === undefined || works.records.indexOf(result) < works.records.indexOf(second))
      return false
    works.touched.add(second.token)
    replace(works, second, { ...second, id: first.call.id })
    replace(works, result, { ...result, id: first.call.id })
    return true
  },
  'id empty': (works, at) => {
    if (!works.orderly || works.ordered) return false
    works.ordered = reshape(works, at, () => '')
    return works.ordered
  },
  'id foreign': (works, at, by) => reshape(works, at, pick(IDS, by)!),
  'name odd': (works, at, by) => {
    const pair = taken(works, at)
    if (pair === undefined) return false
    const name = pick(NAMES, by)!
    replace(works, pair.call, { ...pair.call, name })
    replace(works, pair.result, { ...pair.result, name })
    return true
  },
  'results swapped': unsettling((works, at) => {
    const runs = works.records.flatMap((record, index) => (areTwo(record, works.records[index + 1]) ? [index] : []))
    const index = pick(runs, at)
    if (index === undefined) return false
    const [first, second] = [works.records[index]!, works.records[index + 1]!]
    works.records = works.records.with(index, second).with(index + 1, first)
    return true
  }),
  'text before results': (works, at, by) => {
    const index = works.records.indexOf(pick(works.records.filter(isResult), at)!)
    if (index < 0) return false
    insert(works, index, { kind: 'user', text: `By the way, w${index}_${by}x.` })
    return true
  },
  'text behind calls': (works, at, by) => {
    const index = works.records.indexOf(pick(works.records.filter(isCall), at)!)
    if (index < 0) return false
    insert(works, index + 1, { kind: 'text', text: `Also w${index}_${by}x.` })
    return true
  },
  'result empty': (works, at) => {
    const pair = taken(works, at)
    if (pair === undefined) return false
    replace(works, pair.result, { ...pair.result, text: '', token: '' })
    works.pairs.set(pair.call.token, '')
    return true
  },
  'legacy function call': (works, at) => {
    if (!works.orderly || works.ordered) return false
    const pair = taken(works, at)
    if (pair === undefined || !isAlone(works, pair.call)) return false
    replace(works, pair.call, { ...pair.call, legacy: true })
    replace(works, pair.result, { ...pair.result, legacy: true })
    works.ordered = true
    return true
  },
  'result in the answer': unsettling((works, at) => {
    const pair = taken(works, at)
    if (pair === undefined) return false
    replace(works, pair.result, { ...pair.result, astray: true })
    return true
  }),
  'closed by the producer': (works, at) => {
    const pair = taken(works, at)
    if (pair === undefined) return false
    const closer = '[Request interrupted by user for tool use]'
    insert(works, works.records.indexOf(pair.result), { ...pair.result, text: closer, token: '', failed: true })
    return true
  },
  'beginning cut': unsettling((works, at) => {
    const start = Math.min(works.records.length - 1, 1 + (at % 4))
    const lost = works.records.slice(0, start)
    if (lost.some((record) => (isCall(record) || isResult(record)) && isTouched(works, record))) return false
    works.records = works.records.slice(start)
    for (const record of lost) {
      if (!isCall(record)) continue
      const result = works.pairs.get(record.token)
      works.pairs.delete(record.token)
      if (result !== undefined) works.gone.add(result)
    }
    return true
  }),
  'end cut': unsettling((works, at) => {
    const end = 1 + (at % works.records.length)
    const lost = works.records.slice(end)
    // What was damaged before stays certain.
    if (lost.some((record) => (isCall(record) || isResult(record)) && isTouched(works, record))) return false
    works.records = works.records.slice(0, end)
    for (const record of lost) if (isResult(record)) forget(works, record)
    for (const record of lost) if (isCall(record)) works.pairs.delete(record.token)
    return true
  }),
} as const satisfies { readonly [kind: string]: Do }

/** Whether no other call stands in its message. */
function isAlone(works: Works, call: CallRec): boolean {
  const index = works.records.indexOf(call)
  return !isCall(works.records[index - 1]) && !isCall(works.records[index + 1])
}

function forget(works: Works, result: ResultRec): void {
  for (const [call, token] of works.pairs) {
    if (token !== result.token) continue
    works.pairs.set(call, undefined)
    works.touched.add(call)
  }
}

/** Two results of different calls, side by side. */
function areTwo(one: Rec, other: Rec | undefined): boolean {
  return isResult(one) && isResult(other) && one.id !== other.id
}
