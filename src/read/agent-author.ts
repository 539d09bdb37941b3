import { API_IDS } from '../model/formats.ts'
import type { ApiId, Author } from '../model/session.ts'
import type { StoredPart } from './assemble.ts'

/** Providers that speak one API only, by the ids that agents give them. */
const APIS: ReadonlyMap<string, ApiId> = new Map([
  ['anthropic', 'anthropic'],
  ['google-vertex-anthropic', 'anthropic'],
  ['google', 'gemini'],
  ['gemini', 'gemini'],
  ['amazon-bedrock', 'bedrock'],
  ['aws_bedrock', 'bedrock'],
  ['mistral', 'mistral'],
])

/** One provider under two ids. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([['google-vertex-anthropic', 'google-vertex']])

/**
 * Who wrote a message of an agent that knows providers by ids of its own. What stands in the slots of the parts proves
 * which API it was: many providers are reached through several.
 */
export function agentAuthor(
  provider: string | undefined,
  model: string | undefined,
  parts: readonly StoredPart[],
): Author | undefined {
  if (model === undefined || model === '') return undefined
  const api = provenApi(parts) ?? APIS.get(provider ?? '')
  const name = provider === undefined || provider === '' ? undefined : (PROVIDERS.get(provider) ?? provider)
  return { ...(name === undefined ? {} : { provider: name }), ...(api === undefined ? {} : { api }), model }
}

function provenApi(parts: readonly StoredPart[]): ApiId | undefined {
  for (const { extra } of parts) {
    if (extra === undefined) continue
    const api = API_IDS.find((id) => Object.hasOwn(extra, id))
    if (api !== undefined) return api
  }
  return undefined
}
