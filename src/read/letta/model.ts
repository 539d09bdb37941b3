import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { ApiId } from '../../model/session.ts'

/** What an agent says of the model it asks. */
export interface ModelConfig {
  readonly provider: string | undefined
  readonly model: string | undefined
}

export function configOf(agent: Fields): ModelConfig {
  const config = valueAt(agent, 'llm_config')
  if (!isObject(config)) return { provider: undefined, model: stringAt(agent, 'model') }
  return {
    provider: stringAt(config, 'model_endpoint_type') ?? stringAt(config, 'provider_name'),
    model: stringAt(config, 'model'),
  }
}

const PROVIDERS: { readonly [provider: string]: { readonly provider: string; readonly api?: ApiId } } = {
  anthropic: { provider: 'anthropic', api: 'anthropic' },
  google_ai: { provider: 'google', api: 'gemini' },
  google_vertex: { provider: 'google-vertex', api: 'gemini' },
  bedrock: { provider: 'amazon-bedrock', api: 'anthropic' },
  openai: { provider: 'openai' },
}

/** Who wrote a message: it names its own model, the agent's provider holds for all. */
export function modelOf(message: Fields, config: ModelConfig): ModelConfig & { readonly api: ApiId | undefined } {
  const known = own(PROVIDERS, config.provider)
  return {
    provider: known?.provider ?? config.provider,
    api: known?.api,
    model: stringAt(message, 'model') ?? config.model,
  }
}
