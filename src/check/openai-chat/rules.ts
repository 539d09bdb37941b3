import type { RuleTable } from '../openai/report.ts'

const LIVE = { from: 'live' } as const
const STRICT = { from: 'strict' } as const
const never = (why: string) => ({ from: 'never', why }) as const

/**
 * Every rule of chat completions by id, and the level from which it is raised. At `strict` alone: limits of the past, rules of
 * least tolerant servers, and reports that others contradict. `never`: what a body cannot show, and what is no rule.
 */
export const RULES = {
  // Tool-call pairing
  'tool-message-missing': LIVE,
  'tool-message-orphan': LIVE,
  'tool-message-id-unmatched': LIVE,
  'tool-message-call-id-missing': LIVE,
  'tool-message-duplicate': LIVE,
  'tool-calls-empty': LIVE,
  'tool-calls-too-many': LIVE,
  /** One re-test of 2026-07 saw 51 characters accepted; `without` leaves the rule out. */
  'tool-call-id-too-long': LIVE,
  'tool-call-id-missing': LIVE,
  'tool-call-id-empty': LIVE,
  'tool-call-arguments-not-string': LIVE,
  /** OpenAI takes any text; MiniMax, Qwen, Mistral and chat templates want a JSON object. */
  'tool-call-arguments-json': STRICT,
  'tool-call-name-pattern': LIVE,
  'tool-call-name-empty': LIVE,
  'tool-call-name-too-long': LIVE,
  'tool-call-custom': LIVE,
  'tool-call-type-invalid': LIVE,
  /** No pattern is known of OpenAI itself; other servers want these characters. */
  'tool-call-id-charset': STRICT,
  /** OpenAI takes an id again in another turn; Kimi and others want it once in a session. */
  'tool-call-id-reused': STRICT,
  // Content
  'content-null': LIVE,
  /** OpenAI takes empty texts; servers in front of Anthropic, xAI, Kimi and Bedrock refuse them. */
  'content-empty-string': STRICT,
  'content-wrong-type': LIVE,
  'content-array-empty': LIVE,
  'content-part-type-missing': LIVE,
  'content-part-type-invalid': LIVE,
  'content-part-text-wrong-type': LIVE,
  'image-role': LIVE,
  'content-part-not-allowed-for-model': LIVE,
  'image-model-unsupported': LIVE,
  'image-bad-mime': LIVE,
  'image-unsupported': LIVE,
  'image-url-timeout': never('Whether a URL answers in time is not in the body.'),
  'image-url-download': never('How large the image behind a URL is, is not in the body.'),
  'file-part-empty': LIVE,
  'file-part-mime': LIVE,
  'file-id-mime': never('The type of an uploaded file is not in the body.'),
  'content-too-long': LIVE,
  'tool-content-parts': STRICT,
  'assistant-content-parts': LIVE,
  // Roles, names, order
  'messages-empty': LIVE,
  'messages-missing': LIVE,
  'messages-wrong-type': LIVE,
  'messages-too-many': STRICT,
  'role-invalid': LIVE,
  'role-missing': LIVE,
  'role-unsupported-by-model': LIVE,
  'name-pattern': LIVE,
  'name-too-long': LIVE,
  'consecutive-roles': never('No rule: any order of roles was accepted.'),
  'function-role-name': LIVE,
  // Unknown fields, options, models, body
  'unknown-parameter': LIVE,
  'unknown-message-field': STRICT,
  'tools-empty': LIVE,
  'tools-too-many': LIVE,
  'tool-parameters-invalid': LIVE,
  'max-completion-tokens-min': LIVE,
  'temperature-range': LIVE,
  'tool-description-too-long': STRICT,
  'tool-choice-without-tools': LIVE,
  'parallel-tool-calls-without-tools': LIVE,
  'json-word-missing': LIVE,
  'function-tools-with-reasoning': LIVE,
  'max-tokens-unsupported': LIVE,
  'temperature-unsupported': LIVE,
  'web-search-options': LIVE,
  'context-length-exceeded': never('How many tokens a text has is not in the body.'),
  'body-not-json': LIVE,
  'model-not-found': never('Which models exist is not in the body.'),
  'invalid-request-2023': STRICT,
  // Faults of the same validator at places for which no refusal was reported, in its words for other places
  'missing-parameter': LIVE,
  'invalid-type': LIVE,
  'invalid-value': LIVE,
  'invalid-length': LIVE,
  'invalid-range': LIVE,
} as const satisfies RuleTable<string>

export type ChatRule = keyof typeof RULES
