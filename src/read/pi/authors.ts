import { type Fields, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { ApiId, Author } from '../../model/session.ts'

/** pi's names of APIs, of all versions. */
const APIS: { readonly [api: string]: ApiId } = {
  'anthropic-messages': 'anthropic',
  'openai-completions': 'openai-chat',
  'openai-responses': 'openai-responses',
  'openai-codex-responses': 'openai-responses',
  'azure-openai-responses': 'openai-responses',
  'google-generative-ai': 'gemini',
  'google-vertex': 'gemini',
  'google-gemini-cli': 'gemini',
  'bedrock-converse-stream': 'bedrock',
  'mistral-conversations': 'mistral',
}

/** Providers that were renamed. */
const PROVIDERS: { readonly [provider: string]: string } = { 'azure-openai-responses': 'azure' }

/** Most messages of a session are of one author, who is made once. */
export class Authors {
  #last: Fields | undefined
  #author: Author | undefined

  of(message: Fields): Author | undefined {
    const last = this.#last
    const isSame =
      last !== undefined &&
      last.model === message.model &&
      last.provider === message.provider &&
      last.api === message.api
    if (!isSame) this.#author = authorOf(message)
    this.#last = message
    return this.#author
  }
}

/** Who wrote an assistant message, by the model that was asked for: relays may report another one. */
function authorOf(message: Fields): Author | undefined {
  const model = stringAt(message, 'model')
  if (model === undefined) return undefined
  const provider = stringAt(message, 'provider')
  const api = own(APIS, message.api)
  return {
    ...(provider === undefined ? {} : { provider: own(PROVIDERS, provider) ?? provider }),
    ...(api === undefined ? {} : { api }),
    model,
  }
}

/** The API that wrote a message also where its model is not stored. */
export const apiOf = (message: Fields): ApiId | undefined => own(APIS, message.api)
