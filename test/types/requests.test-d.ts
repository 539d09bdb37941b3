import type Anthropic from '@anthropic-ai/sdk'
import type OpenAI from 'openai'
import type { AnthropicRequest, OpenAIChatRequest, OpenAIResponsesRequest } from '../../src/index.ts'

/**
 * Our structural requests go into the official clients as they are. Compiled, never run: a request type that drifts from
 * what the SDKs take is a type error here.
 */
declare const anthropic: AnthropicRequest
declare const chat: OpenAIChatRequest
declare const responses: OpenAIResponsesRequest

anthropic satisfies Pick<Anthropic.MessageCreateParams, 'system' | 'messages' | 'tools'>
chat satisfies Pick<OpenAI.ChatCompletionCreateParams, 'messages' | 'tools'>
responses satisfies Pick<
  OpenAI.Responses.ResponseCreateParams,
  'instructions' | 'input' | 'tools' | 'store' | 'include'
>

/** The call of the README, spread and all. */
export const calls: readonly [
  Anthropic.MessageCreateParams,
  OpenAI.ChatCompletionCreateParams,
  OpenAI.Responses.ResponseCreateParams,
] = [
  { ...anthropic, model: 'claude-sonnet-4-5', max_tokens: 1024 },
  { ...chat, model: 'gpt-4o' },
  { ...responses, model: 'gpt-5' },
]
