/** Shapes of the Messages API, as far as a history needs them; structural, so that no SDK is imported. */

export interface CacheControl {
  type: 'ephemeral'
  ttl?: '5m' | '1h'
}

export interface TextBlock {
  type: 'text'
  text: string
  cache_control?: CacheControl
  citations?: Citation[]
}

export type Citation =
  | {
      type: 'char_location'
      cited_text: string
      document_index: number
      document_title: string | null
      start_char_index: number
      end_char_index: number
    }
  | {
      type: 'page_location'
      cited_text: string
      document_index: number
      document_title: string | null
      start_page_number: number
      end_page_number: number
    }
  | {
      type: 'content_block_location'
      cited_text: string
      document_index: number
      document_title: string | null
      start_block_index: number
      end_block_index: number
    }
  | {
      type: 'search_result_location'
      cited_text: string
      search_result_index: number
      source: string
      title: string | null
      start_block_index: number
      end_block_index: number
    }
  | {
      type: 'web_search_result_location'
      cited_text: string
      encrypted_index: string
      title: string | null
      url: string
    }

export interface ImageBlock {
  type: 'image'
  source:
    | { type: 'base64'; media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'; data: string }
    | { type: 'url'; url: string }
    | { type: 'file'; file_id: string }
  cache_control?: CacheControl
}

export interface DocumentBlock {
  type: 'document'
  source:
    | { type: 'base64'; media_type: 'application/pdf'; data: string }
    | { type: 'text'; media_type: 'text/plain'; data: string }
    | { type: 'url'; url: string }
    | { type: 'file'; file_id: string }
  title?: string
  context?: string
  citations?: { enabled?: boolean }
  cache_control?: CacheControl
}

export interface SearchResultBlock {
  type: 'search_result'
  source: string
  title: string
  content: TextBlock[]
  cache_control?: CacheControl
}

export interface ToolReferenceBlock {
  type: 'tool_reference'
  tool_name: string
  cache_control?: CacheControl
}

export interface ThinkingBlock {
  type: 'thinking'
  thinking: string
  signature: string
}

export interface RedactedThinkingBlock {
  type: 'redacted_thinking'
  data: string
}

export interface ToolUseBlock {
  type: 'tool_use'
  id: string
  name: string
  input: { [key: string]: unknown }
  cache_control?: CacheControl
}

export interface ToolResultBlock {
  type: 'tool_result'
  tool_use_id: string
  content?: string | ResultContent[]
  is_error?: boolean
  cache_control?: CacheControl
}

export type ResultContent = TextBlock | ImageBlock | DocumentBlock | SearchResultBlock | ToolReferenceBlock

/** A server tool's call, as far as it is told apart; its result blocks are replayed as they came. */
export interface ServerToolUseBlock {
  type: 'server_tool_use'
  id: string
  name:
    | 'web_search'
    | 'web_fetch'
    | 'code_execution'
    | 'bash_code_execution'
    | 'text_editor_code_execution'
    | 'tool_search_tool_regex'
    | 'tool_search_tool_bm25'
  input: { [key: string]: unknown }
  cache_control?: CacheControl
}

export type AnthropicBlock =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | SearchResultBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | ServerToolUseBlock

export type AnthropicMessage =
  | { role: 'user' | 'assistant'; content: string | AnthropicBlock[] }
  | { role: 'system'; content: string | TextBlock[] }

export interface AnthropicTool {
  name: string
  description?: string
  input_schema: { type: 'object'; [key: string]: unknown }
  cache_control?: CacheControl
}

/** Assignable to Pick<Anthropic.MessageCreateParams, 'system' | 'messages' | 'tools'>. */
export interface AnthropicRequest {
  system?: string | TextBlock[]
  messages: AnthropicMessage[]
  tools?: AnthropicTool[]
}
