import * as b from './bodies.ts'
import { BEDROCK, type Case, NO_BETAS, STRICT } from './case.ts'

const tool = (more: b.Fields) => b.asking({ tools: [{ ...b.TOOL, ...more }] })
const schema = (more: b.Fields) => tool({ input_schema: { type: 'object', ...more } })
const DRAFT =
  'tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use at https://docs.claude.com/en/docs/tool-use.'
const strictTool = (properties: b.Fields, required: readonly string[], more: b.Fields = {}) => ({
  name: 'look',
  strict: true,
  input_schema: { type: 'object', additionalProperties: false, properties, required, ...more },
})
const named = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, value]))
const strictTools = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...strictTool({}, []), name: `t${index}` }))

export const TOOL_CASES: readonly Case[] = [
  {
    rule: 'anthropic/tool-def-name',
    body: tool({ name: 'mcp.server/tool' }),
    says: "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    passes: tool({ name: 'mcp_server-tool' }),
  },
  {
    rule: 'anthropic/tool-def-name',
    body: tool({ name: 'n'.repeat(129) }),
    says: 'tools.0.custom.name: String should have at most 128 characters',
    passes: tool({ name: 'n'.repeat(128) }),
  },
  {
    rule: 'anthropic/tool-def-name',
    body: tool({ name: 'n'.repeat(65) }),
    options: STRICT,
    says: "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'",
    passes: tool({ name: 'n'.repeat(64) }),
  },
  {
    rule: 'anthropic/tool-names-unique',
    body: b.asking({ tools: [b.TOOL, b.TOOL] }),
    says: 'tools: Tool names must be unique.',
    path: 'tools.1',
    passes: b.asking({ tools: [b.TOOL, { ...b.TOOL, name: 'other' }] }),
  },
  {
    rule: 'anthropic/tool-schema-type',
    body: tool({ input_schema: {} }),
    says: 'tools.0.custom.input_schema.type: Field required',
    passes: tool({ input_schema: { type: 'object' } }),
  },
  {
    rule: 'anthropic/tool-schema-type',
    body: tool({ input_schema: { type: 'string' } }),
    says: "tools.0.custom.input_schema.type: Input should be 'object'",
    passes: tool({ input_schema: { type: 'object' } }),
  },
  {
    rule: 'anthropic/tool-schema-type',
    body: schema({ properties: { a: { type: 'number', exclusiveMinimum: true } } }),
    says: DRAFT,
    passes: schema({ properties: { a: { type: 'number', exclusiveMinimum: 0 } } }),
  },
  {
    rule: 'anthropic/tool-schema-type',
    body: schema({ properties: { a: { type: 'array', items: [{ type: 'string' }] } } }),
    says: DRAFT,
    passes: schema({ properties: { a: { type: 'array', prefixItems: [{ type: 'string' }] } } }),
  },
  {
    rule: 'anthropic/tool-def-field',
    body: tool({ description: 7 }),
    says: 'tools.0.custom.description: Input should be a valid string',
    passes: tool({ description: 'seven' }),
  },
  {
    rule: 'anthropic/tool-type-unknown',
    body: b.asking({ tools: [{ type: 'function', function: { name: 'f' } }] }),
    says: "tools.0: Input tag 'function' found using 'type' does not match any of the expected tags: 'bash_20250124', 'browser_toolset_20260801', 'code_execution_20250522', 'code_execution_20250825', 'code_execution_20260120', 'code_execution_20260521', 'computer_toolset_20260801', 'custom', 'memory_20250818', 'text_editor_20250124', 'text_editor_20250429', 'text_editor_20250728', 'tool_search_tool_bm25_20251119', 'tool_search_tool_regex_20251119', 'web_fetch_20250910', 'web_fetch_20260209', 'web_fetch_20260309', 'web_fetch_20260318', 'web_search_20250305', 'web_search_20260209', 'web_search_20260318'",
    passes: b.asking({ tools: [{ type: 'web_search_20990101', name: 'web_search' }] }),
  },
  {
    rule: 'anthropic/all-tools-deferred',
    body: tool({ defer_loading: true }),
    says: 'At least one tool must have defer_loading=false. All tools cannot be deferred.',
    passes: b.asking({
      tools: [
        { ...b.TOOL, defer_loading: true },
        { ...b.TOOL, name: 'other' },
      ],
    }),
  },
  {
    rule: 'anthropic/tool-def-extra',
    body: tool({ defer_loading: false }),
    options: BEDROCK,
    says: 'tools.0.custom.defer_loading: Extra inputs are not permitted',
    passes: tool({ defer_loading: false }),
    passesWith: {},
  },
  {
    rule: 'anthropic/tool-def-extra',
    body: tool({ parameters: {} }),
    says: 'tools.0.custom.parameters: Extra inputs are not permitted',
    passes: tool({ input_examples: [{}] }),
  },
  {
    rule: 'anthropic/tool-choice-schema',
    body: b.asking({ tool_choice: 'auto' }),
    says: 'tool_choice: Input should be an object',
    passes: b.asking({ tool_choice: { type: 'auto' } }),
  },
  {
    rule: 'anthropic/tool-choice-schema',
    body: b.asking({ tool_choice: {} }),
    says: 'tool_choice.type: Field required',
    passes: b.asking({ tool_choice: { type: 'none' } }),
  },
  {
    rule: 'anthropic/tool-choice-schema',
    body: b.asking({ tool_choice: { type: 'required' } }),
    says: "tool_choice: Input tag 'required' found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'",
    passes: b.asking({ tool_choice: { type: 'any' } }),
  },
  {
    rule: 'anthropic/tool-choice-forced-unsupported',
    body: b.asking({ model: 'claude-opus-5-5', tool_choice: { type: 'any' } }),
    says: 'tool_choice: type "tool" and "any" are not supported for this model.',
    passes: b.asking({ model: 'claude-opus-5', tool_choice: { type: 'any' } }),
  },
  {
    rule: 'anthropic/tool-choice-forced-thinking',
    body: b.asking({ thinking: { type: 'enabled', budget_tokens: 1024 }, tool_choice: { type: 'any' } }),
    says: 'Thinking may not be enabled when tool_choice forces tool use.',
    passes: b.asking({ thinking: { type: 'enabled', budget_tokens: 1024 }, tool_choice: { type: 'auto' } }),
  },
  {
    rule: 'anthropic/tool-choice-without-tools',
    body: b.asking({ tools: [], tool_choice: { type: 'any' } }),
    says: 'tool_choice.any may only be specified while providing tools',
    passes: b.asking({ tools: [], tool_choice: { type: 'auto' } }),
  },
  {
    rule: 'anthropic/tool-choice-without-tools',
    body: b.asking({ tool_choice: { type: 'tool', name: 'gone' } }),
    says: "Tool 'gone' not found in provided tools",
    passes: b.asking({ tool_choice: { type: 'tool', name: 'look' } }),
  },
  {
    rule: 'anthropic/tool-choice-without-tools',
    body: b.asking({ tools: undefined, tool_choice: { type: 'auto' } }),
    options: STRICT,
    says: 'tool_choice may only be specified while providing tools',
    passes: b.asking({ tool_choice: { type: 'auto' } }),
  },
  {
    rule: 'anthropic/container-without-tool',
    body: b.asking({ container: 'container_1' }),
    says: 'container: Container identifier can only be provided when using the code execution tool',
    passes: b.asking({
      container: 'container_1',
      tools: [{ type: 'code_execution_20250825', name: 'code_execution' }],
    }),
  },
  {
    rule: 'anthropic/strict-tools-count',
    body: b.asking({ tools: strictTools(21) }),
    says: 'Too many strict tools (21). The maximum number of strict tools supported is 20. Try reducing the number of tools marked as strict.',
    passes: b.asking({ tools: strictTools(20) }),
  },
  {
    rule: 'anthropic/strict-optional-parameters',
    body: b.asking({ tools: [strictTool(named(25, { type: 'string' }), [])] }),
    says: 'Schemas contains too many optional parameters (25), which would make grammar compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: 24).',
    passes: b.asking({ tools: [strictTool(named(24, { type: 'string' }), [])] }),
  },
  {
    rule: 'anthropic/strict-union-parameters',
    body: b.asking({ tools: [strictTool(named(17, { type: ['string', 'null'] }), Object.keys(named(17, 0)))] }),
    says: 'Schemas contains too many parameters with union types (17 parameters with type arrays or anyOf). This causes exponential compilation cost. Reduce the number of nullable or union-typed parameters (limit: 16 parameters with unions).',
    passes: b.asking({ tools: [strictTool(named(16, { type: ['string', 'null'] }), Object.keys(named(16, 0)))] }),
  },
  {
    rule: 'anthropic/strict-boolean-schema',
    body: b.asking({ tools: [strictTool({ value: true }, ['value'])] }),
    says: "tools.0.custom: For 'object' type, property 'properties' is not supported",
    passes: b.asking({ tools: [{ ...strictTool({ value: true }, ['value']), strict: false }] }),
  },
  {
    rule: 'anthropic/strict-circular-schema',
    body: b.asking({
      tools: [
        strictTool({ head: { $ref: '#/$defs/Node' } }, ['head'], {
          $defs: { Node: { type: 'object', properties: { next: { anyOf: [{ $ref: '#/$defs/Node' }] } } } },
        }),
      ],
    }),
    says: 'tools.0.custom: Invalid schema: Circular reference detected in schema definitions: Node -> Node. Self-referencing or mutually-referencing definitions are not supported.',
    passes: b.asking({
      tools: [strictTool({ head: { $ref: '#/$defs/Node' } }, ['head'], { $defs: { Node: { type: 'string' } } })],
    }),
  },
]

