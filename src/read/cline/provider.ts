import type { ApiId, Author } from '../../model/session.ts'

/** By the ids that these tools give providers; routers speak chat completions. */
const APIS: ReadonlyMap<string, ApiId> = new Map([
  ['anthropic', 'anthropic'],
  ['claude-code', 'anthropic'],
  ['bedrock', 'bedrock'],
  ['gemini', 'gemini'],
  ['openai-native', 'openai-responses'],
  ['openai-codex', 'openai-responses'],
  ['mistral', 'mistral'],
  ['ollama', 'ollama'],
  ['openrouter', 'openai-chat'],
  ['cline', 'openai-chat'],
  ['roo', 'openai-chat'],
  ['kilocode', 'openai-chat'],
  ['openai', 'openai-chat'],
  ['deepseek', 'openai-chat'],
  ['litellm', 'openai-chat'],
  ['requesty', 'openai-chat'],
  ['lmstudio', 'openai-chat'],
])

const NAMES: ReadonlyMap<string, string> = new Map([
  ['openai-native', 'openai'],
  ['openai-codex', 'openai'],
  ['claude-code', 'anthropic'],
])

/** Google's cloud serves models of two makers. */
export function apiOf(provider: string | undefined, model: string | undefined): ApiId | undefined {
  if (provider === 'vertex') return model?.includes('claude') === true ? 'anthropic' : 'gemini'
  return APIS.get(provider ?? '')
}

export function authorOf(
  provider: string | undefined,
  model: string | undefined,
  api: ApiId | undefined,
): Author | undefined {
  if (model === undefined || model === '') return undefined
  const named = provider === undefined || provider === '' ? {} : { provider: NAMES.get(provider) ?? provider }
  return { ...named, ...(api === undefined ? {} : { api }), model }
}
