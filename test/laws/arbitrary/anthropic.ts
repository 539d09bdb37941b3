import fc from 'fast-check'
import type {
  AssistantPart,
  Author,
  Extra,
  Json,
  Message,
  NativePart,
  ReasoningPart,
  TextPart,
  ToolCallEntry,
  UserPart,
} from '../../../src/model/session.ts'
import { clientCall, hosted } from './calls.ts'
import { media } from './media.ts'
import { text, told } from './texts.ts'

/** What the reader of the Messages API leaves in messages and their slots. */

const slotOf = (slot: Json): Extra => ({ anthropic: slot })
const markers: readonly Json[] = [
  { cache_control: { type: 'ephemeral' } },
  { cache_control: { type: 'ephemeral', ttl: '1h' } },
]
const marker = fc.oneof(
  { arbitrary: fc.constant(undefined), weight: 5 },
  { arbitrary: fc.constantFrom(...markers.map(slotOf)), weight: 1 },
)

const withSlot = <P extends object>(part: P, extra: Extra | undefined): P =>
  extra === undefined ? part : { ...part, extra }

export const anthropicText: fc.Arbitrary<TextPart> = fc
  .tuple(text, marker)
  .map(([value, extra]) => withSlot({ type: 'text', text: value }, extra))

const CITATION: Json = {
  type: 'char_location',
  cited_text: '@@',
  document_index: 0,
  document_title: '@@',
  start_char_index: 0,
  end_char_index: 4,
}

const cited: fc.Arbitrary<TextPart> = told.map((value) => ({
  type: 'text',
  text: value,
  extra: slotOf({ citations: [CITATION] }),
}))

const thinking: fc.Arbitrary<ReasoningPart> = fc.oneof(
  { arbitrary: told.map((value) => thought(value, 'c2ln@@')), weight: 6 },
  { arbitrary: text.map((value) => thought(value, 'c2ln@@')), weight: 1 },
  { arbitrary: fc.constant<ReasoningPart>({ type: 'reasoning', text: '@@' }), weight: 1 },
  {
    arbitrary: fc.constant<ReasoningPart>({
      type: 'reasoning',
      text: '',
      redacted: true,
      extra: slotOf({ data: 'ZGF0@@' }),
    }),
    weight: 2,
  },
)

function thought(value: string, signature: string): ReasoningPart {
  return { type: 'reasoning', text: value, extra: slotOf({ signature }) }
}

const call = clientCall({
  call: fc.oneof(
    { arbitrary: marker, weight: 4 },
    { arbitrary: fc.constant(slotOf({ caller: { type: 'direct' } })), weight: 1 },
  ),
  state: marker,
})

const search = { type: 'server_tool_use', id: 'srvtoolu_##', name: 'web_search', input: { query: '@@' } }
const found = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_##',
  content: [
    {
      type: 'web_search_result',
      url: 'https://example.com/@@',
      title: '@@',
      encrypted_content: 'ZW5j@@',
      page_age: null,
    },
  ],
}
const refused = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_##',
  content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
}
const ran = { type: 'server_tool_use', id: 'srvtoolu_##', name: 'code_execution', input: { code: '@@' } }
const printed = {
  type: 'code_execution_tool_result',
  tool_use_id: 'srvtoolu_##',
  content: { type: 'code_execution_result', stdout: '@@', stderr: '', return_code: 0, content: [] },
}

const own = (name: string, raw: Json, more: Partial<ToolCallEntry> = {}): ToolCallEntry =>
  hosted(name, 'anthropic', raw, { id: 'srvtoolu_##', ...more })

const serverCall: fc.Arbitrary<ToolCallEntry> = fc.constantFrom(
  own('web_search', { use: search, result: found }),
  own('web_search', { use: search, result: found, resultAfter: 1 }),
  own('web_search', { use: search, result: refused }, { state: { status: 'failed', error: 'max_uses_exceeded' } }),
  own('code_execution', { use: ran, result: printed }),
  own('web_search', { use: search }, { state: { status: 'interrupted' } }),
  own('web_search', { use: search }, { state: { status: 'pending', reason: 'running' } }),
)

export const anthropicNative: fc.Arbitrary<NativePart> = fc.constant<NativePart>({
  type: 'native',
  api: 'anthropic',
  value: {
    type: 'search_result',
    source: 'https://example.com/@@',
    title: '@@',
    content: [{ type: 'text', text: '@@' }],
  },
})

export const anthropicUserPart: fc.Arbitrary<UserPart> = fc.oneof(
  { arbitrary: anthropicText, weight: 5 },
  { arbitrary: fc.tuple(media, marker).map(([part, extra]) => withSlot(part, extra)), weight: 2 },
  { arbitrary: anthropicNative, weight: 1 },
)

const part: fc.Arbitrary<AssistantPart> = fc.oneof(
  { arbitrary: anthropicText, weight: 3 },
  { arbitrary: cited, weight: 1 },
  { arbitrary: thinking, weight: 2 },
  { arbitrary: call, weight: 3 },
  { arbitrary: serverCall, weight: 1 },
)

/** Most messages as models write them; some in any order. */
export const anthropicParts: fc.Arbitrary<readonly AssistantPart[]> = fc.oneof(
  {
    arbitrary: fc
      .tuple(
        fc.array(thinking, { maxLength: 2 }),
        fc.array(anthropicText, { maxLength: 1 }),
        fc.array(fc.oneof({ arbitrary: call, weight: 4 }, { arbitrary: serverCall, weight: 1 }), { maxLength: 3 }),
      )
      .map((groups) => groups.flat()),
    weight: 3,
  },
  { arbitrary: fc.array(part, { maxLength: 5 }), weight: 2 },
)

export const anthropicAuthor: fc.Arbitrary<Author | undefined> = fc.constantFrom<(Author | undefined)[]>(
  undefined,
  { provider: 'anthropic', api: 'anthropic', model: 'claude-sonnet-4-5-20250929' },
  { provider: 'anthropic', api: 'anthropic', model: 'claude-fable-5-1' },
  { provider: 'bedrock', api: 'anthropic', model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0' },
  { api: 'anthropic', model: 'claude-opus-5-5' },
  { model: 'claude-opus-4-6' },
  { provider: 'minimax', api: 'anthropic', dialect: 'minimax', model: 'MiniMax-M2' },
)

const plainCall = clientCall().map(
  (client): ToolCallEntry => ({ ...client, state: { status: 'completed', result: '@@' } }),
)

/** A server tool whose result came behind the results of the client's calls. */
export const lateServerResult: fc.Arbitrary<readonly Message[]> = plainCall.map((client): readonly Message[] => {
  const use = { type: 'server_tool_use', id: 'srvtoolu_$$', name: 'web_search', input: { query: '@@' } }
  // Twice the same block, in the slot and in the later message.
  const hit = {
    type: 'web_search_result',
    url: 'https://example.com/$$',
    title: 'hit $$',
    encrypted_content: 'ZW5j',
    page_age: null,
  }
  const result = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_$$', content: [hit] }
  const by = { provider: 'anthropic', api: 'anthropic' as const, model: 'claude-sonnet-4-5' }
  const entry = own('web_search', { use, result, late: true }, { id: 'srvtoolu_$$' })
  return [
    { role: 'assistant', by, parts: [entry, client] },
    {
      role: 'assistant',
      by,
      parts: [
        { type: 'native', api: 'anthropic', value: result },
        { type: 'text', text: '@@' },
      ],
    },
  ]
})
