import type { CheckOptions } from '../../../src/check/rule.ts'

/** One rule: a body that breaks it before any other, the words of the API, and a body beside it that passes. */
export interface Case {
  readonly rule: string
  readonly body: unknown
  readonly says: string
  readonly path?: string
  readonly options?: CheckOptions
  readonly passes: unknown
  /** Where the near miss is the same body under other options. */
  readonly passesWith?: CheckOptions
}

export const STRICT: CheckOptions = { level: 'strict' }
export const NO_BETAS: CheckOptions = { betas: [] }
export const BEDROCK: CheckOptions = { platform: 'bedrock' }
export const VERTEX: CheckOptions = { platform: 'vertex' }
