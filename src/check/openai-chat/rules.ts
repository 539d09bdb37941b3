/**
 * Every rule of chat completions by id, and the level from which it is raised. At `strict` alone: limits of the past, rules of
 * least tolerant servers, and reports that others contradict. `never`: what a body cannot show, and what is no rule.
 */
export const RULES = {
  // Tool-call pairing
  'tool-message-missing': 'live',
  'tool-message-orphan': 'live',
  'tool-message-id-unmatched': 'live',
  'tool-message-call-id-missing': 'live',
  'tool-message-duplicate': 'live',
  'tool-calls-empty': 'live',
  'tool-calls-too-many': 'live',
  /** One re-test of 2026-07 saw 51 characters accepted; `without` leaves the rule out. */
  'tool-call-id-too-long': 'live',
  'tool-call-id-missing': 'live',
  'tool-call-id-empty': 'live',
  'tool-call-arguments-not-string': 'live',
  /** OpenAI takes any text; MiniMax, Qwen, Mistral and chat templates want a JSON object. */
  'tool-call-arguments-json': 'strict',
  'tool-call-name-pattern': 'live',
  'tool-call-name-empty': 'live',
  'tool-call-name-too-long': 'live',
  'tool-call-custom': 'live',
  'tool-call-type-invalid': 'live',
  /** No pattern is known of OpenAI itself; other servers want these characters. */
  'tool-call-id-charset': 'strict',
  /** OpenAI takes an id again in another turn; Kimi and others want it once in a session. */
  'tool-call-id-reused': 'strict',
  // Content
  'content-null': 'live',
  /** OpenAI takes empty texts; servers in front of Anthropic, xAI, Kimi and Bedrock refuse them. */
  'content-empty-string': 'strict',
  'content-wrong-type': 'live',
  'content-array-empty': 'live',
  'content-part-type-missing': 'live',
  'content-part-type-invalid': 'live',
  'content-part-text-wrong-type': 'live',
  'image-role': 'live',
  'content-part-not-allowed-for-model': 'live',
  'image-model-unsupported': 'live',
  'image-bad-mime': 'live',
  'image-unsupported': 'live',
  'image-url-timeout': { never: 'Whether a URL answers in time is not in the body.' },
  'image-url-download': { never: 'How large the image behind a URL is, is not in the body.' },
  'file-part-empty': 'live',
  'file-part-mime': 'live',
  'file-id-mime': { never: 'The type of an uploaded file is not in the body.' },
  'content-too-long': 'live',
  'tool-content-parts': 'strict',
  'assistant-content-parts': 'live',
  // Roles, names, order
  'messages-empty': 'live',
  'messages-missing': 'live',
  'messages-wrong-type': 'live',
  'messages-too-many': 'strict',
  'role-invalid': 'live',
  'role-missing': 'live',
  'role-unsupported-by-model': 'live',
  'name-pattern': 'live',
  'name-too-long': 'live',
  'consecutive-roles': { never: 'No rule: any order of roles was accepted.' },
  'function-role-name': 'live',
  // Unknown fields, options, models, body
  'unknown-parameter': 'live',
  'unknown-message-field': 'strict',
  'tools-empty': 'live',
  'tools-too-many': 'live',
  'tool-parameters-invalid': 'live',
  'max-completion-tokens-min': 'live',
  'temperature-range': 'live',
  'tool-description-too-long': 'strict',
  'tool-choice-without-tools': 'live',
  'parallel-tool-calls-without-tools': 'live',
  'json-word-missing': 'live',
  'function-tools-with-reasoning': 'live',
  'max-tokens-unsupported': 'live',
  'temperature-unsupported': 'live',
  'web-search-options': 'live',
  'context-length-exceeded': { never: 'How many tokens a text has is not in the body.' },
  'body-not-json': 'live',
  'model-not-found': { never: 'Which models exist is not in the body.' },
  'invalid-request-2023': 'strict',
  // Faults of the same validator at places for which no refusal was reported, in its words for other places
  'missing-parameter': 'live',
  'invalid-type': 'live',
  'invalid-value': 'live',
  'invalid-length': 'live',
  'invalid-range': 'live',
} as const

export type ChatRule = keyof typeof RULES
