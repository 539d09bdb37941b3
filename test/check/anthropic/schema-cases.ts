import * as b from './bodies.ts'
import { BEDROCK, type Case, NO_BETAS, STRICT, VERTEX } from './case.ts'

const without = (key: string) => Object.fromEntries(Object.entries(b.asking({})).filter(([name]) => name !== key))
const at = (more: b.Fields) => b.body([{ ...b.hi, ...more }])
const TAGS =
  "'bash_code_execution_tool_result', 'code_execution_tool_result', 'container_upload', 'document', 'image', 'redacted_thinking', 'search_result', 'server_tool_use', 'text', 'text_editor_code_execution_tool_result', 'thinking', 'tool_result', 'tool_search_tool_result', 'tool_use', 'web_fetch_tool_result', 'web_search_tool_result'"
const unknownTag = (path: string, tag: string) =>
  `${path}: Input tag '${tag}' found using 'type' does not match any of the expected tags: ${TAGS}`

/** Top-level parameters and messages as items. */
export const ITEM_CASES: readonly Case[] = [
  {
    rule: 'anthropic/model-required',
    body: without('model'),
    says: 'model: Field required',
    path: 'model',
    passes: b.asking({}),
  },
  {
    rule: 'anthropic/model-required',
    body: b.asking({ model: 7 }),
    says: 'model: Input should be a valid string',
    passes: b.asking({ model: 'claude-opus-9' }),
  },
  {
    rule: 'anthropic/model-required',
    body: b.asking({ model: '' }),
    says: 'model: String should have at least 1 character',
    passes: b.asking({ model: 'claude-next-1' }),
  },
  {
    rule: 'anthropic/model-unknown',
    body: b.asking({ model: 'claude-nope' }),
    says: 'model: claude-nope',
    passes: b.asking({ model: 'claude-sonnet-latest' }),
  },
  {
    rule: 'anthropic/max-tokens',
    body: without('max_tokens'),
    says: 'max_tokens: Field required',
    passes: b.asking({ max_tokens: 0 }),
  },
  {
    rule: 'anthropic/max-tokens',
    body: b.asking({ max_tokens: '10' }),
    says: 'max_tokens: Input should be a valid integer',
    passes: b.asking({ max_tokens: 10 }),
  },
  {
    rule: 'anthropic/max-tokens',
    body: b.asking({ max_tokens: -1 }),
    says: 'max_tokens: must be greater than or equal to 0',
    passes: b.asking({ max_tokens: 1 }),
  },
  {
    rule: 'anthropic/max-tokens',
    body: b.asking({ max_tokens: 64_001 }),
    says: 'max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens for claude-haiku-4-5',
    passes: b.asking({ max_tokens: 64_000 }),
  },
  {
    rule: 'anthropic/messages-required',
    body: without('messages'),
    says: 'messages: Field required',
    passes: b.body([b.hi]),
  },
  {
    rule: 'anthropic/messages-required',
    body: b.body({ role: 'user' }),
    says: 'messages: Input should be a valid array',
    passes: b.body([b.hi]),
  },
  {
    rule: 'anthropic/messages-required',
    body: b.body([]),
    says: 'messages: at least one message is required',
    passes: b.body([b.hi]),
  },
  {
    rule: 'anthropic/message-object',
    body: b.body(['hi']),
    says: 'messages.0: Input should be an object',
    path: 'messages.0',
    passes: b.body([b.hi]),
  },
  {
    rule: 'anthropic/message-role-required',
    body: b.body([{ content: 'hi' }]),
    says: 'messages.0.role: Field required',
    passes: b.body([b.hi]),
  },
  {
    rule: 'anthropic/message-role-allowed',
    body: at({ role: 'tool' }),
    says: 'messages: Unexpected role "tool". Allowed roles are "user" or "assistant"',
    path: 'messages.0.role',
    passes: at({ role: 'user' }),
  },
  {
    rule: 'anthropic/message-role-type',
    body: at({ role: 5 }),
    says: 'messages.0.role: Input should be a valid string',
    passes: at({ role: 'user' }),
  },
  {
    rule: 'anthropic/message-content-required',
    body: b.body([{ role: 'user' }]),
    says: 'messages.0.content: Field required',
    passes: b.body([b.hi]),
  },
  {
    rule: 'anthropic/message-content-type',
    body: at({ content: null }),
    says: 'messages.0.content: Input should be a valid array',
    passes: at({ content: 'hi' }),
  },
  {
    rule: 'anthropic/block-object',
    body: b.ask('hi'),
    says: 'messages.0.content.0: Input should be an object',
    passes: b.ask(b.text('hi')),
  },
  {
    rule: 'anthropic/block-object',
    body: b.ask({ text: 'hi' }),
    says: 'messages.0.content.0.type: Field required',
    passes: b.ask(b.text('hi')),
  },
  {
    rule: 'anthropic/block-type-unknown',
    body: b.ask({ type: 'video_url', video_url: {} }),
    says: unknownTag('messages.0.content.0', 'video_url'),
    passes: b.ask(b.text('hi')),
  },
  {
    rule: 'anthropic/block-field-required',
    body: b.ask({ type: 'text' }),
    says: 'messages.0.content.0.text.text: Field required',
    path: 'messages.0.content.0.text.text',
    passes: b.ask(b.text('hi')),
  },
  {
    rule: 'anthropic/block-field-string',
    body: b.ask(b.text(null)),
    says: 'messages.0.content.0.text.text: Input should be a valid string',
    passes: b.ask(b.text('null')),
  },
  {
    rule: 'anthropic/block-field-type',
    body: b.ask({ type: 'image', source: 'https://a.example' }),
    says: 'messages.0.content.0.image.source: Input should be an object',
    passes: b.ask(b.image(b.PNG)),
  },
  {
    rule: 'anthropic/block-extra-field',
    body: b.ask(b.text('a', { id: 'x' })),
    says: 'messages.0.content.0.text.id: Extra inputs are not permitted',
    passes: b.ask(b.text('a', { id: undefined })),
  },
  {
    rule: 'anthropic/message-extra-keys',
    body: at({ id: 'msg_1' }),
    says: 'messages.0.id: Extra inputs are not permitted',
    passes: at({ id: undefined }),
  },
  {
    rule: 'anthropic/top-level-extra-keys',
    body: b.asking({ context_management: {} }),
    options: NO_BETAS,
    says: 'context_management: Extra inputs are not permitted',
    passes: b.asking({ context_management: {} }),
    passesWith: { betas: ['context-management-2025-06-27'] },
  },
  {
    rule: 'anthropic/top-level-extra-keys',
    body: b.asking({ n: 1 }),
    says: 'n: Extra inputs are not permitted',
    passes: b.asking({ n: undefined }),
  },
  {
    rule: 'anthropic/system-type',
    body: b.asking({ system: { text: 'x' } }),
    says: 'system: Input should be a valid array',
    passes: b.asking({ system: [b.text('x')] }),
  },
  {
    rule: 'anthropic/system-type',
    body: b.asking({ system: [b.text('x'), b.image(b.PNG)] }),
    says: "system.1.type: Input should be 'text'",
    passes: b.asking({ system: [b.text('x')] }),
  },
  {
    rule: 'anthropic/null-is-not-omission',
    body: b.asking({ tools: null }),
    says: 'tools: Input should be a valid array',
    passes: b.asking({ tools: undefined, metadata: null, stop_sequences: null, container: null }),
  },
  {
    rule: 'anthropic/top-level-type',
    body: b.asking({ stream: 'yes' }),
    says: 'stream: Input should be a valid boolean',
    passes: b.asking({ stream: true }),
  },
  {
    rule: 'anthropic/temperature-range',
    body: b.asking({ temperature: 1.5 }),
    says: 'temperature: range: 0..1',
    passes: b.asking({ temperature: 0.5 }),
  },
  {
    rule: 'anthropic/version-header',
    body: without('model'),
    options: BEDROCK,
    says: 'anthropic_version: Field required',
    passes: { ...without('model'), anthropic_version: 'bedrock-2023-05-31' },
  },
  {
    rule: 'anthropic/vertex-unsupported',
    body: b.asking({ anthropic_version: 'vertex-2023-10-16' }),
    options: VERTEX,
    says: 'model: Extra inputs are not permitted',
    passes: b.asking({}),
  },
  {
    rule: 'anthropic/cache-toplevel-bedrock',
    body: b.asking(b.marked),
    options: BEDROCK,
    says: 'cache_control: Extra inputs are not permitted',
    passes: b.asking(b.marked),
    passesWith: VERTEX,
  },
  {
    rule: 'anthropic/body-object',
    body: [],
    says: 'Input should be an object',
    path: '',
    passes: b.asking({}),
  },
]

