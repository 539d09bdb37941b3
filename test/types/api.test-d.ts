import type * as api from '../../src/index.ts'
import type { parseSession } from '../../src/model/schema.ts'
import { type Equal, type Has, holds, type Same, type Takes } from './shape.ts'

/**
 * The public names and their shapes. They may be added to; a change to what stands here is a breaking one. Compiled, never
 * run.
 */

// The model
holds<Same<api.Json, string | number | boolean | null | readonly api.Json[] | { readonly [key: string]: api.Json }>>()
holds<Same<api.ApiId, 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini' | 'bedrock' | 'mistral' | 'ollama'>>()
type Stored =
  | 'entries'
  | 'dirge'
  | 'zut'
  | 'oino'
  | 'pi'
  | 'opencode'
  | 'claude-code'
  | 'codex'
  | 'gemini-cli'
  | 'qwen-code'
  | 'cline'
  | 'roo'
  | 'continue'
  | 'goose'
  | 'crush'
  | 'ai-sdk'
  | 'langchain'
  | 'letta'
  | 'journal'
holds<Same<Extract<api.FormatId, api.ApiId | Stored>, api.ApiId | Stored>>()
holds<Same<api.Extra[api.ApiId], api.Json | undefined>>()
type Maybe<T> = T | undefined
holds<
  Has<
    api.Session,
    {
      readonly version: 1
      readonly id?: Maybe<string>
      readonly title?: Maybe<string>
      readonly cwd?: Maybe<string>
      readonly createdAt?: Maybe<string>
      readonly source?: Maybe<{ readonly format: api.FormatId; readonly version?: Maybe<string> }>
      readonly parent?: Maybe<{ readonly id?: Maybe<string>; readonly callId?: Maybe<string> }>
      readonly agent?: Maybe<string>
      readonly instructions?: Maybe<readonly api.TextPart[]>
      readonly tools?: Maybe<readonly api.ToolDefinition[]>
      readonly messages: readonly (api.UserMessage | api.AssistantMessage | api.InstructionMessage)[]
      readonly extra?: Maybe<api.Extra>
    }
  >
>()
type Common = { readonly id?: Maybe<string>; readonly at?: Maybe<string>; readonly extra?: Maybe<api.Extra> }
holds<
  Has<
    api.UserMessage,
    Common & {
      readonly role: 'user'
      readonly parts: readonly (api.TextPart | api.MediaPart | api.NativePart)[]
      readonly kind?: Maybe<'prompt' | 'summary' | 'injected'>
    }
  >
>()
holds<
  Has<
    api.AssistantMessage,
    Common & {
      readonly role: 'assistant'
      readonly parts: readonly (api.TextPart | api.ReasoningPart | api.ToolCallEntry | api.MediaPart | api.NativePart)[]
      readonly by?: Maybe<{
        readonly provider?: Maybe<string>
        readonly api?: Maybe<api.ApiId>
        readonly dialect?: Maybe<string>
        readonly model: string
      }>
      readonly stop?: Maybe<'end' | 'tool-calls' | 'length' | 'refusal' | 'filtered' | 'paused' | 'aborted' | 'error'>
      readonly usage?: Maybe<api.Usage>
    }
  >
>()
holds<
  Has<
    api.InstructionMessage,
    Common & {
      readonly role: 'instruction'
      readonly authority: 'system' | 'developer'
      readonly parts: readonly api.TextPart[]
    }
  >
>()
type Slot = { readonly extra?: Maybe<api.Extra> }
holds<Same<api.TextPart, Slot & { readonly type: 'text'; readonly text: string }>>()
holds<
  Same<
    api.ReasoningPart,
    Slot & { readonly type: 'reasoning'; readonly text: string; readonly redacted?: Maybe<boolean> }
  >
>()
holds<
  Same<
    api.MediaSource,
    | { readonly base64: string }
    | { readonly url: string }
    | { readonly text: string }
    | { readonly api: api.ApiId; readonly fileId: string }
  >
>()
holds<
  Same<
    api.MediaPart,
    Slot & {
      readonly type: 'media'
      readonly kind: 'image' | 'audio' | 'video' | 'file'
      readonly mediaType: string
      readonly source: api.MediaSource
      readonly name?: Maybe<string>
    }
  >
>()
holds<
  Same<
    api.NativePart,
    Slot & {
      readonly type: 'native'
      readonly api: api.ApiId
      readonly dialect?: Maybe<string>
      readonly value: api.Json
      readonly text?: Maybe<string>
    }
  >
