import fc from 'fast-check'
import type { Json } from '../../../src/model/session.ts'
import type { CallRec, Plan, Rec, ResultRec } from './plan.ts'

/** What must become of a damaged history. It is told by the damage that was done, never by how the library pairs. */
export interface Damaged {
  readonly plan: Plan
  /** For each call that is still there, by its token: the token of its result; undefined when it has none. */
  readonly pairs: ReadonlyMap<string, string | undefined>
  /** Tokens that may not be in a request: of results that belong to no call, or came a second time. */
  readonly gone: ReadonlySet<string>
  readonly done: readonly DamageKind[]
}

export interface Damage {
  readonly kind: DamageKind
  /** Which of the possible places, and how far. */
  readonly at: number
  readonly by: number
}

/** A history in the works. */
interface Works {
  records: Rec[]
  readonly pairs: Map<string, string | undefined>
  readonly gone: Set<string>
  /** Calls that were damaged in what pairs them: not to be touched again, so that the outcome stays certain. */
  readonly touched: Set<string>
  /** Every result still stands behind its call, in the order of the calls. */
  orderly: boolean
  /** A call without id relies on that order. */
  ordered: boolean
}

const isCall = (record: Rec): record is CallRec => record.kind === 'call'
const isResult = (record: Rec | undefined): record is ResultRec => record?.kind === 'result'
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)]

/** Calls whose pair is whole. */
function whole(works: Works): readonly CallRec[] {
  return works.records
    .filter(isCall)
    .filter((call) => !works.touched.has(call.token) && works.pairs.get(call.token) !== undefined)
}

function resultOf(works: Works, call: CallRec): ResultRec | undefined {
  const token = works.pairs.get(call.token)
  return works.records.filter(isResult).find((result) => result.token === token)
}

function replace(works: Works, from: Rec, ...to: readonly Rec[]): void {
  works.records = works.records.flatMap((record) => (record === from ? to : [record]))
}

function insert(works: Works, index: number, record: Rec): void {
  works.records = [...works.records.slice(0, index), record, ...works.records.slice(index)]
}

/** Takes a whole pair that was not touched yet. */
function taken(works: Works, at: number): { readonly call: CallRec; readonly result: ResultRec } | undefined {
  const call = pick(whole(works), at)
  const result = call && resultOf(works, call)
  if (call === undefined || result === undefined) return undefined
  works.touched.add(call.token)
  return { call, result }
}

type Do = (works: Works, at: number, by: number) => boolean

/** A damage that unsettles the order of results cannot come together with one that relies on it. */
const unsettling =
  (act: Do): Do =>
  (works, at, by) => {
    if (works.ordered) return false
    const done = act(works, at, by)
    if (done) works.orderly = false
    return done
  }

function reshape(works: Works, at: number, id: (old: string) => string): boolean {
  const pair = taken(works, at)
  if (pair === undefined) return false
  replace(works, pair.call, { ...pair.call, id: id(pair.call.id) })
  replace(works, pair.result, { ...pair.result, id: id(pair.result.id) })
  return true
}

function rewrite<K extends Rec['kind']>(kind: K, change: (record: Extract<Rec, { kind: K }>, by: number) => Rec): Do {
  return (works, at, by) => {
    const found = pick(
      works.records.filter((record) => record.kind === kind),
      at,
    )
    if (found === undefined) return false
    replace(works, found, change(found as Extract<Rec, { kind: K }>, by))
    return true
  }
}

const IDS: readonly ((old: string) => string)[] = [
  (old) => `${old}.x:y`,
  (old) => `${old}|fc_1`,
  (old) => `${old} \u00fc`,
  (old) => `${old}_${'k'.repeat(70)}`,
  (old) => `${'k'.repeat(70)}_${old}`,
]

const NAMES = ['', 'mcp.server/tool', 'n'.repeat(70), 'b\u00e4d', 'toString'] as const

