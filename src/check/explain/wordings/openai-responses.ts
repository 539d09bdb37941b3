import type { ResponsesRule } from '../../openai-responses/rules.ts'
import type { Places, Sentences, Signs } from '../book.ts'

/** The sentences of the semantic validator and of what looks items up. */
export const SENTENCES: Sentences<ResponsesRule> = {
  // Calls and outputs
  'No tool output found for function call {ids}': 'function-call-output-missing',
  'No tool output found for custom tool call {ids}': 'custom-tool-call-output-missing',
  'No tool output found for local shell call {ids}': 'local-shell-call-output-missing',
  'No tool output found for shell call {ids}': 'shell-call-output-missing',
  'No tool output found for apply patch call {ids}': 'apply-patch-call-output-missing',
  'No tool output found for computer call {ids}': 'computer-call-output-missing',
  'No tool output found for tool search {ids}': 'tool-search-output-missing',
  'No tool output found for tool call {ids}': ['output-not-adjacent', 'function-call-output-missing'],
  'No tool call found for function call output with call_id {ids}': [
    'function-call-output-orphan',
    'output-before-call',
    'duplicate-call-output',
    'call-id-reused',
  ],
  'No tool call found for custom tool call output with call_id {ids}': [
    'custom-tool-call-output-orphan',
    'output-before-call',
    'duplicate-call-output',
    'call-id-reused',
  ],
  'No tool call found for program output with call_id {ids}': [
    'program-roundtrip',
    'output-before-call',
    'duplicate-call-output',
  ],
  'No tool call found for {} output with call_id {ids}': [
    'other-output-orphan',
    'output-before-call',
    'duplicate-call-output',
  ],
  'No approval request found for approval response with approval_request_id {ids}': 'mcp-approval',
  // Items by their id
  "Invalid '{path}': '{ids}'. Expected an ID that begins with": 'item-id-prefix',
  "Invalid '{path}': '{ids}'. Expected an ID that contains letters": 'item-id-charset',
  'Duplicate item found with id {ids}. Remove': 'duplicate-item-id',
  'Items are not persisted when `store` is set to false': 'item-not-persisted',
  "Item with id '{ids}' not found": ['item-not-found', 'item-reference-type'],
  "Previous response with id '{ids}' not found": 'previous-response-not-found',
  'Previous response cannot be used for this organization due to Zero Data Retention': 'previous-response-zdr',
  "Mutually exclusive parameters: 'previous_response_id' and 'conversation'": 'previous-response-and-conversation',
  'Mutually exclusive parameters: ': ['file-url-with-filename', 'file-one-source'],
  // Reasoning
  "Item '{ids}' of type 'reasoning' was provided without its required following item":
    'reasoning-following-item-missing',
  "Item '{ids}' of type '{}' was provided without its required 'reasoning' item": 'item-reasoning-missing',
  'Reasoning input items can only be provided to a reasoning or computer use model': 'reasoning-items-unsupported',
  'The encrypted content {}could not be verified': 'encrypted-content-invalid',
  'Encrypted content could not be decrypted or parsed': 'encrypted-content-invalid',
  'Encrypted content organization_id did not match': 'encrypted-content-invalid',
  'Encrypted content is not supported': 'encrypted-content-unsupported',
  // Input and items
  'One of "input" or "previous_response_id" or \'prompt\'': 'input-empty',
  'Missing namespace for function_call {}. It does not exist in the default namespace': 'namespace-missing',
  "An item of type 'compaction_trigger' must be the last item": 'compaction-trigger-last',
  'In the Responses API, this parameter has moved to': 'unknown-parameter',
  // Other servers
  'did not match any variant of untagged enum ModelInput': 'item-type-invalid',
  ' item: missing field': 'missing-item-field',
  'Referenced reasoning item {} was not found or has expired': 'item-not-found',
  // Media
  "Invalid '{path}'. Expected a base64-encoded data URL with an image MIME type": 'image-url-invalid',
  'The image data you provided does not represent a valid image': 'image-bytes-invalid',
  "Invalid file data: '{path}'. Expected a base64-encoded data URL with a valid file MIME type": 'file-data-mime',
  'The file type you uploaded is not supported': 'file-type-unsupported',
  // Text, model, body
  "Response input messages must contain the word 'json'": 'json-word-missing',
  'Your input exceeds the context window of this model': 'context-length-exceeded',
  'We could not parse the JSON body of your request': 'body-not-json',
  "The requested model '{}' does not exist": 'model-not-found',
}

export const ALONE: Sentences<ResponsesRule> = {
  'Request blocked.': 'harmony-tokens',
}

const IDS = ['item-id-missing', 'reasoning-id-missing', 'typed-item-field', 'missing-item-field'] as const