const inner = 'messages.2.content.0.tool_result.content.0'
const used = (more: b.Fields) => b.body([b.hi, b.assistant(b.call('t1', more)), b.user(b.result('t1'))])
const searched = (use: b.Fields, given: b.Fields) => b.body([b.hi, b.assistant(use, given), b.hi])
const compacted = (more: b.Fields) => b.body([b.assistant({ type: 'compaction', content: 'c', ...more }), b.hi])
const cited = (citation: b.Fields) =>
  b.body([b.hi, b.assistant(b.text('a', { citations: [citation] })), b.hi], { model: 'claude-opus-4-8' })
const WEB = {
  type: 'web_search_result_location',
  cited_text: 'c',
  encrypted_index: 'abc',
  title: null,
  url: 'https://a.example',
}
const CHAR = {
  type: 'char_location',
  cited_text: 'c',
  document_index: 0,
  document_title: null,
  start_char_index: 0,
  end_char_index: 1,
}
const ID = "String should match pattern '^[a-zA-Z0-9_-]+$'"
const SERVER_ID = "String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'"
const NOT_FOUR = "Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"
const SERVER_NAMES =
  "Input should be 'web_search', 'web_fetch', 'code_execution', 'bash_code_execution', 'text_editor_code_execution', 'tool_search_tool_regex' or 'tool_search_tool_bm25'"