>()
holds<Same<api.JsonPart, Slot & { readonly type: 'json'; readonly value: api.Json }>>()
holds<
  Same<
    api.ToolCallEntry,
    Slot & {
      readonly type: 'tool-call'
      readonly id: string
      readonly name: string
      readonly kind?: Maybe<'function' | 'custom'>
      readonly args: api.Json
      readonly argsText?: Maybe<string>
      readonly executor?: Maybe<'client' | 'provider'>
      readonly state: api.ToolCallState
      readonly resultOrder?: Maybe<number>
    }
  >
>()
holds<Same<api.ToolOutput, string | readonly (api.TextPart | api.MediaPart | api.JsonPart | api.NativePart)[]>>()
holds<
  Same<
    api.ToolCallState,
    | (Slot & { readonly status: 'completed'; readonly result: api.ToolOutput })
    | (Slot & { readonly status: 'failed'; readonly error: api.ToolOutput; readonly denied?: Maybe<boolean> })
    | (Slot & {
        readonly status: 'interrupted'
        readonly partial?: Maybe<api.ToolOutput>
        readonly dispatched?: Maybe<boolean>
        readonly reason?: Maybe<string>
      })
    | (Slot & {
        readonly status: 'pending'
        readonly reason?: Maybe<'approval' | 'running'>
        readonly approved?: Maybe<boolean>
      })
  >
>()
holds<
  Has<
    api.ToolDefinition,
    Slot & {
      readonly name: string
      readonly description?: Maybe<string>
      readonly kind?: Maybe<'function' | 'custom'>
      readonly parameters?: Maybe<api.Json>
    }
  >
>()
holds<
  Has<
    api.Usage,
    Slot & {
      readonly inputTokens?: Maybe<number>
      readonly outputTokens?: Maybe<number>
      readonly cacheReadTokens?: Maybe<number>
      readonly cacheWriteTokens?: Maybe<number>
      readonly reasoningTokens?: Maybe<number>
    }
  >
>()
holds<
  Has<
    api.Change,
    {
      readonly code: api.ChangeCode
      readonly severity: 'info' | 'repair' | 'loss'
      readonly message: string
      readonly at: {
        readonly message?: Maybe<number>
        readonly part?: Maybe<number>
        readonly callId?: Maybe<string>
        readonly line?: Maybe<number>
      }
      readonly before?: Maybe<string>
      readonly after?: Maybe<string>
    }
  >
>()

// Reading
type Source = string | Uint8Array | object
holds<Takes<typeof api.readSession, [Source, api.ReadOptions], api.ReadResult>>()
holds<Takes<typeof api.detectFormat, [Source], api.FormatId | undefined>>()
holds<Takes<typeof parseSession, [unknown], api.Session>>()
holds<
  Has<
    api.ReadOptions,
    {
      readonly format?: Maybe<api.FormatId>
      readonly dialect?: Maybe<string>
      readonly leaf?: Maybe<string>
      readonly history?: Maybe<'active' | 'full' | 'portable'>
      readonly maxBytes?: Maybe<number>
      readonly maxLineBytes?: Maybe<number>
    }
  >
>()
holds<
  Has<
    api.ReadResult['branches'][number],
    {
      readonly leaf: string
      readonly root: string
      readonly parent?: Maybe<string>
      readonly messages: number
      readonly preview: string
    }
  >
>()
holds<
  Has<
    api.ReadResult,
    { readonly session: api.Session; readonly format: api.FormatId; readonly changes: readonly api.Change[] }
  >
>()
type Builder = ReturnType<typeof api.sessionBuilder>
holds<Takes<typeof api.sessionBuilder, [Partial<api.Session>], object>>()
holds<Takes<Builder['user'], [string | readonly api.UserPart[], Partial<api.UserMessage>], void>>()
holds<Takes<Builder['assistant'], [string | readonly api.AssistantPart[], Partial<api.AssistantMessage>], void>>()
holds<Takes<Builder['instruction'], [string, 'system' | 'developer'], void>>()
holds<Takes<Builder['settle'], [string, api.ToolCallState, string], void>>()
holds<Takes<Builder['build'], [], { readonly session: api.Session; readonly changes: readonly api.Change[] }>>()
holds<
  Takes<
    typeof api.resolveSession,
    [
      api.Session,
      {
        call?(call: api.ToolCallEntry): Promise<api.ToolCallState | undefined>
        media?(media: api.MediaPart): Promise<api.MediaPart | undefined>
      },
    ],
    Promise<{ readonly session: api.Session; readonly changes: readonly api.Change[] }>
  >
