import * as b from './bodies.ts'
import { BEDROCK, type Case, NO_BETAS, STRICT } from './case.ts'

const missing = (at: number, ids: string) =>
  `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
const orphan = (place: string, id: string) =>
  `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`
const DIRECTIVE = 'the directive-only form (content: [] with output_config) is accepted at any position'
const FOLLOW = `role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result; ${DIRECTIVE}`
const PRECEDE = `role 'system' must precede an 'assistant' message or end the array; ${DIRECTIVE}`

const opus = (...messages: unknown[]) => b.body(messages, { model: 'claude-opus-4-8' })
const haiku = (...messages: unknown[]) => b.body(messages)
const pair = [b.hi, b.assistant(b.call('t1')), b.user(b.result('t1'))]

export const SYSTEM_CASES: readonly Case[] = [
  {
    rule: 'anthropic/system-role-unsupported',
    body: haiku(b.hi, b.system('b')),
    says: "role 'system' is not supported on this model",
    path: 'messages.1',
    passes: opus(b.hi, b.system('b')),
  },
  {
    rule: 'anthropic/system-first',
    body: opus(b.system('be nice'), b.ok, b.hi),
    says: `messages.0: use the top-level 'system' parameter for the initial system prompt; ${DIRECTIVE}`,
    passes: opus(b.system([], { output_config: { effort: 'low' } }), b.hi),
  },
  {
    rule: 'anthropic/system-must-follow',
    body: opus(b.hi, b.ok, b.system('b'), b.ok, b.hi),
    says: `messages.2: ${FOLLOW}`,
    passes: opus(b.hi, b.system('b'), b.ok, b.hi),
  },
  {
    rule: 'anthropic/system-must-precede',
    body: opus(b.hi, b.system('b'), b.system('c'), b.hi),
    says: `messages.2: ${PRECEDE}`,
    passes: opus(b.hi, b.system('b'), b.system('c')),
  },
  {
    rule: 'anthropic/system-between-tool-use-and-result',
    body: opus(b.hi, b.assistant(b.call('t1')), b.system('b'), b.user(b.result('t1'))),
    says: `messages.2: ${FOLLOW}`,
    passes: opus(...pair, b.system('b')),
  },
  {
    rule: 'anthropic/system-empty',
    body: opus(b.hi, b.system([])),
    says: 'messages.1: system content must contain at least one block',
    passes: opus(b.hi, b.system([b.text('b')])),
  },
  {
    rule: 'anthropic/system-whitespace',
    body: opus(b.hi, b.system([b.text('')])),
    says: 'messages: text content blocks must be non-empty',
    passes: opus(b.hi, b.system([b.text('b')])),
  },
  {
    rule: 'anthropic/system-whitespace',
    body: opus(b.hi, b.system([b.text(' ')])),
    says: 'messages.1: system text blocks must contain non-whitespace text',
    passes: opus(b.hi, b.system([b.text(' b')])),
  },
  {
    rule: 'anthropic/system-block-kinds',
    body: opus(b.hi, b.system([b.image(b.PNG)])),
    says: "messages.1: role 'system' supports text, tool_addition, and tool_removal blocks only",
    passes: opus(b.hi, b.system([{ type: 'tool_addition', tool: { type: 'tool_reference', name: 'look' } }])),
  },
  {
    rule: 'anthropic/system-output-config-beta',
    body: opus(b.hi, b.system('x', { output_config: { effort: 'low' } })),
    options: NO_BETAS,
    says: 'messages.1.output_config: Extra inputs are not permitted',
    passes: opus(b.hi, b.system('x', { output_config: { effort: 'low' } })),
    passesWith: { betas: ['mid-conversation-output-config-2026-07-01'] },
  },
  {
    rule: 'anthropic/system-output-config-beta',
    body: opus(b.hi, b.system('x', { clear_at: 1 })),
    options: NO_BETAS,
    says: 'messages.1.clear_at: Extra inputs are not permitted',
    passes: opus(b.hi, b.system('x')),
  },
]

export const ROLE_CASES: readonly Case[] = [
  {
    rule: 'anthropic/role-alternation-legacy',
    body: haiku(b.hi, b.hi),
    options: STRICT,
    says: 'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
    path: 'messages.1',
    passes: haiku(b.hi, b.hi),
    passesWith: {},
  },
  {
    rule: 'anthropic/first-message-user',
    body: haiku(b.ok, b.hi),
    options: STRICT,
    says: 'messages: first message must use the "user" role',
    passes: haiku(b.ok, b.hi),
    passesWith: {},
  },
  {
    rule: 'anthropic/tool-use-in-user',
    body: b.ask(b.call('a')),
    says: 'messages.0: `tool_use` blocks can only be in `assistant` messages',
    passes: haiku(...pair),
  },
  {
    rule: 'anthropic/tool-result-in-assistant',
    body: haiku(b.hi, b.assistant(b.result('a')), b.hi),
    says: 'messages.1: `tool_result` blocks can only be in `user` messages',
    passes: haiku(...pair),
  },
  {
    rule: 'anthropic/thinking-in-user',
    body: b.ask(b.thinking()),
    says: 'messages.0.content: thinking blocks may only be in `assistant` messages',
    passes: haiku(b.hi, b.assistant(b.thinking(), b.text('a')), b.hi),
  },
  {
    rule: 'anthropic/server-tool-in-user',
    body: b.ask(b.found('srvtoolu_1')),
    says: 'messages.0: `web_search_tool_result` blocks can only be in `assistant` messages',
    passes: haiku(b.hi, b.assistant(b.search('srvtoolu_1'), b.found('srvtoolu_1')), b.hi),
  },
  {
    rule: 'anthropic/server-tool-in-user',
    body: b.ask(b.search('srvtoolu_1')),
    says: 'messages.0: `server_tool_use` blocks can only be in `assistant` messages',
    passes: haiku(b.hi, b.assistant(b.search('srvtoolu_1'), b.found('srvtoolu_1')), b.hi),
  },
  {
    rule: 'anthropic/media-in-assistant',
    body: haiku(b.hi, b.assistant(b.image(b.PNG)), b.hi),
    says: 'messages.1: `image` blocks can only be in `user` messages',
    passes: b.ask(b.image(b.PNG)),
  },
  {
    rule: 'anthropic/empty-message',
    body: haiku({ role: 'user', content: '' }),
    says: 'messages.0: user messages must have non-empty content',
    passes: haiku(b.user(), b.hi),
  },
  {
    rule: 'anthropic/empty-message',
    body: haiku(b.hi, b.assistant(), b.hi),
    options: STRICT,
    says: 'messages.1: all messages must have non-empty content except for the optional final assistant message',
    passes: haiku(b.hi, b.assistant(), b.hi),
    passesWith: {},
  },
  {
    rule: 'anthropic/empty-text-block',
    body: b.ask(b.text(''), b.text('x')),
    says: 'messages: text content blocks must be non-empty',
    path: 'messages.0.content.0',
    passes: b.ask(b.text('x')),
  },
  {
    rule: 'anthropic/empty-text-block',
    body: b.asking({ system: [b.text('')] }),
    says: 'system: text content blocks must be non-empty',
    passes: b.asking({ system: [] }),
  },
  {
    rule: 'anthropic/whitespace-text-block',
    body: haiku(b.hi, b.assistant(b.text('\n\n')), b.hi),
    says: 'messages: text content blocks must contain non-whitespace text',
    passes: haiku(b.hi, b.assistant(b.text('\n\n'), b.text('x')), b.hi),
  },
  {
    rule: 'anthropic/whitespace-text-block',
    body: haiku(b.hi, b.assistant(b.text('\n\n'), b.text('x')), b.hi),
    options: STRICT,
    says: 'messages: text content blocks must contain non-whitespace text',
    passes: haiku(b.hi, b.assistant(b.text('\n\nx')), b.hi),
  },
  {
    rule: 'anthropic/whitespace-text-block',
    body: b.asking({ system: '  ' }),
    says: 'system: text content blocks must contain non-whitespace text',
    passes: b.asking({ system: '' }),
  },
  {
    rule: 'anthropic/string-content-whitespace',
    body: haiku({ role: 'user', content: '  ' }),
    says: 'messages: text content blocks must contain non-whitespace text',
    passes: haiku({ role: 'user', content: ' x ' }),
  },
  {
    rule: 'anthropic/final-assistant-trailing-whitespace',
    body: haiku(b.hi, { role: 'assistant', content: 'Answer: ' }),
    says: 'messages: final assistant content cannot end with trailing whitespace',
    passes: haiku(b.hi, { role: 'assistant', content: 'Answer:' }),
  },
  {
    rule: 'anthropic/prefill-unsupported',
    body: b.body([b.hi, b.ok], { model: 'claude-sonnet-4-6' }),
    says: 'This model does not support assistant message prefill. The conversation must end with a user message.',
    passes: b.body([b.hi, b.assistant(b.search('srvtoolu_1'))], { model: 'claude-sonnet-4-6' }),
  },
  {
    rule: 'anthropic/thinking-disabled-final-assistant',
    body: haiku(b.hi, b.assistant(b.thinking(), b.text('a'))),
    says: 'When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.',
    passes: haiku(b.hi, b.assistant(b.thinking(), b.text('a')), b.hi),
  },
  {
    rule: 'anthropic/final-block-thinking',
    body: haiku(b.hi, b.assistant(b.thinking()), b.hi),
    says: 'messages.1: The final block in an assistant message cannot be `thinking`.',
    passes: haiku(b.hi, b.assistant(b.thinking()), b.hi, b.ok, b.hi),
  },
  {
    rule: 'anthropic/copilot-strict',
    body: haiku(b.hi, b.assistant(b.thinking()), b.hi, b.ok, b.hi),
    options: STRICT,
    says: 'messages.1: The final block in an assistant message cannot be `thinking`.',
    passes: haiku(b.hi, b.assistant(b.thinking(), b.text('a')), b.hi, b.ok, b.hi),
  },
]

const manual = { thinking: { type: 'enabled', budget_tokens: 1024 } }
const expected = (at: number, found: string) =>
  `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking`

const orphanSearch = (at: string) =>
  `${at}: unexpected \`tool_use_id\` found in \`web_search_tool_result\` blocks: srvtoolu_9. Each \`web_search_tool_result\` block must have a corresponding \`server_tool_use\` block before it.`