const DOCS = 'https://docs.claude.com/en/docs/build-with-claude/extended-thinking'
const manual = { thinking: { type: 'enabled', budget_tokens: 1024 } }

export const THINKING_CASES: readonly Case[] = [
  {
    rule: 'anthropic/block-binding-beta',
    body: b.asking({ model: 'claude-opus-5-5', thinking: { type: 'adaptive', block_binding: {} } }),
    options: NO_BETAS,
    says: 'thinking.adaptive.block_binding: Extra inputs are not permitted',
    passes: b.asking({ model: 'claude-opus-5-5', thinking: { type: 'adaptive', block_binding: {} } }),
    passesWith: { betas: ['thinking-binding-controls-2026-08-01'] },
  },
  {
    rule: 'anthropic/thinking-type-enabled',
    body: b.asking({ model: 'claude-opus-4-8', ...manual }),
    says: '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    passes: b.asking({ model: 'claude-opus-4-6', ...manual }),
  },
  {
    rule: 'anthropic/thinking-type-adaptive',
    body: b.asking({ thinking: { type: 'adaptive' } }),
    says: 'adaptive thinking is not supported on this model',
    passes: b.asking({ model: 'claude-sonnet-4-6', thinking: { type: 'adaptive' } }),
  },
  {
    rule: 'anthropic/thinking-type-disabled',
    body: b.asking({ model: 'claude-fable-5', thinking: { type: 'disabled' } }),
    says: '"thinking.type.disabled" is not supported for this model. Thinking defaults to adaptive mode when not specified; use "thinking.type.enabled" with "budget_tokens" for extended thinking.',
    passes: b.asking({ model: 'claude-sonnet-5-5', thinking: { type: 'between_tools' } }),
  },
  {
    rule: 'anthropic/thinking-type-disabled',
    body: b.asking({
      model: 'claude-opus-5',
      thinking: { type: 'disabled' },
      output_config: { effort: 'max' },
    }),
    says: "output_config.effort 'max' is not supported when thinking is disabled on this model.",
    passes: b.asking({
      model: 'claude-opus-5',
      thinking: { type: 'disabled' },
      output_config: { effort: 'high' },
    }),
  },
  {
    rule: 'anthropic/thinking-budget',
    body: b.asking({ max_tokens: 1000, thinking: { type: 'enabled', budget_tokens: 2000 } }),
    says: `\`max_tokens\` must be greater than \`thinking.budget_tokens\`. Please consult our documentation at ${DOCS}#max-tokens-and-context-window-size`,
    passes: b.asking({ max_tokens: 2001, thinking: { type: 'enabled', budget_tokens: 2000 } }),
  },
  {
    rule: 'anthropic/thinking-budget',
    body: b.asking({ thinking: { type: 'enabled', budget_tokens: 1023 } }),
    says: 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024',
    passes: b.asking(manual),
  },
  {
    rule: 'anthropic/effort-level',
    body: b.asking({ model: 'claude-opus-4-6', output_config: { effort: 'xhigh' } }),
    says: "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium.",
    passes: b.asking({ model: 'claude-opus-4-7', output_config: { effort: 'xhigh' } }),
  },
  {
    rule: 'anthropic/clear-thinking-requires-thinking',
    body: b.asking({ context_management: { edits: [{ type: 'clear_thinking_20251015' }] } }),
    says: '`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive',
    passes: b.asking({ context_management: { edits: [{ type: 'clear_thinking_20251015' }] }, ...manual }),
  },
  {
    rule: 'anthropic/temperature-range',
    body: b.asking({ temperature: 0.2, ...manual }),
    says: `\`temperature\` may only be set to 1 when thinking is enabled or in adaptive mode. Please consult our documentation at ${DOCS}#important-considerations-when-using-extended-thinking`,
    passes: b.asking({ temperature: 1, ...manual }),
  },
  {
    rule: 'anthropic/temperature-range',
    body: b.asking({ top_p: 0.5, ...manual }),
    says: '`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled or in adaptive mode.',
    passes: b.asking({ top_p: 0.95, ...manual }),
  },
  {
    rule: 'anthropic/temperature-range',
    body: b.asking({ model: 'claude-opus-4-8', temperature: 0.2 }),
    says: '`temperature` is deprecated for this model.',
    passes: b.asking({ model: 'claude-opus-4-8', temperature: 1 }),
  },
]