>()

// Writing
holds<Same<api.Level, 'live' | 'strict'>>()
holds<
  Has<
    api.WriteOptions,
    {
      readonly model?: Maybe<string>
      readonly level?: Maybe<api.Level>
      readonly next?: Maybe<string | readonly api.UserPart[]>
      readonly instructions?: Maybe<string | readonly api.TextPart[]>
      readonly tools?: Maybe<readonly api.ToolDefinition[]>
      readonly reasoning?: Maybe<'replay' | 'text' | 'drop'>
      readonly media?: Maybe<'keep' | 'describe'>
      readonly cache?: Maybe<'keep' | 'drop' | 'auto'>
      readonly texts?: Maybe<Partial<api.ClosingTexts>>
      readonly onLoss?: Maybe<'report' | 'throw'>
    }
  >
>()
type Closing = (call: api.ToolCallEntry) => string
holds<Same<api.ClosingTexts, { interrupted: Closing; failed: Closing; pending: Closing }>>()
holds<
  Has<
    api.AnthropicOptions,
    { readonly platform?: Maybe<'anthropic' | 'bedrock' | 'vertex'>; readonly thinking?: Maybe<boolean> }
  >
>()
holds<Has<api.OpenAIChatOptions, { readonly platform?: Maybe<'openai' | 'azure'>; readonly dialect?: Maybe<string> }>>()
holds<
  Has<api.OpenAIResponsesOptions, { readonly platform?: Maybe<'openai' | 'azure'>; readonly store?: Maybe<boolean> }>
>()
type Origin = { readonly message: number; readonly part?: Maybe<number>; readonly callId?: Maybe<string> }
type Written<Request> = {
  readonly request: Request
  readonly changes: readonly api.Change[]
  origin(path: string): Origin | undefined
}
holds<Takes<typeof api.toAnthropic, [api.Session, api.AnthropicOptions], Written<api.AnthropicRequest>>>()
holds<Takes<typeof api.toOpenAIChat, [api.Session, api.OpenAIChatOptions], Written<api.OpenAIChatRequest>>>()
holds<
  Takes<typeof api.toOpenAIResponses, [api.Session, api.OpenAIResponsesOptions], Written<api.OpenAIResponsesRequest>>
>()
holds<Equal<api.RequestOf<'anthropic'>, api.AnthropicRequest>>()
holds<Equal<api.RequestOf<'openai-chat'>, api.OpenAIChatRequest>>()
holds<Equal<api.RequestOf<'openai-responses'>, api.OpenAIResponsesRequest>>()
holds<Equal<api.OptionsOf<'anthropic'>, api.AnthropicOptions>>()
holds<Equal<api.OptionsOf<'openai-chat'>, api.OpenAIChatOptions>>()
holds<Equal<api.OptionsOf<'openai-responses'>, api.OpenAIResponsesOptions>>()

declare const session: api.Session
declare const anthropicOptions: api.AnthropicOptions
type Converted = ReturnType<typeof converted>
const converted = (write: typeof api.convert) => write(session, 'anthropic', anthropicOptions)
holds<Same<Converted['request'], api.AnthropicRequest>>()
const repaired = (repair: typeof api.repairSession) => repair(session, 'anthropic', anthropicOptions)
holds<Has<ReturnType<typeof repaired>, { readonly session: api.Session; readonly changes: readonly api.Change[] }>>()
const opened = (open: typeof api.openThread) => open('openai-chat', { model: 'gpt-4o', start: session })
type Opened = ReturnType<typeof opened>
holds<Takes<Opened['push'], [api.Message], void>>()
holds<Takes<Opened['settle'], [string, api.ToolCallState], void>>()
holds<Takes<Opened['request'], [Pick<api.WriteOptions, 'next'>], Written<api.OpenAIChatRequest>>>()

holds<Has<api.ReadError, { readonly format?: api.FormatId; readonly line?: number; readonly path?: string }>>()
holds<Has<api.ConvertError, { readonly changes: readonly api.Change[] }>>()
holds<Takes<typeof api.ReadError.is, [unknown], boolean>>()
holds<Takes<typeof api.ConvertError.is, [unknown], boolean>>()
