import type Anthropic from '@anthropic-ai/sdk'
import type OpenAI from 'openai'

/** The vendors' own types of request bodies, from which the schemas are made. */
export type AnthropicBody = Anthropic.MessageCreateParamsNonStreaming
export type ChatBody = OpenAI.ChatCompletionCreateParamsNonStreaming
export type ResponsesBody = OpenAI.Responses.ResponseCreateParamsNonStreaming