/** Blocks of calls and results. */
export const CALL_CASES: readonly Case[] = [
  {
    rule: 'anthropic/tool-use-id-pattern',
    body: b.body([b.hi, b.assistant(b.call('call:1|fc_2')), b.user(b.result('call_1'))]),
    says: `messages.1.content.0.tool_use.id: ${ID}`,
    passes: used({}),
  },
  {
    rule: 'anthropic/tool-use-id-pattern',
    body: b.body([b.hi, b.assistant(b.call('')), b.user(b.result('t1'))]),
    says: `messages.1.content.0.tool_use.id: ${ID}`,
    passes: b.body([b.hi, b.assistant(b.call('-')), b.user(b.result('-'))]),
  },
  {
    rule: 'anthropic/tool-use-id-length',
    body: b.body([b.hi, b.assistant(b.call('x'.repeat(65))), b.user(b.result('x'.repeat(65)))]),
    options: STRICT,
    says: 'messages.1.content.0.tool_use.id: String should have at most 64 characters',
    passes: b.body([b.hi, b.assistant(b.call('x'.repeat(64))), b.user(b.result('x'.repeat(64)))]),
  },
  {
    rule: 'anthropic/tool-result-id-pattern',
    body: b.ask(b.result('a.b')),
    says: `messages.0.content.0.tool_result.tool_use_id: ${ID}`,
    passes: used({}),
  },
  {
    rule: 'anthropic/tool-use-name-length',
    body: used({ name: 'n'.repeat(201) }),
    says: 'messages.1.content.0.tool_use.name: String should have at most 200 characters',
    passes: used({ name: 'n'.repeat(200) }),
  },
  {
    rule: 'anthropic/tool-use-name-length',
    body: used({ name: '' }),
    says: 'messages.1.content.0.tool_use.name: String should have at least 1 character',
    passes: used({ name: 'n' }),
  },
  {
    rule: 'anthropic/tool-use-input-object',
    body: used({ input: '{"k":1}' }),
    says: 'messages.1.content.0.tool_use.input: Input should be an object',
    passes: used({ input: { k: 1 } }),
  },
  {
    rule: 'anthropic/tool-use-input-object',
    body: used({ input: [] }),
    says: 'messages.1.content.0.tool_use.input: Input should be an object',
    passes: used({ input: {} }),
  },
  {
    rule: 'anthropic/tool-use-input-required',
    body: used({ input: undefined }),
    says: 'messages.1.content.0.tool_use.input: Field required',
    passes: used({}),
  },
  {
    rule: 'anthropic/tool-use-caller',
    body: used({ caller: { type: 'x' } }),
    says: "messages.1.content.0.tool_use.caller: Input tag 'x' found using 'type' does not match any of the expected tags: 'direct', 'code_execution_20250825', 'code_execution_20260120'",
    passes: used({ caller: { type: 'direct' } }),
  },
  {
    rule: 'anthropic/tool-use-caller',
    body: used({ caller: { type: 'direct' } }),
    options: BEDROCK,
    says: 'messages.1.content.0.tool_use.caller: Extra inputs are not permitted',
    passes: used({}),
  },
  {
    rule: 'anthropic/tool-result-content-kinds',
    body: b.answered([{ type: 'image_url', image_url: {} }]),
    says: `${inner}: Input tag 'image_url' found using 'type' does not match any of the expected tags: 'document', 'image', 'search_result', 'text', 'tool_reference'`,
    passes: b.answered([b.image(b.PNG)]),
  },
  {
    rule: 'anthropic/tool-result-content-kinds',
    body: b.answered([b.call('t2')]),
    options: VERTEX,
    says: `${inner}: Input tag 'tool_use' found using 'type' does not match any of the expected tags: 'document', 'image', 'search_result', 'text'`,
    passes: b.answered([b.text('ok')]),
  },
  {
    rule: 'anthropic/tool-result-content-type',
    body: b.answered({ ok: true }),
    says: 'messages.2.content.0.tool_result.content: Input should be a valid array',
    passes: b.answered(undefined),
  },
  {
    rule: 'anthropic/tool-result-inner-block',
    body: b.answered([{ text: 'x' }]),
    says: `${inner}.type: Field required`,
    passes: b.answered([]),
  },
  {
    rule: 'anthropic/tool-result-inner-block',
    body: b.answered([{ type: 'text' }]),
    says: `${inner}.text.text: Field required`,
    passes: b.answered([b.text('x')]),
  },
  {
    rule: 'anthropic/tool-result-inner-block',
    body: b.answered([b.text(null)]),
    says: `${inner}.text.text: Input should be a valid string`,
    passes: b.answered(''),
  },
  {
    rule: 'anthropic/tool-result-inner-extra',
    body: b.answered([b.text('x', { annotations: {} })]),
    says: `${inner}.text.annotations: Extra inputs are not permitted`,
    passes: b.answered([b.text('x')]),
  },
  {
    rule: 'anthropic/is-error-text-only',
    body: b.answered([b.image(b.PNG)], { is_error: true }),
    says: 'messages.2.content.0.tool_result: all content must be type `text` if `is_error` is true',
    passes: b.answered([b.image(b.PNG)], { is_error: false }),
  },
  {
    rule: 'anthropic/is-error-type',
    body: b.answered('no', { is_error: 'yes' }),
    says: 'messages.2.content.0.tool_result.is_error: Input should be a valid boolean',
    passes: b.answered('no', { is_error: true }),
  },
  {
    rule: 'anthropic/tool-reference-field',
    body: b.answered([{ type: 'tool_reference' }]),
    says: `${inner}.tool_reference.tool_name: Field required`,
    passes: b.answered([{ type: 'tool_reference', tool_name: 'look' }]),
  },
  {
    rule: 'anthropic/tool-reference-unknown',
    body: b.answered([{ type: 'tool_reference', tool_name: 'gone' }]),
    says: "Tool reference 'gone' not found in available tools",
    passes: b.answered([{ type: 'tool_reference', tool_name: 'look' }]),
  },
  {
    rule: 'anthropic/nested-citation-extra',
    body: cited({ ...CHAR, file_id: null }),
    options: STRICT,
    says: 'messages.1.content.0.text.citations.0.char_location.file_id: Extra inputs are not permitted',
    passes: cited(CHAR),
  },
  {
    rule: 'anthropic/web-citation-encrypted-index',
    body: cited({ ...WEB, encrypted_index: undefined }),
    says: 'messages.1.content.0.text.citations.0.web_search_result_location.encrypted_index: Field required',
    passes: cited(WEB),
  },
  {
    rule: 'anthropic/web-citation-encrypted-index',
    body: cited({ ...WEB, encrypted_index: '' }),
    says: 'Invalid `encrypted_index` in `text` block',
    passes: cited(WEB),
  },
  {
    rule: 'anthropic/thinking-signature-required',
    body: b.body([b.hi, b.assistant({ type: 'thinking', thinking: 'x' }, b.text('a')), b.hi]),
    says: 'messages.1.content.0.thinking.signature: Field required',
    passes: b.body([b.hi, b.assistant(b.thinking(), b.text('a')), b.hi]),
  },
  {
    rule: 'anthropic/thinking-signature-required',
    body: b.body([b.hi, b.assistant(b.thinking({ signature: null }), b.text('a')), b.hi]),
    says: 'messages.1.content.0.thinking.signature: Input should be a valid string',
    passes: b.body([b.hi, b.assistant(b.thinking(), b.text('a')), b.hi]),
  },
  {
    rule: 'anthropic/thinking-text-required',
    body: b.body([b.hi, b.assistant(b.thinking({ thinking: undefined }), b.text('a')), b.hi]),
    says: 'messages.1.content.0.thinking.thinking: Field required',
    passes: b.body([b.hi, b.assistant(b.thinking({ thinking: '' }), b.text('a')), b.hi]),
  },
  {
    rule: 'anthropic/redacted-data-required',
    body: b.body([b.hi, b.assistant({ type: 'redacted_thinking' }, b.text('a')), b.hi]),
    says: 'messages.1.content.0.redacted_thinking.data: Field required',
    passes: b.body([b.hi, b.assistant({ type: 'redacted_thinking', data: 'abc' }, b.text('a')), b.hi]),
  },
  {
    rule: 'anthropic/redacted-data-invalid',
    body: b.body([b.hi, b.assistant({ type: 'redacted_thinking', data: '' }, b.text('a')), b.hi]),
    says: 'messages.1.content.0: Invalid `data` in `redacted_thinking` block',
    passes: b.body([b.hi, b.assistant({ type: 'redacted_thinking', data: 'abc' }, b.text('a')), b.hi]),
  },
  {
    rule: 'anthropic/thinking-signature-invalid',
    body: b.body([b.hi, b.assistant(b.thinking({ signature: '' }), b.text('a')), b.hi]),
    says: 'messages.1.content.0: Invalid `signature` in `thinking` block',
    passes: b.body([b.hi, b.assistant(b.thinking(), b.text('a')), b.hi]),
  },
  {
    rule: 'anthropic/thinking-cache-control',
    body: b.body([b.hi, b.assistant(b.thinking(b.marked), b.text('a')), b.hi]),
    says: 'messages.1.content.0.thinking.cache_control: Extra inputs are not permitted',
    passes: b.body([b.hi, b.assistant(b.thinking(), b.text('a', b.marked)), b.hi]),
  },
  {
    rule: 'anthropic/thinking-cache-control',
    body: b.body([b.hi, b.assistant({ type: 'redacted_thinking', data: 'c2ln', ...b.marked }, b.text('a')), b.hi]),
    says: 'messages.1.content.0.redacted_thinking.cache_control: Extra inputs are not permitted',
    passes: b.body([b.hi, b.assistant({ type: 'redacted_thinking', data: 'c2ln' }, b.text('a')), b.hi]),
  },
  {
    rule: 'anthropic/server-tool-id-pattern',
    body: searched(b.search('toolu_1'), b.text('a')),
    says: `messages.1.content.0.server_tool_use.id: ${SERVER_ID}`,
    passes: searched(b.search('srvtoolu_1'), b.found('srvtoolu_1')),
  },
  {
    rule: 'anthropic/server-tool-id-pattern',
    body: searched(b.search('srvtoolu_1'), b.found('toolu_1')),
    says: `messages.1.content.1.web_search_tool_result.tool_use_id: ${SERVER_ID}`,
    passes: searched(b.search('srvtoolu_1'), b.found('srvtoolu_1')),
  },
  {
    rule: 'anthropic/server-tool-name',
    body: searched(b.search('srvtoolu_1', { name: 'google' }), b.text('a')),
    says: `messages.1.content.0.server_tool_use.name: ${SERVER_NAMES}`,
    passes: searched(b.search('srvtoolu_1'), b.found('srvtoolu_1')),
  },
  {
    rule: 'anthropic/server-tool-input',
    body: searched(b.search('srvtoolu_1', { input: '{"query":"q"}' }), b.found('srvtoolu_1')),
    says: 'messages.1.content.0.server_tool_use.input: Input should be an object',
    passes: searched(b.search('srvtoolu_1', { input: {} }), b.found('srvtoolu_1')),
  },
  {
    rule: 'anthropic/server-result-shape',
    body: searched(b.search('srvtoolu_1', { name: 'web_fetch' }), {
      type: 'web_fetch_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: { type: 'x' },
    }),
    says: 'messages.1.content.1.web_fetch_tool_result.content.RequestWebFetchToolResultErrorBlock.error_code: Field required',
    passes: searched(b.search('srvtoolu_1', { name: 'web_fetch' }), {
      type: 'web_fetch_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: { type: 'web_fetch_tool_result_error', error_code: 'unavailable' },
    }),
  },
  {
    rule: 'anthropic/web-search-encrypted-content',
    body: searched(
      b.search('srvtoolu_1'),
      b.found('srvtoolu_1', { content: [{ type: 'web_search_result', title: 't', url: 'u' }] }),
    ),
    says: 'messages.1.content.1.web_search_tool_result.content.list[RequestWebSearchResultBlock].0.encrypted_content: Field required',
    passes: searched(b.search('srvtoolu_1'), b.found('srvtoolu_1', { content: [] })),
  },
  {
    rule: 'anthropic/web-search-encrypted-content',
    body: searched(
      b.search('srvtoolu_1'),
      b.found('srvtoolu_1', {
        content: [{ type: 'web_search_result', title: 't', url: 'u', encrypted_content: '' }],
      }),
    ),
    says: 'Invalid `encrypted_content` in `search_result` block',
    passes: searched(b.search('srvtoolu_1'), b.found('srvtoolu_1')),
  },
  {
    rule: 'anthropic/encrypted-stdout',
    body: searched(b.search('srvtoolu_1', { name: 'code_execution' }), {
      type: 'code_execution_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: {
        type: 'encrypted_code_execution_result',
        content: [],
        return_code: 0,
        stderr: '',
        encrypted_stdout: '',
      },
    }),
    says: 'Invalid `encrypted_stdout` in `encrypted_code_execution_result` block',
    passes: searched(b.search('srvtoolu_1', { name: 'code_execution' }), {
      type: 'code_execution_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: { type: 'code_execution_result', content: [], return_code: 0, stderr: '', stdout: '' },
    }),
  },
  {
    rule: 'anthropic/bedrock-unsupported',
    body: searched(b.search('srvtoolu_1'), b.found('srvtoolu_1')),
    options: BEDROCK,
    says: "messages.1.content.0: Input tag 'server_tool_use' found using 'type' does not match any of the expected tags: 'document', 'image', 'redacted_thinking', 'search_result', 'text', 'thinking', 'tool_result', 'tool_use'",
    passes: searched(b.search('srvtoolu_1'), b.found('srvtoolu_1')),
    passesWith: VERTEX,
  },
  {
    rule: 'anthropic/fallback-block-beta',
    body: b.body([b.hi, b.assistant({ type: 'fallback', from: {}, to: {} }, b.text('a')), b.hi]),
    options: NO_BETAS,
    says: unknownTag('messages.1.content.0', 'fallback'),
    passes: b.body([b.hi, b.assistant({ type: 'fallback', from: {}, to: {} }, b.text('a')), b.hi]),
    passesWith: { betas: ['server-side-fallback-2026-06-01'] },
  },
  {
    rule: 'anthropic/compaction-beta',
    body: compacted({}),
    options: NO_BETAS,
    says: unknownTag('messages.0.content.0', 'compaction'),
    passes: compacted({}),
    passesWith: { betas: ['compact-2026-01-12'] },
  },
  {
    rule: 'anthropic/compaction-fields',
    body: compacted({ citations: null }),
    says: 'messages.0.content.0.compaction.citations: Extra inputs are not permitted',
    passes: compacted({ content: null }),
  },
  {
    rule: 'anthropic/compaction-signed-position',
    body: b.body([b.hi, b.assistant({ type: 'compaction', content: 'c', signature: 's' }), b.hi]),
    says: '`compaction` block must be sent first, in place of the messages it summarizes; remove those messages',
    passes: compacted({ signature: 's' }),
  },
  {
    rule: 'anthropic/advisor-beta',
    body: b.body([b.hi, b.assistant({ type: 'advisor_tool_result', tool_use_id: 'srvtoolu_1', content: {} }), b.hi]),
    options: NO_BETAS,
    says: unknownTag('messages.1.content.0', 'advisor_tool_result'),
    passes: b.asking({}),
  },
  {
    rule: 'anthropic/mcp-blocks-beta',
    body: b.body([
      b.hi,
      b.assistant({ type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'n', server_name: 's', input: {} }),
      b.hi,
    ]),
    options: NO_BETAS,
    says: unknownTag('messages.1.content.0', 'mcp_tool_use'),
    passes: b.body([
      b.hi,
      b.assistant({ type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'n', server_name: 's', input: {} }),
    ]),
    passesWith: { betas: ['mcp-client-2025-11-20'] },
  },
  {
    rule: 'anthropic/mcp-blocks-beta',
    body: b.body([b.hi, b.assistant({ type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1' }), b.hi]),
    says: 'messages.1.content.0: unexpected `tool_use_id` found in `mcp_tool_result` blocks: mcptoolu_1. Each `mcp_tool_result` block must have a corresponding `mcp_tool_use` block before it.',
    passes: b.body([
      b.hi,
      b.assistant(
        { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'n', server_name: 's', input: {} },
        { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1' },
      ),
      b.hi,
    ]),
  },
]

/** Cache markers, images and documents. */
export const MEDIA_CASES: readonly Case[] = [
  {
    rule: 'anthropic/cache-empty-text',
    body: b.ask(b.text('', b.marked)),
    says: 'messages.0.content.0.text: cache_control cannot be set for empty text blocks',
    passes: b.ask(b.text('x', b.marked)),
  },
  {
    rule: 'anthropic/cache-empty-text',
    body: b.asking({ system: [b.text('', b.marked)] }),
    says: 'system.0: cache_control cannot be set for empty text blocks',
    passes: b.asking({ system: [b.text('x', b.marked)] }),
  },
  {
    rule: 'anthropic/cache-type',
    body: b.ask(b.text('x', { cache_control: { type: 'persistent' } })),
    says: "messages.0.content.0.text.cache_control.type: Input should be 'ephemeral'",
    passes: b.ask(b.text('x', { cache_control: null })),
  },
  {
    rule: 'anthropic/cache-type',
    body: b.ask(b.text('x', b.markedFor('2h'))),
    says: "messages.0.content.0.text.cache_control.ephemeral.ttl: Input should be '5m' or '1h'",
    passes: b.ask(b.text('x', b.markedFor('1h'))),
  },
  {
    rule: 'anthropic/cache-scope',
    body: b.ask(b.text('x', { cache_control: { type: 'ephemeral', scope: 'global' } })),
    says: 'messages.0.content.0.text.cache_control.ephemeral.scope: Extra inputs are not permitted',
    passes: b.ask(b.text('x', b.marked)),
  },
  {
    rule: 'anthropic/cache-scope',
    body: b.asking({ system: [b.text('x', { cache_control: { type: 'ephemeral', scope: 'global' } })] }),
    says: 'system.0.cache_control.ephemeral.scope: Extra inputs are not permitted',
    passes: b.asking({ system: [b.text('x', b.marked)] }),
  },
  {
    rule: 'anthropic/cache-max-4',
    body: b.asking({ system: ['a', 'b', 'c', 'd', 'e'].map((each) => b.text(each, b.marked)) }),
    says: 'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    path: 'system.4',
    passes: b.asking({ system: ['a', 'b', 'c', 'd'].map((each) => b.text(each, b.marked)) }),
  },
  {
    rule: 'anthropic/cache-max-4',
    body: b.asking({ ...b.marked, system: ['a', 'b', 'c', 'd'].map((each) => b.text(each, b.marked)) }),
    says: 'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    passes: b.asking({ ...b.marked, system: ['a', 'b', 'c'].map((each) => b.text(each, b.marked)) }),
  },
  {
    rule: 'anthropic/cache-ttl-order',
    body: { ...b.ask(b.text('x', b.markedFor('1h'))), system: [b.text('s', b.markedFor('5m'))] },
    says: "messages.0.content.0.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
    passes: { ...b.ask(b.text('x', b.markedFor('5m'))), system: [b.text('s', b.markedFor('1h'))] },
  },
  {
    rule: 'anthropic/cache-toplevel-conflict',
    body: { ...b.ask(b.text('x', b.marked)), ...b.markedFor('1h') },
    says: "Top-level cache_control has ttl='1h' but the target block already has cache_control with ttl='5m'",
    passes: { ...b.ask(b.text('x', b.markedFor('1h'))), ...b.markedFor('1h') },
  },
  {
    rule: 'anthropic/image-media-type',
    body: b.ask(b.image(b.PNG, 'image/svg+xml')),
    says: `messages.0.content.0.image.source.base64.media_type: ${NOT_FOUR}`,
    passes: b.ask(b.image(b.JPEG, 'image/jpeg')),
  },
  {
    rule: 'anthropic/image-media-type',
    body: b.answered([b.image(b.PNG, 'image/jpg')]),
    says: `${inner}.image.source.base64.media_type: ${NOT_FOUR}`,
    passes: b.answered([b.image(b.PNG)]),
  },
  {
    rule: 'anthropic/image-media-mismatch',
    body: b.ask(b.image(b.PNG, 'image/jpeg')),
    says: 'messages.0.content.0.image.source.base64.data: Image does not match the provided media type image/jpeg',
    passes: b.ask(b.image(b.PNG, 'image/png')),
  },
  {
    rule: 'anthropic/image-unprocessable',
    body: b.ask(b.image('AAAA')),
    says: 'Could not process image',
    passes: b.ask(b.image(b.PNG)),
  },
  {
    rule: 'anthropic/image-empty',
    body: b.ask(b.image('')),
    says: 'messages.0.content.0.image.source.base64: image cannot be empty',
    passes: b.ask(b.image(b.PNG)),
  },
  {
    rule: 'anthropic/image-base64-invalid',
    body: b.ask(b.image(`data:image/png;base64,${b.PNG}`)),
    says: 'messages.0.content.0.image.source.base64.data: Invalid base64 data',
    passes: b.ask(b.image(b.PNG)),
  },
  {
    rule: 'anthropic/image-size',
    body: b.ask(b.image(b.PNG + 'A'.repeat(10_485_764 - b.PNG.length))),
    says: 'messages.0.content.0.image.source.base64: image exceeds 10 MB maximum: 10485764 bytes > 10485760 bytes',
    passes: b.ask(b.image(b.PNG + 'A'.repeat(10_485_760 - b.PNG.length))),
  },
  {
    rule: 'anthropic/image-size',
    body: b.ask(b.image(b.PNG + 'A'.repeat(5_242_884 - b.PNG.length))),
    options: VERTEX,
    says: 'messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 5242884 bytes > 5242880 bytes',
    passes: b.ask(b.image(b.PNG + 'A'.repeat(5_242_880 - b.PNG.length))),
  },
  {
    rule: 'anthropic/image-dimensions',
    body: b.ask(b.image(b.bigPng(9000, 10))),
    says: 'messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
    passes: b.ask(b.image(b.bigPng(8000, 10))),
  },
  {
    rule: 'anthropic/image-many',
    body: b.ask(b.image(b.bigPng(2500, 10)), ...Array.from({ length: 20 }, () => b.image(b.PNG))),
    says: 'messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
    passes: b.ask(b.image(b.bigPng(2500, 10)), ...Array.from({ length: 19 }, () => b.image(b.PNG))),
  },
  {
    rule: 'anthropic/image-count',
    body: b.ask(...Array.from({ length: 101 }, () => b.image(b.PNG))),
    says: 'Too much media: 0 document pages + 101 images > 100',
    passes: b.ask(...Array.from({ length: 100 }, () => b.image(b.PNG))),
  },
  {
    rule: 'anthropic/image-url',
    body: b.ask(b.imageFrom({ type: 'url', url: 'http://a.example/x.png' })),
    says: 'messages.0.content.0.image.source.url.url: Only HTTPS URLs are supported.',
    passes: b.ask(b.imageFrom({ type: 'url', url: 'https://a.example/x.png' })),
  },
  {
    rule: 'anthropic/image-url',
    body: b.ask(b.imageFrom({ type: 'url', url: 'https://localhost/x.png' })),
    says: 'Unable to download the file. Please verify the URL and try again.',
    passes: b.ask(b.imageFrom({ type: 'url', url: 'https://localhost.example/x.png' }), b.text('x')),
  },
  {
    rule: 'anthropic/image-url-platform',
    body: b.ask(b.imageFrom({ type: 'url', url: 'https://a.example/x.png' })),
    options: VERTEX,
    says: 'messages.0.content.0.image.source.base64.data: URL sources are not supported',
    passes: b.ask(b.image(b.PNG)),
  },
  {
    rule: 'anthropic/image-source-type',
    body: b.ask(b.imageFrom({ type: 'image_url' })),
    says: "messages.0.content.0.image.source: Input tag 'image_url' found using 'type' does not match any of the expected tags: 'base64', 'file', 'url'",
    passes: b.ask(b.imageFrom({ type: 'file', file_id: 'file_1' })),
  },
  {
    rule: 'anthropic/pdf-media-type',
    body: b.ask(b.pdf(b.PDF, 'text/markdown')),
    says: "messages.0.content.0.document.source.base64.media_type: Input should be 'application/pdf'",
    passes: b.ask(b.pdf(b.PDF)),
  },
  {
    rule: 'anthropic/text-source-media-type',
    body: b.ask(b.documentFrom({ type: 'text', media_type: 'text/csv', data: 'a' })),
    says: "messages.0.content.0.document.source.text.media_type: Input should be 'text/plain'",
    passes: b.ask(b.documentFrom({ type: 'text', media_type: 'text/plain', data: 'a' })),
  },
  {
    rule: 'anthropic/pdf-invalid',
    body: b.ask(b.pdf('aGVsbG8=')),
    says: 'messages.0.content.0.pdf.source.base64.data: The PDF specified was not valid.',
    passes: b.ask(b.pdf(b.PDF)),
  },
  {
    rule: 'anthropic/pdf-invalid',
    body: b.ask(b.pdf('')),
    says: 'PDF cannot be empty',
    passes: b.ask(b.pdf(b.PDF)),
  },
  {
    rule: 'anthropic/search-result-shape',
    body: b.ask({ type: 'search_result', source: 's', title: 't', content: [b.image(b.PNG)] }),
    says: "messages.0.content.0.search_result.content.0.type: Input should be 'text'",
    passes: b.ask({ type: 'search_result', source: 's', title: 't', content: [b.text('x')] }),
  },
  {
    rule: 'anthropic/search-result-shape',
    body: b.ask({ type: 'search_result', source: 's', content: [b.text('x')] }),
    says: 'messages.0.content.0.search_result.title: Field required',
    passes: b.ask({ type: 'search_result', source: 's', title: '', content: [b.text('x')] }),
  },
]
