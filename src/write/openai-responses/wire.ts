/** Shapes of the Responses API, as far as a history needs them; structural, so that no SDK is imported. */

export interface InputText {
  type: 'input_text'
  text: string
}

export interface InputImage {
  type: 'input_image'
  detail: 'low' | 'high' | 'auto' | 'original'
  image_url?: string
  file_id?: string
}

export interface InputFile {
  type: 'input_file'
  file_data?: string
  file_id?: string
  file_url?: string
  filename?: string
}

export type InputContent = InputText | InputImage | InputFile

export interface OutputText {
  type: 'output_text'
  text: string
  annotations: []
}

export interface OutputRefusal {
  type: 'refusal'
  refusal: string
}

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

/** The easy form: no id, and for assistants a plain text. */
export interface EasyMessage {
  type: 'message'
  role: 'user' | 'assistant' | 'system' | 'developer'
  content: string | InputContent[]
  phase?: 'commentary' | 'final_answer'
}

export interface OutputMessage {
  type: 'message'
  id: string
  role: 'assistant'
  status: ItemStatus
  content: (OutputText | OutputRefusal)[]
  phase?: 'commentary' | 'final_answer'
}

export interface FunctionCall {
  type: 'function_call'
  call_id: string
  name: string
  arguments: string
  id?: string
  status?: ItemStatus
  namespace?: string
}

export interface FunctionCallOutput {
  type: 'function_call_output'
  call_id: string
  output: string | InputContent[]
}

export interface CustomToolCall {
  type: 'custom_tool_call'
  call_id: string
  name: string
  input: string
  id?: string
}

export interface CustomToolCallOutput {
  type: 'custom_tool_call_output'
  call_id: string
  output: string | InputContent[]
}

export interface ReasoningItem {
  type: 'reasoning'
  id: string
  summary: { type: 'summary_text'; text: string }[]
  encrypted_content?: string | null
}

export type InputItem =
  | EasyMessage
  | OutputMessage
  | FunctionCall
  | FunctionCallOutput
  | CustomToolCall
  | CustomToolCallOutput
  | ReasoningItem

export type ResponsesTool =
  | {
      type: 'function'
      name: string
      description?: string
      parameters: { [key: string]: unknown } | null
      strict: boolean | null
    }
  | { type: 'custom'; name: string; description?: string }

/** Assignable to Pick<OpenAI.Responses.ResponseCreateParams, 'instructions' | 'input' | 'tools' | 'store' | 'include'>. */
export interface OpenAIResponsesRequest {
  instructions?: string
  input: InputItem[]
  tools?: ResponsesTool[]
  store?: boolean
  include?: 'reasoning.encrypted_content'[]
}
