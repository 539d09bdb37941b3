/** One place of the source changed so that a test should notice. */
export interface Mutant {
  readonly group: Group
  /** Unique, and the same as long as the place is there. */
  readonly name: string
  readonly edits: readonly Edit[]
  /** Test files that should notice, by stages: a stage runs when the ones before it have stayed green. */
  readonly stages: readonly Stage[]
}

export const GROUPS = ['repair', 'check', 'changes'] as const
export type Group = (typeof GROUPS)[number]

export type Stage = readonly string[]

/** `was` at `at` becomes `is`, in the text of a file as it stands in the folder. */
export interface Edit {
  readonly file: string
  readonly at: number
  readonly was: string
  readonly is: string
}

export type Outcome =
  | { readonly kind: 'killed'; readonly by: string }
  | { readonly kind: 'survived' }
  /** The tests could not say: a file did not load, or none ran. */
  | { readonly kind: 'broken'; readonly why: string }

/** What is asked of a worker: without edits the tests must be green. */
export interface Task {
  readonly edits: readonly Edit[]
  readonly stages: readonly Stage[]
}