/** `{"messages":[{"role":"user","content":"cut ` is 43 characters long. */
const cut = (text: string, more: b.Fields = {}) => ({
  messages: [{ role: 'user', content: `cut ${text}` }],
  model: b.MODEL,
  max_tokens: 10,
  ...more,
})

export const ENCODING_CASES: readonly Case[] = [
  {
    rule: 'anthropic/json-lone-surrogate',
    body: cut('\ud83d'),
    says: 'The request body is not valid JSON: no low surrogate in string: line 1 column 50 (char 49)',
    path: 'messages.0.content',
    passes: cut('\ud83d\ude00'),
  },
  {
    rule: 'anthropic/json-lone-surrogate',
    body: cut('\udc00'),
    says: 'The request body is not valid JSON: invalid high surrogate in string: line 1 column 44 (char 43)',
    passes: cut('\\udc00'),
  },
  {
    rule: 'anthropic/json-lone-surrogate',
    body: cut('\ud83d\ud83d'),
    says: 'The request body is not valid JSON: invalid low surrogate in string: line 1 column 50 (char 49)',
    passes: cut('A'),
  },
  {
    rule: 'anthropic/json-lone-surrogate',
    // The emoji in front is two UTF-16 units and one character.
    body: cut('\ud83d\ude00\ud83d'),
    says: 'The request body is not valid JSON: no low surrogate in string: line 1 column 51 (char 50)',
    passes: cut('\ud83d\ude00'),
  },
  {
    rule: 'anthropic/json-truncated',
    body: cut('\u0000'),
    says: 'The request body is not valid JSON: unexpected end of data: line 1 column 44 (char 43)',
    passes: cut('\u0001'),
  },
  {
    rule: 'anthropic/request-too-large',
    body: cut('a'.repeat(33_554_432)),
    says: 'Request exceeds the maximum size',
    path: '',
    passes: cut('a'.repeat(33_554_000)),
  },
  {
    rule: 'anthropic/request-too-large',
    body: cut('a'.repeat(20_971_520)),
    options: BEDROCK,
    says: 'Request exceeds the maximum allowed number of bytes.',
    passes: cut('a'.repeat(20_971_520)),
    passesWith: { platform: 'vertex' },
  },
]
