import type { RuleTable } from '../openai/report.ts'

const LIVE = { from: 'live' } as const
const STRICT = { from: 'strict' } as const
const never = (why: string) => ({ from: 'never', why }) as const

/**
 * Every rule of the Responses API by id, and the level from which it is raised. At `strict` alone: what types and other
 * servers want and the API was seen to let pass, and reports that others contradict. `known` in `why`: raised when the caller
 * says which items the server holds. `never`: what a body cannot show, and what is no rule.
 */
export const RULES = {
  // Call and output pairing
  'function-call-output-missing': LIVE,
  'custom-tool-call-output-missing': LIVE,
  'shell-call-output-missing': LIVE,
  'local-shell-call-output-missing': LIVE,
  'apply-patch-call-output-missing': LIVE,
  'computer-call-output-missing': LIVE,
  'function-call-output-orphan': LIVE,
  'custom-tool-call-output-orphan': LIVE,
  'other-output-orphan': LIVE,
  'output-before-call': LIVE,
  /** OpenAI takes anything between a call and its output; DeepSeek wants them adjacent. */
  'output-not-adjacent': STRICT,
  'duplicate-call-output': LIVE,
  'call-id-missing': LIVE,
  'call-id-empty': LIVE,
  'call-id-too-long': LIVE,
  /** No pattern is known of OpenAI itself; other servers want these characters. */
  'call-id-charset': STRICT,
  /** A call id used again once it is answered: no refusal by OpenAI was reported. */
  'call-id-reused': STRICT,
  /** A search that the client runs; whether the API wants its output was not reported. */
  'tool-search-output-missing': STRICT,
  // Item ids, references, storage
  'item-id-prefix': LIVE,
  'item-id-charset': LIVE,
  'item-id-too-long': LIVE,
  'item-id-null': LIVE,
  'item-id-missing': LIVE,
  'duplicate-item-id': LIVE,
  'item-not-found': { from: 'live', why: 'Raised when the known items are given.' },
  'item-not-persisted': LIVE,
  'previous-response-not-found': { from: 'live', why: 'Raised when the known responses are given.' },
  'previous-response-zdr': never('What an organization retains is not in the body.'),
  'previous-response-and-conversation': LIVE,
  'item-reference-type': never('A shape, not a refusal: an object with only an id is a reference.'),
  // Reasoning
  'reasoning-following-item-missing': LIVE,
  'item-reasoning-missing': { from: 'live', why: 'Raised when the known items are given.' },
  /** By the schema; Codex is reported to leave the id out. */
  'reasoning-id-missing': STRICT,
  'reasoning-summary-missing': LIVE,
  'reasoning-content-forbidden': LIVE,
  'reasoning-status': LIVE,
  'encrypted-content-invalid': never('Only the API can decrypt the blob.'),
  'encrypted-content-unsupported': LIVE,
  'reasoning-items-unsupported': LIVE,
  // Item shape
  'input-empty': LIVE,
  'input-wrong-type': LIVE,
  'item-type-invalid': LIVE,
  'role-invalid': LIVE,
  'content-missing': LIVE,
  /** An empty string was recorded to pass; an empty list was never seen. */
  'content-empty': STRICT,
  'content-part-type-assistant': LIVE,
  'content-part-type-user': LIVE,
  /** Messages with an id but without annotations were recorded to pass. */
  'output-message-shape': STRICT,
  'unknown-item-field': LIVE,
  'missing-item-field': LIVE,
  /** Fields that the types want and recorded requests leave out. */
  'typed-item-field': STRICT,
  /** Fields that the types allow and one report saw refused. */
  'contested-item-field': STRICT,
  'arguments-not-string': LIVE,
  /** OpenAI takes any text, since its own models cut arguments; other servers want a JSON object. */
  'arguments-json': STRICT,
  'output-not-string': LIVE,
  'output-part-type': LIVE,
  'name-pattern': LIVE,
  'name-too-long': LIVE,
  'tool-name-missing': LIVE,
  'tools-too-many': LIVE,
  'namespace-missing': LIVE,
  'web-search-action': LIVE,
  'tool-search-description': LIVE,
  'compaction-trigger-last': LIVE,
  'program-roundtrip': LIVE,
  'mcp-approval': LIVE,
  'hosted-tool-replay': never('No rule: calls that the API ran itself are accepted again.'),
  // Limits, media, text, model, envelope
  'string-too-long': LIVE,
  'image-url-invalid': LIVE,
  'image-bytes-invalid': LIVE,
  'image-detail-missing': never('No rule: the API has a default.'),
  'file-data-mime': LIVE,
  'file-type-unsupported': never('Which file types a model takes was not reported.'),
  'file-url-with-filename': LIVE,
  'file-one-source': LIVE,
  'context-length-exceeded': never('How many tokens a text has is not in the body.'),
  'json-word-missing': LIVE,
  'harmony-tokens': LIVE,
  'max-output-tokens-min': LIVE,
  'unknown-parameter': LIVE,
  'model-not-found': never('Which models exist is not in the body.'),
  'body-not-json': LIVE,
  'nul-char': never('No rule: no refusal of NUL was reported.'),
  // Faults of the same validator at places for which no refusal was reported, in its words for other places
  'invalid-type': LIVE,
  'invalid-value': LIVE,
  'invalid-length': LIVE,
  'invalid-range': LIVE,
} as const satisfies RuleTable<string>

export type ResponsesRule = keyof typeof RULES
