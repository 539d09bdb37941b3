import type { Entry } from './body.ts'

/** How many entries, and how many blocks of one, a `detect` looks at: a first one alone fools. */
export const SAMPLE = 50

/** How sure readers of bodies are. Readers of stored formats, whose envelopes leave no doubt, go above. */
export const SURE = 0.9
export const LIKELY = 0.5
export const MIXED = 0.3
/** Nothing speaks against it, and nothing but a habit for it. */
export const GUESS = 0.2

/** What one entry or one field says: it is of this API alone, of another one, of several, or of none. */
export type Sign = 'own' | 'foreign' | 'shared' | 'none'

export interface Evidence {
  readonly own: number
  readonly foreign: number
  readonly shared: number
}

export function evidence(list: readonly Entry[], sign: (value: unknown) => Sign): Evidence {
  const count = { own: 0, foreign: 0, shared: 0, none: 0 }
  for (const { value } of list.slice(0, SAMPLE)) count[sign(value)]++
  return count
}