/** What the schema validator says at which place. */
export const PLACES: Places<ResponsesRule> = [
  // Calls and outputs
  ['missing', '**.call_id', 'call-id-missing'],
  ['empty string', '**.call_id', 'call-id-empty'],
  ['string too long', '**.call_id', 'call-id-too-long'],
  ['string does not match', '**.call_id', 'call-id-charset'],
  // Ids of items
  ['string too long', 'input.#.id', ['item-id-too-long', 'invalid-length']],
  ['type', 'input.#.id', ['item-id-null', 'invalid-type']],
  ['missing', 'input.#.id', IDS],
  // Reasoning
  ['missing', 'input.#.summary', ['reasoning-summary-missing', 'missing-item-field']],
  ['array too long', 'input.#.content', 'reasoning-content-forbidden'],
  ['unknown', 'input.#.status', ['reasoning-status', 'unknown-item-field']],
  // Shape of items
  ['type', 'input', 'input-wrong-type'],
  ['missing', 'input', 'input-empty'],
  ["value 'additional_tools'", 'input.#.**', 'item-type-invalid'],
  ["value 'assistant', 'system'", 'input.#.**', 'role-invalid'],
  ['missing', 'input.#.content', ['content-missing', 'missing-item-field']],
  ['type', 'input.#.content', ['content-missing', 'invalid-type']],
  ['empty ', 'input.#.content', 'content-empty'],
  ["value 'output_text' and 'refusal'", 'input.#.content.#.**', 'content-part-type-assistant'],
  ["value 'input_text', 'input_image', 'input_audio'", 'input.#.content.#.**', 'content-part-type-user'],
  ["value 'input_text', 'input_image', and 'input_file'", 'input.#.content.#.**', 'content-part-type-user'],
  ["value 'input_text', 'input_image', and 'input_file'", 'input.#.output.#.**', 'output-part-type'],
  ['missing', 'input.#.content.#.annotations', ['output-message-shape', 'missing-item-field']],
  ['missing', 'input.#.status', ['output-message-shape', 'missing-item-field']],
  ['unknown', 'input.#.action', ['contested-item-field', 'unknown-item-field']],
  ['unknown', 'input.**', 'unknown-item-field'],
  ['type', 'input.#.arguments', ['arguments-not-string', 'invalid-type']],
  ['expected a string that holds a JSON', 'input.**', 'arguments-json'],
  ['type', 'input.#.output', ['output-not-string', 'invalid-type']],
  ['missing', 'input.#.caller', ['program-roundtrip', 'missing-item-field']],
  ['missing', '**.file_id', ['file-one-source', 'missing-item-field']],
  ['string does not match', '**.name', ['name-pattern', 'invalid-value']],
  ['string too long', '**.name', ['name-too-long', 'string-too-long']],
  ["value 'search'", 'input.#.action.type', 'web-search-action'],
  ['string too long', 'input.**', 'string-too-long'],
  // Tools and options
  ['missing', 'tools.#.name', 'tool-name-missing'],
  ['missing', 'tools.#.tools.#.name', 'tool-name-missing'],
  ['missing', 'tools.#.description', ['tool-search-description', 'missing-item-field']],
  ['missing', 'input.#.tools.#.name', 'tool-name-missing'],
  ['missing', 'input.#.tools.#.description', ['tool-search-description', 'missing-item-field']],
  ['array too long', 'tools', 'tools-too-many'],
  ['integer below', 'max_output_tokens', 'max-output-tokens-min'],
  // The same words at any other place
  ['unknown', '*', 'unknown-parameter'],
  ['unknown', '*.**', 'unknown-item-field'],
  ...['temperature', 'top_p', 'top_logprobs', 'reasoning.**', 'text.**'].map(
    (place) => ['unsupported parameter is not supported', place, 'unknown-parameter'] as const,
  ),
  ['missing', '**', 'missing-item-field'],
  ['type', '**', 'invalid-type'],
  ['value ', '**', 'invalid-value'],
  ['string does not match', '**', 'invalid-value'],
  ['empty ', '**', 'invalid-length'],
  ['string too long', '**', 'string-too-long'],
  ['array too long', '**', 'invalid-length'],
  ['integer ', '**', 'invalid-range'],
  ['decimal ', '**', 'invalid-range'],
]

export const SIGNS: Signs<ResponsesRule> = {
  context_length_exceeded: 'context-length-exceeded',
  model_not_found: 'model-not-found',
  previous_response_not_found: 'previous-response-not-found',
  invalid_encrypted_content: 'encrypted-content-invalid',
  unsupported_file: 'file-type-unsupported',
  invalid_prompt: 'harmony-tokens',
  invalid_id_prefix: 'item-id-prefix',
}
