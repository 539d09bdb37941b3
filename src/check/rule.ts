import type { ApiId } from '../model/session.ts'

/** `live`: what the API refuses today. `strict`: also historic behaviour, least tolerant models, contested reports. */
export type Level = 'live' | 'strict'

export interface CheckOptions {
  /** Default `live`. */
  readonly level?: Level | undefined
  /** Of Anthropic: 'anthropic' (default), 'bedrock', 'vertex'; of OpenAI: 'openai' (default), 'azure'. */
  readonly platform?: string | undefined
  /** The server, where several speak one API. */
  readonly dialect?: string | undefined
  /** Values of the `anthropic-beta` header, where they are known; unknown betas are taken as sent. */
  readonly betas?: readonly string[] | undefined
  /** Ids of rules to leave out; those of other APIs are not looked at. */
  readonly without?: readonly string[] | undefined
}

export interface Violation {
  /** Such as `anthropic/tool-result-missing`. */
  readonly rule: string
  /** HTTP status. */
  readonly status: number
  /** The vendor's error type. */
  readonly type: string
  readonly code: string | null
  readonly param: string | null
  /** The vendor's own words. */
  readonly message: string
  /** Place in the body, such as `messages.3.content.0` or `input[4]`, in the grammar of the API. */
  readonly path: string
}

/** Checks a whole request body; the first violation is what the API would answer. */
export interface Checker {
  readonly api: ApiId
  /** Every id that a violation can have, such as `anthropic/tool-result-missing`. */
  readonly rules: readonly string[]
  check(body: unknown, options: CheckOptions): readonly Violation[]
}
