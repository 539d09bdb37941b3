import fc from 'fast-check'
import { CONTENT_DAMAGES } from './content-damages.ts'
import { PAIR_DAMAGES } from './pair-damages.ts'
import type { Plan } from './plan.ts'
import { worksOf } from './works.ts'

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

const DAMAGES = { ...PAIR_DAMAGES, ...CONTENT_DAMAGES } as const

export type DamageKind = keyof typeof DAMAGES

const DAMAGE_KINDS = Object.keys(DAMAGES) as readonly DamageKind[]

/**
 * A producer's closing text before a real result is known of transcripts alone: in a body the first result is the result. And a
 * line of a transcript that holds a result is never an answer.
 */
export function damageKinds(transcript: boolean): readonly DamageKind[] {
  const other: DamageKind = transcript ? 'result in the answer' : 'closed by the producer'
  return DAMAGE_KINDS.filter((kind) => kind !== other)
}

export function damaged(plan: Plan, damages: readonly Damage[]): Damaged {
  const works = worksOf(plan)
  const done = damages.filter(({ kind, at, by }) => DAMAGES[kind](works, at, by)).map(({ kind }) => kind)
  const { records, pairs, gone, marked, toolTwice } = works
  return { plan: { ...plan, records, marked, toolTwice }, pairs, gone, done }
}

export function damages(kinds: readonly DamageKind[], most = 5): fc.Arbitrary<readonly Damage[]> {
  const one = fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat(1000), by: fc.nat(1000) })
  return fc.array(one, { minLength: 1, maxLength: most, size: 'max' })
}
