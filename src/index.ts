export { fromAnthropic } from './answer/anthropic.ts'
export { type CollectableApi, type Collector, collector } from './answer/collector.ts'
export { fromOpenAIChat } from './answer/openai-chat.ts'
export { fromOpenAIResponses } from './answer/openai-responses.ts'
export type { AnswerOptions } from './answer/options.ts'
export type { ChangeCode } from './model/change.ts'
export { CHANGES } from './model/change.ts'
export { ConvertError, ReadError } from './model/error.ts'
export type {
  ApiId,
  AssistantMessage,
  AssistantPart,
  Author,
  Change,
  ChangePlace,
  Extra,
  FormatId,
  InstructionMessage,
  Json,
  JsonPart,
  MediaPart,
  MediaSource,
  Message,
  NativePart,
  OutputPart,
  ReasoningPart,
  Session,
  Severity,
  StopReason,
  TextPart,
  ToolCallEntry,
  ToolCallState,
  ToolDefinition,
  ToolOutput,
  Usage,
  UserMessage,
  UserPart,
} from './model/session.ts'
export { sessionBuilder } from './read/builder.ts'
export { detectFormat, readSession } from './read/index.ts'
export type { Branch, ReadOptions, ReadResult } from './read/reader.ts'
export { resolveSession } from './read/resolve.ts'
export type {
  AnthropicOptions,
  ClosingTexts,
  Level,
  OpenAIChatOptions,
  OpenAIResponsesOptions,
  WriteOptions,
} from './rules/options.ts'
export { toAnthropic } from './write/anthropic/index.ts'
export type { AnthropicMessage, AnthropicRequest } from './write/anthropic/wire.ts'
export {
  convert,
  type OptionsOf,
  openThread,
  type RequestOf,
  repairSession,
  type Thread,
  type WritableApi,
} from './write/index.ts'
export { toOpenAIChat } from './write/openai-chat/index.ts'
export type { ChatMessage, OpenAIChatRequest } from './write/openai-chat/wire.ts'
export { toOpenAIResponses } from './write/openai-responses/index.ts'
export type { InputItem, OpenAIResponsesRequest } from './write/openai-responses/wire.ts'
export type { Written } from './write/thread.ts'
export type { Origin } from './write/writer.ts'
