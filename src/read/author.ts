import type { ApiId, Author } from '../model/session.ts'
import type { ReadOptions } from './reader.ts'

const PROVIDERS: { readonly [api in ApiId]?: string } = {
  anthropic: 'anthropic',
  'openai-chat': 'openai',
  'openai-responses': 'openai',
}

/** Who wrote the assistant messages of a body: nobody known without a model. */
export function authorOf(
  api: ApiId,
  options: Pick<ReadOptions, 'dialect'>,
  model: string | undefined,
): Author | undefined {
  if (model === undefined) return undefined
  const { dialect } = options
  return dialect === undefined
    ? { provider: PROVIDERS[api] ?? api, api, model }
    : { provider: dialect, api, dialect, model }
}
