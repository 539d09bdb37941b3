/** The model: a session as plain readonly JSON. A call owns its outcome, so half a pair cannot be said. */

import type { FORMATS } from './formats.ts'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export type ApiId = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini' | 'bedrock' | 'mistral' | 'ollama'

/** The API ids stand for request bodies, response objects and bare message arrays of that API. */
export type FormatId = keyof typeof FORMATS

/** One opaque slot per API or format: read and written only by that API's or format's own code. */
export type Extra = { readonly [key in ApiId | FormatId]?: Json | undefined }

export interface Session {
  readonly version: 1
  readonly id?: string | undefined
  readonly title?: string | undefined
  readonly cwd?: string | undefined
  /** ISO 8601. */
  readonly createdAt?: string | undefined
  readonly source?: { readonly format: FormatId; readonly version?: string | undefined } | undefined
  /** A sub-agent's or fork's origin: the parent session and the call that started it. */
  readonly parent?: { readonly id?: string | undefined; readonly callId?: string | undefined } | undefined
  readonly agent?: string | undefined
  /** The system prompt. */
  readonly instructions?: readonly TextPart[] | undefined
  readonly tools?: readonly ToolDefinition[] | undefined
  readonly messages: readonly Message[]
  readonly extra?: Extra | undefined
}

export type Message = UserMessage | AssistantMessage | InstructionMessage

export interface UserMessage {
  readonly role: 'user'
  readonly parts: readonly UserPart[]
  /** `summary`: a compaction's summary; `injected`: put in by the harness, visible to the model. Default `prompt`. */
  readonly kind?: 'prompt' | 'summary' | 'injected' | undefined
  readonly id?: string | undefined
  /** ISO 8601. */
  readonly at?: string | undefined
  readonly extra?: Extra | undefined
}

export interface AssistantMessage {
  readonly role: 'assistant'
  readonly parts: readonly AssistantPart[]
  /** Who wrote it: decides whether signatures and ids may be replayed. */
  readonly by?: Author | undefined
  readonly stop?: StopReason | undefined
  readonly usage?: Usage | undefined
  readonly id?: string | undefined
  /** ISO 8601. */
  readonly at?: string | undefined
  readonly extra?: Extra | undefined
}

export interface Author {
  readonly provider?: string | undefined
  readonly api?: ApiId | undefined
  /** The server, where several speak one API. */
  readonly dialect?: string | undefined
  readonly model: string
}

export type StopReason = 'end' | 'tool-calls' | 'length' | 'refusal' | 'filtered' | 'paused' | 'aborted' | 'error'

/** A system or developer message in mid-conversation. */
export interface InstructionMessage {
  readonly role: 'instruction'
  readonly authority: 'system' | 'developer'
  readonly parts: readonly TextPart[]
  readonly id?: string | undefined
  /** ISO 8601. */
  readonly at?: string | undefined
  readonly extra?: Extra | undefined
}

export type UserPart = TextPart | MediaPart | NativePart
export type AssistantPart = TextPart | ReasoningPart | ToolCallEntry | MediaPart | NativePart
export type Part = UserPart | AssistantPart

export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly extra?: Extra | undefined
}

export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  /** The provider gave no readable text, only an opaque blob in `extra`. */
  readonly redacted?: boolean | undefined
  readonly extra?: Extra | undefined
}

export type MediaSource =
  | { readonly base64: string }
  | { readonly url: string }
  | { readonly text: string }
  | { readonly api: ApiId; readonly fileId: string }

export interface MediaPart {
  readonly type: 'media'
  readonly kind: 'image' | 'audio' | 'video' | 'file'
  /** IANA media type, such as `image/png`; may be '' for a URL or file id of unknown type. */
  readonly mediaType: string
  readonly source: MediaSource
  readonly name?: string | undefined
  readonly extra?: Extra | undefined
}

/**
 * A block that only one API knows: replayed as it is to that API, else its `text`, else left out and reported. Never half
 * of a pair, but for the late result block of a provider-run call.
 */
export interface NativePart {
  readonly type: 'native'
  readonly api: ApiId
  readonly dialect?: string | undefined
  readonly value: Json
  readonly text?: string | undefined
  readonly extra?: Extra | undefined
}

export interface JsonPart {
  readonly type: 'json'
  readonly value: Json
  readonly extra?: Extra | undefined
}

export interface ToolCallEntry {
  readonly type: 'tool-call'
  readonly id: string
  readonly name: string
  /** `custom` takes free text instead of a JSON object (then `args` is that string). Default `function`. */
  readonly kind?: 'function' | 'custom' | undefined
  /** Parsed arguments; the raw text (a string) when it is not JSON. */
  readonly args: Json
  /** The stored text, kept whenever the source stored text. */
  readonly argsText?: string | undefined
  /** `provider`: run by the API itself (server tool, hosted MCP); its raw blocks stand in `extra`. Default `client`. */
  readonly executor?: 'client' | 'provider' | undefined
  readonly state: ToolCallState
  /** Place of the result among the results of its turn, where that is not the call's own place. */
  readonly resultOrder?: number | undefined
  readonly extra?: Extra | undefined
}

export type ToolCallState =
  | { readonly status: 'completed'; readonly result: ToolOutput; readonly extra?: Extra | undefined }
  | {
      readonly status: 'failed'
      readonly error: ToolOutput
      /** Refused by the user or a policy, and not run. */
      readonly denied?: boolean | undefined
      readonly extra?: Extra | undefined
    }
  /** Outcome unknown: it may or may not have happened. `dispatched: false` = known never to have started. */
  | {
      readonly status: 'interrupted'
      readonly partial?: ToolOutput | undefined
      readonly dispatched?: boolean | undefined
      readonly reason?: string | undefined
      readonly extra?: Extra | undefined
    }
  /** A live call: waiting for approval (`approved` once answered, not yet run) or running. */
  | {
      readonly status: 'pending'
      readonly reason?: 'approval' | 'running' | undefined
      readonly approved?: boolean | undefined
      readonly extra?: Extra | undefined
    }

export type OutputPart = TextPart | MediaPart | JsonPart | NativePart
export type ToolOutput = string | readonly OutputPart[]

export interface ToolDefinition {
  readonly name: string
  readonly description?: string | undefined
  readonly kind?: 'function' | 'custom' | undefined
  /** JSON Schema. */
  readonly parameters?: Json | undefined
  readonly extra?: Extra | undefined
}

export interface Usage {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  readonly cacheReadTokens?: number | undefined
  readonly cacheWriteTokens?: number | undefined
  readonly reasoningTokens?: number | undefined
  readonly extra?: Extra | undefined
}

/**
 * What was touched. `info`: meaning unchanged; `repair`: something made up or moved to be acceptable; `loss`: content of
 * the session is not in the request.
 */
export interface Change {
  readonly code: ChangeCode
  readonly severity: Severity
  readonly message: string
  /** Indices into `session.messages` and its parts; 1-based line of the stored file. */
  readonly at: ChangePlace
  /** Previews of at most 200 characters. */
  readonly before?: string | undefined
  readonly after?: string | undefined
}

export type Severity = 'info' | 'repair' | 'loss'

export interface ChangePlace {
  readonly message?: number | undefined
  readonly part?: number | undefined
  readonly callId?: string | undefined
  readonly line?: number | undefined
}

export type { ChangeCode } from './change.ts'

import type { ChangeCode } from './change.ts'
