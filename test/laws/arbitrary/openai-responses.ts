import fc from 'fast-check'
import type {
  AssistantPart,
  Author,
  Extra,
  Json,
  NativePart,
  ReasoningPart,
  TextPart,
  ToolCallEntry,
  ToolCallState,
} from '../../../src/model/session.ts'
import { clientCall, hosted, state } from './calls.ts'
import { SUMMARY } from './stamp.ts'
import { text, told } from './texts.ts'

/** What the reader of the Responses API leaves in messages and their slots. */

const slotOf = (slot: Json): Extra => ({ 'openai-responses': slot })

/** Genuine, absent, used twice, foreign. */
const itemId = (prefix: string): fc.Arbitrary<string | undefined> =>
  fc.oneof(
    { arbitrary: fc.constant(`${prefix}_##`), weight: 6 },
    { arbitrary: fc.constantFrom(undefined, `${prefix}_dup`, 'chatcmpl.1', `${prefix}_${'y'.repeat(70)}`), weight: 1 },
  )

const item = (id: string | undefined, more: { readonly [key: string]: Json }): Json =>
  id === undefined ? more : { id, ...more }

const message: fc.Arbitrary<TextPart> = fc
  .tuple(text, itemId('msg'), fc.constantFrom(undefined, 'commentary', 'final_answer'))
  .map(([value, id, phase]) => ({
    type: 'text',
    text: value,
    extra: slotOf({ item: item(id, { status: 'completed', ...(phase === undefined ? {} : { phase }) }) }),
  }))

const easy: fc.Arbitrary<TextPart> = text.map((value) => ({ type: 'text', text: value }))

const joined: fc.Arbitrary<TextPart> = told.map((value) => ({
  type: 'text',
  text: value,
  extra: slotOf({ joined: true }),
}))

const reasoning: fc.Arbitrary<ReasoningPart> = fc
  .tuple(itemId('rs'), fc.boolean(), fc.boolean())
  .map(([id, encrypted, summary]) => {
    const content: { readonly [key: string]: Json } = encrypted ? { encrypted_content: 'ZW5j@@' } : {}
    const slot = slotOf({ item: item(id, { summary: summary ? SUMMARY : [], ...content }) })
    return { type: 'reasoning', text: summary ? '@@' : '', ...(summary ? {} : { redacted: true }), extra: slot }
  })

const call = clientCall({
  call: itemId('fc').map((id) => (id === undefined ? undefined : slotOf({ id, status: 'completed' }))),
  state: fc.oneof(
    { arbitrary: fc.constant(undefined), weight: 3 },
    {
      arbitrary: itemId('fc_out').map((id) => (id === undefined ? undefined : slotOf({ id, status: 'completed' }))),
      weight: 1,
    },
  ),
})

const run = (name: string, raw: { readonly [key: string]: Json }, more: Partial<ToolCallEntry> = {}): ToolCallEntry =>
  hosted(name, 'openai-responses', { item: raw }, { id: String(raw.id), ...more })

const request = {
  type: 'mcp_approval_request',
  id: 'mcpr_##',
  server_label: 'srv',
  name: 'do',
  arguments: '{"q":"@@"}',
}

const hostedCall: fc.Arbitrary<ToolCallEntry> = fc.constantFrom(
  run('web_search', {
    type: 'web_search_call',
    id: 'ws_##',
    status: 'completed',
    action: { type: 'search', query: '@@' },
  }),
  run('file_search', { type: 'file_search_call', id: 'fs_##', status: 'completed', queries: ['@@'], results: null }),
  run('code_interpreter', {
    type: 'code_interpreter_call',
    id: 'ci_##',
    status: 'completed',
    code: '@@',
    container_id: 'cntr_1',
    outputs: [{ type: 'logs', logs: '@@' }],
  }),
  run('image_generation', {
    type: 'image_generation_call',
    id: 'ig_##',
    status: 'completed',
    result: 'iVBORw0KGgoAAAAN@@',
  }),
  run('do', {
    type: 'mcp_call',
    id: 'mcp_##',
    server_label: 'srv',
    name: 'do',
    arguments: '{"q":"@@"}',
    output: '@@',
    error: null,
  }),
  hosted(
    'do',
    'openai-responses',
    { item: request, response: { type: 'mcp_approval_response', approval_request_id: 'mcpr_##', approve: true } },
    { id: 'mcpr_##', state: { status: 'pending', reason: 'approval', approved: true } },
  ),
  hosted(
    'do',
    'openai-responses',
    { item: request },
    { id: 'mcpr_##', state: { status: 'pending', reason: 'approval' } },
  ),
)

