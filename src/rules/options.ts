import type { TextPart, ToolCallEntry, ToolDefinition, UserPart } from '../model/session.ts'

/** `live`: what the API refuses today. `strict`: also what it refused earlier, on its least tolerant models, or in contested reports. */
export type Level = 'live' | 'strict'

export interface WriteOptions {
  /** Target model. Absent or unknown: the strictest row. */
  readonly model?: string | undefined
  /** Default `strict`. */
  readonly level?: Level | undefined
  /** The coming user turn, placed as the API wants it (behind the results). */
  readonly next?: string | readonly UserPart[] | undefined
  /** Default `keep`; a text replaces the stored system prompt. */
  readonly instructions?: 'keep' | 'drop' | (string & {}) | readonly TextPart[] | undefined
  /** Absent: `session.tools`; absent too and demanded by the API: stubs named from the history, reported. */
  readonly tools?: readonly ToolDefinition[] | undefined
  /** Default `replay`: only where API, provider, model and prefix allow it, else left out and reported. */
  readonly reasoning?: 'replay' | 'text' | 'drop' | undefined
  /** Default `keep`; `describe` writes a note in place of all media. */
  readonly media?: 'keep' | 'describe' | undefined
  /** Cache markers. `auto` places at most what the API allows. Default `keep`. */
  readonly cache?: 'keep' | 'drop' | 'auto' | undefined
  readonly texts?: Partial<ClosingTexts> | undefined
  /** `throw`: ConvertError carrying `changes` instead of any change of severity `loss`. Default `report`. */
  readonly onLoss?: 'report' | 'throw' | undefined
}

/** What stands in the place of a result that a call does not have. */
export interface ClosingTexts {
  interrupted(call: ToolCallEntry): string
  failed(call: ToolCallEntry): string
  pending(call: ToolCallEntry): string
}

export interface AnthropicOptions extends WriteOptions {
  readonly platform?: 'anthropic' | 'bedrock' | 'vertex' | undefined
  /** Whether the coming request turns thinking on. */
  readonly thinking?: boolean | undefined
}

export interface OpenAIChatOptions extends WriteOptions {
  readonly platform?: 'openai' | 'azure' | undefined
  readonly dialect?: string | undefined
}

export interface OpenAIResponsesOptions extends WriteOptions {
  readonly platform?: 'openai' | 'azure' | undefined
  /** Default false. */
  readonly store?: boolean | undefined
}