export const PAIR_CASES: readonly Case[] = [
  {
    rule: 'anthropic/tool-result-missing',
    body: haiku(b.hi, b.assistant(b.call('t1'), b.call('t2')), b.user(b.text('hi'))),
    says: missing(1, 't1, t2'),
    path: 'messages.1',
    passes: haiku(b.hi, b.assistant(b.call('t1'), b.call('t2')), b.user(b.result('t2'), b.result('t1'), b.text('hi'))),
  },
  {
    rule: 'anthropic/tool-result-at-end',
    body: haiku(b.hi, b.assistant(b.call('t1'))),
    says: missing(1, 't1'),
    passes: haiku(...pair),
  },
  {
    rule: 'anthropic/tool-result-first',
    body: haiku(b.hi, b.assistant(b.call('t1')), b.user(b.text('here'), b.result('t1'))),
    says: missing(1, 't1'),
    passes: haiku(b.hi, b.assistant(b.call('t1')), b.user(b.result('t1'), b.text('here'))),
  },
  {
    rule: 'anthropic/tool-result-first',
    body: haiku(
      b.hi,
      b.assistant(b.call('t1'), b.call('t2')),
      b.user(b.result('t1'), b.text('x')),
      b.user(b.result('t2')),
    ),
    says: missing(1, 't2'),
    passes: haiku(
      b.hi,
      b.assistant(b.call('t1'), b.call('t2')),
      b.user(b.result('t1')),
      b.user(b.result('t2'), b.text('x')),
    ),
  },
  {
    rule: 'anthropic/tool-result-orphan',
    body: b.ask(b.result('t9')),
    says: orphan('messages.0.content.0', 't9'),
    path: 'messages.0.content.0',
    passes: haiku(...pair),
  },
  {
    rule: 'anthropic/tool-result-duplicate',
    body: haiku(b.hi, b.assistant(b.call('t1')), b.user(b.result('t1'), b.result('t1'))),
    says: 'messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: t1',
    passes: haiku(...pair),
  },
  {
    rule: 'anthropic/tool-use-id-unique',
    body: haiku(b.hi, b.assistant(b.call('t1'), b.call('t1')), b.user(b.result('t1'))),
    says: 'messages.1.content.1: `tool_use` ids must be unique',
    passes: haiku(...pair, b.assistant(b.call('t1')), b.user(b.result('t1'))),
  },
  {
    rule: 'anthropic/tool-use-id-unique',
    body: haiku(...pair, b.assistant(b.call('t1')), b.user(b.result('t1'))),
    options: STRICT,
    says: 'messages: `tool_use` ids must be unique',
    path: 'messages.3.content.0',
    passes: haiku(...pair, b.assistant(b.call('t2')), b.user(b.result('t2'))),
  },
  {
    rule: 'anthropic/text-after-tool-use',
    body: haiku(b.hi, b.assistant(b.call('t1'), b.text('so')), b.user(b.result('t1'))),
    options: STRICT,
    says: missing(1, 't1'),
    passes: haiku(b.hi, b.assistant(b.call('t1'), b.text('so')), b.user(b.result('t1'))),
    passesWith: {},
  },
  {
    rule: 'anthropic/tools-must-be-defined',
    body: b.body(pair, { tools: undefined }),
    options: BEDROCK,
    says: 'Requests which include `tool_use` or `tool_result` blocks must define tools.',
    passes: b.body(pair, { tools: undefined }),
    passesWith: {},
  },
  {
    rule: 'anthropic/server-tool-unpaired',
    body: haiku(b.hi, b.assistant(b.search('srvtoolu_1')), b.hi),
    says: 'messages.1: `web_search` tool use with id `srvtoolu_1` was found without a corresponding `web_search_tool_result` block',
    passes: haiku(b.hi, b.assistant(b.search('srvtoolu_1'), b.call('t1')), b.user(b.result('t1'))),
  },
  {
    rule: 'anthropic/server-tool-unpaired',
    body: haiku(b.hi, b.assistant(b.search('srvtoolu_1'), b.call('t1')), b.user(b.result('t1'), b.text('x'))),
    says: 'messages.1: `web_search` tool use with id `srvtoolu_1` was found without a corresponding `web_search_tool_result` block',
    passes: haiku(
      b.hi,
      b.assistant(b.search('srvtoolu_1'), b.call('t1')),
      b.user(b.result('t1')),
      b.assistant(b.found('srvtoolu_1'), b.text('a')),
      b.hi,
    ),
  },
  {
    rule: 'anthropic/ptc-results-only',
    body: haiku(
      b.hi,
      b.assistant(
        b.search('srvtoolu_1', { name: 'code_execution' }),
        b.call('t1', { caller: { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' } }),
      ),
      b.user(b.result('t1'), b.text('x')),
    ),
    says: '`code_execution` tool use with id `srvtoolu_1` was found without a corresponding `code_execution_tool_result` block',
    passes: haiku(
      b.hi,
      b.assistant(
        b.search('srvtoolu_1', { name: 'code_execution' }),
        b.call('t1', { caller: { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' } }),
      ),
      b.user(b.result('t1')),
    ),
  },
  {
    rule: 'anthropic/tool-search-result-required',
    body: haiku(b.hi, b.assistant(b.search('srvtoolu_1', { name: 'tool_search_tool_regex' })), b.hi),
    says: '`tool_search_tool_regex` tool use with id `srvtoolu_1` was found without a corresponding `tool_search_tool_result` block',
    passes: haiku(b.hi, b.assistant(b.search('srvtoolu_1', { name: 'tool_search_tool_regex' }))),
  },
  {
    rule: 'anthropic/server-tool-result-orphan',
    body: haiku(b.hi, b.assistant(b.found('srvtoolu_9')), b.hi),
    says: orphanSearch('messages.1.content.0'),
    passes: haiku(b.hi, b.assistant(b.search('srvtoolu_9'), b.found('srvtoolu_9')), b.hi),
  },
  {
    rule: 'anthropic/server-tool-result-orphan',
    body: haiku(b.hi, b.assistant(b.found('srvtoolu_9'), b.search('srvtoolu_9')), b.hi),
    says: orphanSearch('messages.1.content.0'),
    passes: haiku(b.hi, b.assistant(b.search('srvtoolu_9'), b.found('srvtoolu_9')), b.hi),
  },
  {
    rule: 'anthropic/thinking-manual-final-turn',
    body: b.body(pair, manual),
    says: expected(1, 'tool_use'),
    path: 'messages.1.content.0.type',
    passes: b.body(
      [
        b.hi,
        b.assistant(b.thinking(), b.call('t1')),
        b.user(b.result('t1')),
        b.assistant(b.call('t2')),
        b.user(b.result('t2')),
      ],
      manual,
    ),
  },
  {
    rule: 'anthropic/thinking-manual-final-turn',
    body: b.body([b.hi, b.assistant(b.text('a'), b.call('t1')), b.user(b.result('t1'), b.text('and'))], manual),
    says: expected(1, 'text'),
    passes: b.body([...pair, b.ok, b.hi], manual),
  },
  {
    rule: 'anthropic/thinking-first-block-legacy',
    body: haiku(b.hi, b.assistant(b.text('a'), b.thinking(), b.text('b')), b.hi),
    options: STRICT,
    says: 'messages.1.content.0: If an assistant message contains any thinking blocks, the first block must be `thinking` or `redacted_thinking`. Found `text`.',
    passes: haiku(b.hi, b.assistant(b.text('a'), b.thinking(), b.text('b')), b.hi),
    passesWith: {},
  },
]