const SCREEN = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ@@'

/** The API's own tools that the client runs: name, call item, output item. */
const OWN: readonly (readonly [string, { readonly [key: string]: Json }, { readonly [key: string]: Json }])[] = [
  [
    'shell',
    {
      type: 'shell_call',
      id: 'sh_##',
      call_id: 'call_##',
      action: { commands: ['@@'], timeout_ms: null, max_output_length: null },
      status: 'completed',
    },
    {
      type: 'shell_call_output',
      call_id: 'call_##',
      output: [{ stdout: '@@', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
  ],
  [
    'apply_patch',
    {
      type: 'apply_patch_call',
      id: 'apc_##',
      call_id: 'call_##',
      operation: { type: 'create_file', path: '@@', diff: '@@' },
      status: 'completed',
    },
    { type: 'apply_patch_call_output', call_id: 'call_##', status: 'completed', output: '@@' },
  ],
  [
    'computer',
    {
      type: 'computer_call',
      id: 'cu_##',
      call_id: 'call_##',
      action: { type: 'screenshot' },
      pending_safety_checks: [],
      status: 'completed',
    },
    {
      type: 'computer_call_output',
      call_id: 'call_##',
      output: { type: 'computer_screenshot', image_url: SCREEN },
    },
  ],
]

const ownCall: fc.Arbitrary<ToolCallEntry> = fc
  .tuple(fc.constantFrom(...OWN), fc.boolean(), state)
  .map(([[name, raw, answer], answered, other]): ToolCallEntry => {
    const outcome: ToolCallState = answered
      ? { status: 'completed', result: '@@', extra: slotOf({ item: answer }) }
      : other
    return {
      type: 'tool-call',
      id: 'call_##',
      name,
      args: { what: '@@' },
      state: outcome,
      extra: slotOf({ item: raw }),
    }
  })

const native: fc.Arbitrary<NativePart> = fc.constantFrom<NativePart>(
  {
    type: 'native',
    api: 'openai-responses',
    value: { type: 'refusal', refusal: '@@' },
    text: '@@',
    extra: slotOf({ item: { id: 'msg_##', status: 'completed' } }),
  },
  { type: 'native', api: 'openai-responses', value: { type: 'compaction', id: 'cmp_##', encrypted_content: 'ZW5j@@' } },
  {
    type: 'native',
    api: 'openai-responses',
    value: { type: 'mcp_list_tools', id: 'mcpl_##', server_label: 'srv', tools: [] },
  },
)

const part: fc.Arbitrary<AssistantPart> = fc.oneof(
  { arbitrary: message, weight: 3 },
  { arbitrary: easy, weight: 1 },
  { arbitrary: joined, weight: 1 },
  { arbitrary: reasoning, weight: 2 },
  { arbitrary: call, weight: 3 },
  { arbitrary: hostedCall, weight: 1 },
  { arbitrary: ownCall, weight: 1 },
  { arbitrary: native, weight: 1 },
)

export const responsesParts: fc.Arbitrary<readonly AssistantPart[]> = fc.oneof(
  {
    arbitrary: fc
      .tuple(
        fc.array(reasoning, { maxLength: 1 }),
        fc.array(message, { maxLength: 1 }),
        fc.array(call, { maxLength: 3 }),
      )
      .map((groups) => groups.flat()),
    weight: 3,
  },
  { arbitrary: fc.array(part, { maxLength: 5 }), weight: 2 },
)

export const responsesAuthor: fc.Arbitrary<Author | undefined> = fc.constantFrom<(Author | undefined)[]>(
  undefined,
  { provider: 'openai', api: 'openai-responses', model: 'gpt-5-2025-08-07' },
  { provider: 'openai', api: 'openai-responses', model: 'gpt-4o' },
  { provider: 'azure', api: 'openai-responses', model: 'gpt-5' },
  { model: 'gpt-5' },
)
