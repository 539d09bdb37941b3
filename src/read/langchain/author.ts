import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { ApiId, Author, StopReason, Usage } from '../../model/session.ts'
import { STOPS } from '../anthropic/ending.ts'
import { type UsageTable, usageFrom } from '../usage.ts'

const PROVIDERS: { readonly [name: string]: { readonly provider: string; readonly api?: ApiId } } = {
  anthropic: { provider: 'anthropic', api: 'anthropic' },
  openai: { provider: 'openai' },
  azure: { provider: 'azure' },
  google_genai: { provider: 'google', api: 'gemini' },
  'google-genai': { provider: 'google', api: 'gemini' },
  google_vertexai: { provider: 'google-vertex', api: 'gemini' },
  'google-vertexai': { provider: 'google-vertex', api: 'gemini' },
  bedrock: { provider: 'amazon-bedrock', api: 'bedrock' },
  bedrock_converse: { provider: 'amazon-bedrock', api: 'bedrock' },
  mistralai: { provider: 'mistral', api: 'mistral' },
  ollama: { provider: 'ollama', api: 'ollama' },
  deepseek: { provider: 'deepseek', api: 'openai-chat' },
  groq: { provider: 'groq', api: 'openai-chat' },
  xai: { provider: 'xai', api: 'openai-chat' },
}

/** The API that answered: OpenAI has two, told apart by what the response says it is. */
export function apiOf(message: Fields): ApiId | undefined {
  const metadata = valueAt(message, 'response_metadata')
  const name = providerName(metadata)
  const known = own(PROVIDERS, name)?.api
  if (known !== undefined) return known
  if (isResponse(message)) return 'openai-responses'
  if (name === 'openai' || name === 'azure' || isCompletion(metadata)) return 'openai-chat'
  const model = modelOf(metadata) ?? ''
  return model.startsWith('claude') ? 'anthropic' : model.startsWith('gemini') ? 'gemini' : undefined
}

export function authorOf(message: Fields, api: ApiId | undefined): Author | undefined {
  const metadata = valueAt(message, 'response_metadata')
  const model = modelOf(metadata)
  if (model === undefined) return undefined
  const provider = own(PROVIDERS, providerName(metadata))?.provider ?? own(MAKERS, api ?? '')
  return { ...(provider === undefined ? {} : { provider }), ...(api === undefined ? {} : { api }), model }
}

const MAKERS: { readonly [api in ApiId]?: string } = { anthropic: 'anthropic', gemini: 'google' }

function providerName(metadata: unknown): string | undefined {
  return stringAt(metadata, 'model_provider') ?? stringAt(metadata, 'ls_provider')
}

function isResponse(message: Fields): boolean {
  const metadata = valueAt(message, 'response_metadata')
  if (stringAt(metadata, 'object') === 'response' || stringAt(metadata, 'id')?.startsWith('resp_') === true) return true
  return isObject(valueAt(valueAt(message, 'additional_kwargs'), '__openai_function_call_ids__'))
}

const isCompletion = (metadata: unknown): boolean =>
  stringAt(metadata, 'object')?.startsWith('chat.completion') === true ||
  stringAt(metadata, 'system_fingerprint') !== undefined

function modelOf(metadata: unknown): string | undefined {
  const keys = ['model_name', 'model', 'model_id', 'modelId', 'ls_model_name']
  const name = keys.map((key) => stringAt(metadata, key)).find((found) => found !== undefined && found !== '')
  return name === undefined ? undefined : once(name)
}

/** Chunks of a stream that each name the model are added up to its name twice. */
function once(name: string): string {
  const half = name.slice(0, name.length / 2)
  return half !== '' && name === half + half ? half : name
}

const FINISHED: { readonly [reason: string]: StopReason } = {
  ...STOPS,
  stop: 'end',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'filtered',
  STOP: 'end',
  MAX_TOKENS: 'length',
  SAFETY: 'filtered',
}

export function stopOf(message: Fields): StopReason | undefined {
  const metadata = valueAt(message, 'response_metadata')
  const keys = ['finish_reason', 'stop_reason', 'stopReason', 'finishReason']
  return keys.map((key) => own(FINISHED, stringAt(metadata, key))).find((found) => found !== undefined)
}

const USAGE: UsageTable = {
  inputTokens: ['input_tokens'],
  outputTokens: ['output_tokens'],
  cacheReadTokens: ['input_token_details', 'cache_read'],
  cacheWriteTokens: ['input_token_details', 'cache_creation'],
  reasoningTokens: ['output_token_details', 'reasoning'],
}

export function usageOf(message: Fields): Usage | undefined {
  const usage = usageFrom('langchain', valueAt(message, 'usage_metadata'), USAGE)
  if (usage === undefined) return undefined
  const { extra: _extra, ...counts } = usage
  return Object.keys(counts).length === 0 ? undefined : counts
}
