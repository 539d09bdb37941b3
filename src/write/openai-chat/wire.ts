/** Shapes of Chat Completions, as far as a history needs them; structural, so that no SDK is imported. */

export interface TextContent {
  type: 'text'
  text: string
}

export interface ImageContent {
  type: 'image_url'
  image_url: { url: string; detail?: 'auto' | 'low' | 'high' }
}

export interface AudioContent {
  type: 'input_audio'
  input_audio: { data: string; format: 'wav' | 'mp3' }
}

export interface FileContent {
  type: 'file'
  file: { file_data?: string; file_id?: string; filename?: string }
}

export interface RefusalContent {
  type: 'refusal'
  refusal: string
}

export type UserContent = TextContent | ImageContent | AudioContent | FileContent

export type ChatToolCall =
  | { id: string; type: 'function'; function: { name: string; arguments: string } }
  | { id: string; type: 'custom'; custom: { name: string; input: string } }

export interface ChatAssistantMessage {
  role: 'assistant'
  content?: string | (TextContent | RefusalContent)[] | null
  refusal?: string | null
  audio?: { id: string } | null
  /** Of servers other than OpenAI's. */
  reasoning_content?: string
  /** Of servers other than OpenAI's. */
  reasoning?: string
  /** Of servers other than OpenAI's. */
  reasoning_details?: unknown[]
  name?: string
  tool_calls?: ChatToolCall[]
}

export type ChatMessage =
  | { role: 'system' | 'developer'; content: string | TextContent[]; name?: string }
  | { role: 'user'; content: string | UserContent[]; name?: string }
  | ChatAssistantMessage
  | { role: 'tool'; content: string | TextContent[]; tool_call_id: string }

export type ChatTool =
  | {
      type: 'function'
      function: { name: string; description?: string; parameters?: { [key: string]: unknown }; strict?: boolean | null }
    }
  | { type: 'custom'; custom: { name: string; description?: string } }

/** Assignable to Pick<OpenAI.ChatCompletionCreateParams, 'messages' | 'tools'>. */
export interface OpenAIChatRequest {
  messages: ChatMessage[]
  tools?: ChatTool[]
}
