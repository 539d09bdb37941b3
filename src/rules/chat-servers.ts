import { own } from '../model/own.ts'

/** How a server that speaks Chat Completions takes the reasoning of its own earlier answers back. */
export interface ReasoningBack {
  /** The key of the message that holds readable reasoning. */
  readonly field: 'reasoning_content' | 'reasoning'
  /** `reasoning_details` go back as they came. They are signed for the model that answered. */
  readonly details: boolean
}

const CONTENT: ReasoningBack = { field: 'reasoning_content', details: false }
const PLAIN: ReasoningBack = { field: 'reasoning', details: false }
const DETAILS: ReasoningBack = { field: 'reasoning', details: true }

/**
 * By the dialect. A server without a row is given none: Mistral, Groq and Cerebras refuse keys that they do not know, and
 * OpenAI itself has no such key.
 * @see https://api-docs.deepseek.com/guides/thinking_mode
 * @see https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning-blocks
 */
const ROWS: { readonly [dialect: string]: ReasoningBack } = {
  // Recorded.
  deepseek: CONTENT,
  doubleword: CONTENT,
  llamacpp: CONTENT,
  openrouter: DETAILS,
  venice: CONTENT,
  // By their documentation, or by what they refuse when it is missing.
  cerebras: PLAIN,
  groq: PLAIN,
  kimi: CONTENT,
  moonshot: CONTENT,
  moonshotai: CONTENT,
  minimax: DETAILS,
  vllm: PLAIN,
  zai: CONTENT,
}

export function reasoningBack(dialect: string | undefined): ReasoningBack | undefined {
  return own(ROWS, dialect)
}
