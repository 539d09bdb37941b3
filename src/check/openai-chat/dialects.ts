import type { Dialect } from '../openai/report.ts'

/** Message keys of other servers: thinking in its several spellings, Mistral's and Kimi's prefill, the index of a streamed call. */
export const VENDOR_FIELDS: ReadonlySet<string> = new Set([
  'index',
  'partial',
  'prefix',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'thinking',
])

/** What concerns OpenAI's own parameters, parts and models says nothing about another server. */
const OPENAI_ONLY = [
  'content-part-not-allowed-for-model',
  'content-part-type-invalid',
  'max-completion-tokens-min',
  'unknown-parameter',
] as const

/**
 * What other servers were recorded to accept. `other` stands for servers without a row; a server's own further rules are not
 * checked here.
 */
export const DIALECTS: { readonly [server: string]: Dialect } = {
  other: { always: OPENAI_ONLY },
  /** Images and audio may be strings instead of objects. */
  mistral: { always: [...OPENAI_ONLY, 'invalid-type'], live: ['tool-calls-empty'] },
  openrouter: { always: OPENAI_ONLY, live: ['tool-call-id-too-long'] },
}
