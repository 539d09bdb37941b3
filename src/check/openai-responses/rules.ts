/**
 * Every rule of the Responses API by id, and the level from which it is raised. At `strict` alone: what types and other
 * servers want and the API was seen to let pass, and reports that others contradict. `never`: what a body cannot show, and
 * what is no rule.
 */
export const RULES = {
  // Call and output pairing
  'function-call-output-missing': 'live',
  'custom-tool-call-output-missing': 'live',
  'shell-call-output-missing': 'live',
  'local-shell-call-output-missing': 'live',
  'apply-patch-call-output-missing': 'live',
  'computer-call-output-missing': 'live',
  'function-call-output-orphan': 'live',
  'custom-tool-call-output-orphan': 'live',
  'other-output-orphan': 'live',
  'output-before-call': 'live',
  /** OpenAI takes anything between a call and its output; DeepSeek wants them adjacent. */
  'output-not-adjacent': 'strict',
  'duplicate-call-output': 'live',
  'call-id-missing': 'live',
  'call-id-empty': 'live',
  'call-id-too-long': 'live',
  /** No pattern is known of OpenAI itself; other servers want these characters. */
  'call-id-charset': 'strict',
  /** A call id used again once it is answered: no refusal by OpenAI was reported. */
  'call-id-reused': 'strict',
  /** A search that the client runs; whether the API wants its output was not reported. */
  'tool-search-output-missing': 'strict',
  // Item ids, references, storage
  'item-id-prefix': 'live',
  'item-id-charset': 'live',
  'item-id-too-long': 'live',
  'item-id-null': 'live',
  'item-id-missing': 'live',
  'duplicate-item-id': 'live',
  /** Raised when the caller says which items the server holds; so are the two below that speak of what it holds. */
  'item-not-found': 'live',
  'item-not-persisted': 'live',
  'previous-response-not-found': 'live',
  'previous-response-zdr': { never: 'What an organization retains is not in the body.' },
  'previous-response-and-conversation': 'live',
  'item-reference-type': { never: 'A shape, not a refusal: an object with only an id is a reference.' },
  // Reasoning
  'reasoning-following-item-missing': 'live',
  'item-reasoning-missing': 'live',
  /** By the schema; Codex is reported to leave the id out. */
  'reasoning-id-missing': 'strict',
  'reasoning-summary-missing': 'live',
  'reasoning-content-forbidden': 'live',
  'reasoning-status': 'live',
  'encrypted-content-invalid': { never: 'Only the API can decrypt the blob.' },
  'encrypted-content-unsupported': 'live',
  'reasoning-items-unsupported': 'live',
  // Item shape
  'input-empty': 'live',
  'input-wrong-type': 'live',
  'item-type-invalid': 'live',
  'role-invalid': 'live',
  'content-missing': 'live',
  /** An empty string was recorded to pass; an empty list was never seen. */
  'content-empty': 'strict',
  'content-part-type-assistant': 'live',
  'content-part-type-user': 'live',
  /** Messages with an id but without annotations were recorded to pass. */
  'output-message-shape': 'strict',
  'unknown-item-field': 'live',
  'missing-item-field': 'live',
  /** Fields that the types want and recorded requests leave out. */
  'typed-item-field': 'strict',
  /** Fields that the types allow and one report saw refused. */
  'contested-item-field': 'strict',
  'arguments-not-string': 'live',
  /** OpenAI takes any text, since its own models cut arguments; other servers want a JSON object. */
  'arguments-json': 'strict',
  'output-not-string': 'live',
  'output-part-type': 'live',
  'name-pattern': 'live',
  'name-too-long': 'live',
  'tool-name-missing': 'live',
  'tools-too-many': 'live',
  'namespace-missing': 'live',
  'web-search-action': 'live',
  'tool-search-description': 'live',
  'compaction-trigger-last': 'live',
  'program-roundtrip': 'live',
  'mcp-approval': 'live',
  'hosted-tool-replay': { never: 'No rule: calls that the API ran itself are accepted again.' },
  // Limits, media, text, model, envelope
  'string-too-long': 'live',
  'image-url-invalid': 'live',
  'image-bytes-invalid': 'live',
  'image-detail-missing': { never: 'No rule: the API has a default.' },
  'file-data-mime': 'live',
  'file-type-unsupported': { never: 'Which file types a model takes was not reported.' },
  'file-url-with-filename': 'live',
  'file-one-source': 'live',
  'context-length-exceeded': { never: 'How many tokens a text has is not in the body.' },
  'json-word-missing': 'live',
  'harmony-tokens': 'live',
  'max-output-tokens-min': 'live',
  'unknown-parameter': 'live',
  'model-not-found': { never: 'Which models exist is not in the body.' },
  'body-not-json': 'live',
  'nul-char': { never: 'No rule: no refusal of NUL was reported.' },
  // Faults of the same validator at places for which no refusal was reported, in its words for other places
  'invalid-type': 'live',
  'invalid-value': 'live',
  'invalid-length': 'live',
  'invalid-range': 'live',
} as const

export type ResponsesRule = keyof typeof RULES