const DAMAGES = {
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
  'arguments cut': rewrite('call', (call) => ({ ...call, argsText: `{"path":"${call.token}` })),
  'arguments of another type': rewrite('call', (call, by) => ({
    ...call,
    args: by % 2 === 0 ? [call.token] : call.token,
    argsText: undefined,
  })),
  'arguments too deep': rewrite('call', (call) => ({
    ...call,
    args: { path: call.token, deep: nested(300) },
    argsText: undefined,
  })),
  'results swapped': unsettling((works, at) => {
    const runs = works.records.flatMap((record, index) =>
      isResult(record) && isResult(works.records[index + 1]) ? [index] : [],
    )
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
  'blank user text': (works, at) => {
    insert(works, at % (works.records.length + 1), { kind: 'user', text: '' })
    return true
  },
  'blank answer': (works, at) => {
    insert(works, 1 + (at % works.records.length), { kind: 'text', text: ' \n' })
    return true
  },
  'text ill-formed': rewrite('user', (user, by) => ({
    ...user,
    text: `${user.text}${by % 2 === 0 ? '\ud800' : '\0'}`,
  })),
  'result ill-formed': rewrite('result', (result) => ({ ...result, text: `${result.text}\udc00` })),
  'result empty': (works, at) => {
    const pair = taken(works, at)
    if (pair === undefined) return false
    replace(works, pair.result, { ...pair.result, text: '', token: '' })
    works.pairs.set(pair.call.token, '')
    return true
  },
  'something odd': (works, at) => {
    insert(works, 1 + (at % works.records.length), { kind: 'odd' })
    return true
  },
  'instruction between': (works, at, by) => {
    insert(works, 1 + (at % works.records.length), { kind: 'instruction', text: `From now on w${at}_${by}x.` })
    return true
  },
  'media type wrong': rewrite('user', (user) => ({
    ...user,
    image: { mediaType: 'image/jpeg', base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ' },
  })),
  'media of no use': rewrite('user', (user) => ({
    ...user,
    image: { mediaType: 'image/svg+xml', base64: 'PHN2Zz48L3N2Zz4K' },
  })),
  'thinking alone': (works, at) => {
    insert(works, works.records.length, { kind: 'thinking', text: `Cut short h${at}x`, id: 'rs_cut' })
    return true
  },
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

export type DamageKind = keyof typeof DAMAGES
export const DAMAGE_KINDS = Object.keys(DAMAGES) as readonly DamageKind[]

function isTouched(works: Works, record: CallRec | ResultRec): boolean {
  if (isCall(record)) return works.touched.has(record.token)
  const owner = [...works.pairs].find(([, result]) => result === record.token)?.[0]
  return owner === undefined || works.touched.has(owner)
}

function forget(works: Works, result: ResultRec): void {
  for (const [call, token] of works.pairs) {
    if (token !== result.token) continue
    works.pairs.set(call, undefined)
    works.touched.add(call)
  }
}

function nested(depth: number): Json {
  let value: Json = 1
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

/** The pairs of a clean history: each call with the result that stands under its id. */
function pairsOf(records: readonly Rec[]): Map<string, string | undefined> {
  const results = new Map(records.filter(isResult).map((result) => [result.id, result.token]))
  return new Map(records.filter(isCall).map((call) => [call.token, results.get(call.id)]))
}

export function damaged(plan: Plan, damages: readonly Damage[]): Damaged {
  const works: Works = {
    records: [...plan.records],
    pairs: pairsOf(plan.records),
    gone: new Set(),
    touched: new Set(),
    orderly: true,
    ordered: false,
  }
  const done = damages.filter(({ kind, at, by }) => DAMAGES[kind](works, at, by)).map(({ kind }) => kind)
  return { plan: { ...plan, records: works.records }, pairs: works.pairs, gone: works.gone, done }
}

export function damages(kinds: readonly DamageKind[], most = 5): fc.Arbitrary<readonly Damage[]> {
  const one = fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat(1000), by: fc.nat(1000) })
  return fc.array(one, { minLength: 1, maxLength: most, size: 'max' })
}
