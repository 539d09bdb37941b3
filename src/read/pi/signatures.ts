import { isObject, type JsonObject, parseOrText, stringAt } from '../../model/json.ts'
import type { ApiId, Extra, Json } from '../../model/session.ts'
import { slot } from '../slots.ts'

/** pi stores what an API signed as one text, whose meaning depends on the API. Undefined: the text is not of that meaning. */
type Meaning = (signature: string, redacted: boolean) => JsonObject | undefined
type Meanings = { readonly [api in ApiId]?: Meaning }

const OF_REASONING: Meanings = {
  anthropic: (signature, redacted) => (redacted ? { data: signature } : { signature }),
  'openai-responses': (signature) => {
    const item = parsed(signature)
    if (!isObject(item)) return undefined
    const { type: _type, ...fields } = item
    return { item: fields as JsonObject }
  },
  // The name of the key that held the text.
  'openai-chat': (signature) => (REASONING_KEYS.has(signature) ? { field: signature } : undefined),
  gemini: (signature) => ({ thoughtSignature: signature }),
  bedrock: (signature, redacted) => (redacted ? { redactedContent: signature } : { signature }),
}

const REASONING_KEYS: ReadonlySet<string> = new Set(['reasoning_content', 'reasoning', 'reasoning_text'])

const OF_TEXT: Meanings = {
  'openai-responses'(signature) {
    const stored = parsed(signature)
    // Before phases were stored, the id stood alone.
    if (!isObject(stored)) return signature.startsWith('msg') ? { item: { id: signature } } : undefined
    const [id, phase] = [stringAt(stored, 'id'), stringAt(stored, 'phase')]
    const item = { ...(id === undefined ? {} : { id }), ...(phase === undefined ? {} : { phase }) }
    return Object.keys(item).length === 0 ? undefined : { item }
  },
  gemini: (signature) => ({ thoughtSignature: signature }),
}

const OF_CALL: Meanings = { gemini: (signature) => ({ thoughtSignature: signature }) }

export interface Signed {
  readonly extra?: Extra
}

export const reasoningSlot = (api: ApiId | undefined, signature: unknown, redacted: boolean): Signed =>
  placed(OF_REASONING, api, { thinkingSignature: signature }, redacted)

export const textSlot = (api: ApiId | undefined, signature: unknown): Signed =>
  placed(OF_TEXT, api, { textSignature: signature })

export const callSlot = (api: ApiId | undefined, signature: unknown): Signed =>
  placed(OF_CALL, api, { thoughtSignature: signature })

/** In the slot of the API that made it; what means nothing there stays in pi's own. */
function placed(meanings: Meanings, api: ApiId | undefined, stored: Record<string, unknown>, redacted = false): Signed {
  const [key, signature] = Object.entries(stored)[0]!
  if (typeof signature !== 'string' || signature === '') return NOTHING
  const meant = api === undefined ? undefined : meanings[api]?.(signature, redacted)
  return api === undefined || meant === undefined ? slot('pi', { [key]: signature }) : slot(api, meant)
}

const NOTHING: Signed = {}

/** Reasoning that the completions API gave as a list of details: they belong to the message. */
export function reasoningDetails(api: ApiId | undefined, signature: unknown): readonly Json[] | undefined {
  if (api !== 'openai-chat' || typeof signature !== 'string' || !/^[[{]/.test(signature)) return undefined
  const details = parsed(signature)
  if (Array.isArray(details)) return details
  return isObject(details) ? [details as Json] : undefined
}

/** Undefined when it is no JSON of a bearable depth. */
function parsed(text: string): Json | undefined {
  if (!/^[[{]/.test(text)) return undefined
  const value = parseOrText(text)
  return typeof value === 'string' ? undefined : value
}
