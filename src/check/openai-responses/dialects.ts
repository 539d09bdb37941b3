import type { Dialect } from '../openai/report.ts'

/** What concerns OpenAI's own parameters and models says nothing about another server. */
const OPENAI_ONLY = ['harmony-tokens', 'max-output-tokens-min', 'unknown-parameter'] as const

/**
 * What other servers were recorded to accept. `other` stands for servers without a row; a server's own further rules are not
 * checked here.
 */
export const DIALECTS: { readonly [server: string]: Dialect } = {
  other: { always: OPENAI_ONLY },
  /** Items carry opaque ids of its own, of more than 400 characters. */
  copilot: { always: OPENAI_ONLY, live: ['item-id-prefix', 'item-id-too-long', 'item-id-charset'] },
  /** Replays the plain reasoning of local models. */
  llamacpp: { always: OPENAI_ONLY, live: ['reasoning-content-forbidden'] },
  openrouter: { always: OPENAI_ONLY, live: ['item-not-persisted'] },
  /** Takes its reasoning without the encrypted form. */
  xai: { always: OPENAI_ONLY, live: ['item-not-persisted'] },
}
