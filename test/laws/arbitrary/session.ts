import fc from 'fast-check'
import type {
  Extra,
  InstructionMessage,
  Message,
  TextPart,
  ToolDefinition,
  UserMessage,
  UserPart,
} from '../../../src/model/session.ts'
import { anthropicAuthor, anthropicParts, anthropicUserPart, lateServerResult } from './anthropic.ts'
import { clientCall, defined } from './calls.ts'
import { media } from './media.ts'
import { chatAuthor, chatMessageSlot, chatParts, chatUserPart } from './openai-chat.ts'
import { responsesAuthor, responsesParts } from './openai-responses.ts'
import { type Draft, type Stamped, stamped } from './stamp.ts'
import { text, told, toolName } from './texts.ts'

const FOREIGN: Extra = { 'claude-code': { uuid: '@@' }, gemini: { thoughtSignature: '@@' } }

const plainUserPart: fc.Arbitrary<UserPart> = fc.oneof(
  { arbitrary: text.map((value): UserPart => ({ type: 'text', text: value })), weight: 5 },
  { arbitrary: media, weight: 2 },
  {
    arbitrary: fc.constantFrom<UserPart>(
      { type: 'native', api: 'gemini', value: { fileData: '@@' } },
      { type: 'native', api: 'gemini', value: { fileData: '@@' }, text: '@@' },
      { type: 'text', text: '@@', extra: FOREIGN },
    ),
    weight: 1,
  },
)

const user: fc.Arbitrary<UserMessage> = fc
  .record({
    parts: fc.array(fc.oneof(plainUserPart, anthropicUserPart, chatUserPart), { maxLength: 3 }),
    kind: fc.constantFrom(undefined, undefined, undefined, 'summary' as const, 'injected' as const),
    extra: fc.constantFrom<(Extra | undefined)[]>(undefined, undefined, undefined, {
      'openai-chat': { name: 'alice' },
    }),
  })
  .map((message) => defined<UserMessage>({ role: 'user', ...message }))

const instruction: fc.Arbitrary<InstructionMessage> = fc
  .tuple(fc.array(text, { maxLength: 2 }), fc.constantFrom('system' as const, 'developer' as const))
  .map(([texts, authority]) => ({
    role: 'instruction',
    authority,
    parts: texts.map((value): TextPart => ({ type: 'text', text: value })),
  }))

const geminiParts = fc.constantFrom<Message[]>(
  {
    role: 'assistant',
    by: { provider: 'google', api: 'gemini', model: 'gemini-3-pro' },
    parts: [
      { type: 'reasoning', text: '@@', extra: { gemini: { thoughtSignature: '@@' } } },
      { type: 'text', text: '@@' },
      { type: 'media', kind: 'image', mediaType: 'image/png', source: { base64: 'iVBORw0KGgoAAAAN' } },
    ],
  },
  {
    role: 'assistant',
    by: { provider: 'google', api: 'gemini', model: 'gemini-3-pro' },
    parts: [{ type: 'native', api: 'gemini', value: { executableCode: '@@' } }],
  },
  { role: 'assistant', stop: 'aborted', parts: [] },
)

const STOPS = fc.constantFrom(undefined, 'end' as const, 'tool-calls' as const, 'aborted' as const, 'length' as const)

const assistant: fc.Arbitrary<Message> = fc.oneof(
  {
    arbitrary: fc
      .tuple(anthropicAuthor, anthropicParts, STOPS)
      .map(([by, parts, stop]): Message => defined({ role: 'assistant', by, parts, stop })),
    weight: 3,
  },
  {
    arbitrary: fc
      .tuple(chatAuthor, chatParts, chatMessageSlot)
      .map(([by, parts, extra]): Message => defined({ role: 'assistant', by, parts, extra })),
    weight: 3,
  },
  {
    arbitrary: fc
      .tuple(responsesAuthor, responsesParts)
      .map(([by, parts]): Message => defined({ role: 'assistant', by, parts })),
    weight: 3,
  },
  {
    arbitrary: fc.array(clientCall(), { maxLength: 3 }).map((parts): Message => ({ role: 'assistant', parts })),
    weight: 2,
  },
  { arbitrary: geminiParts, weight: 1 },
)

const fragment: fc.Arbitrary<readonly Message[]> = fc.oneof(
  { arbitrary: user.map((message) => [message]), weight: 5 },
  { arbitrary: assistant.map((message) => [message]), weight: 8 },
  { arbitrary: instruction.map((message) => [message]), weight: 1 },
  { arbitrary: lateServerResult, weight: 1 },
)

const PARAMETERS = {
  type: 'object',
  properties: { path: { type: 'string', description: '@@' } },
  required: ['path'],
}

const definition: fc.Arbitrary<ToolDefinition> = fc.oneof(
  {
    arbitrary: toolName.map((name): ToolDefinition => ({ name, description: '@@', parameters: PARAMETERS })),
    weight: 5,
  },
  {
    arbitrary: fc.constantFrom<ToolDefinition>(
      { name: 'bare' },
      { name: 'grammar', kind: 'custom', description: '@@' },
      { name: 'bash', description: '@@\ud800', parameters: { properties: { command: { type: 'string' } } } },
      { name: 'listed', parameters: ['not a schema'] },
      { name: 'cached', description: '@@', extra: { anthropic: { cache_control: { type: 'ephemeral' } } } },
      {
        name: 'web_search',
        extra: { anthropic: { raw: { type: 'web_search_20250305', name: 'web_search', max_uses: 3 } } },
      },
      { name: 'web_search', extra: { 'openai-responses': { raw: { type: 'web_search' } } } },
      { name: 'strict', description: '@@', parameters: PARAMETERS, extra: { 'openai-chat': { strict: false } } },
    ),
    weight: 3,
  },
)

const head: fc.Arbitrary<Draft['head']> = fc
  .record({
    title: fc.constantFrom(undefined, 'A title'),
    instructions: fc.constantFrom<(readonly TextPart[] | undefined)[]>(
      undefined,
      [{ type: 'text', text: 'You are helpful. @@' }],
      [
        { type: 'text', text: '@@', extra: { anthropic: { cache_control: { type: 'ephemeral' } } } },
        { type: 'text', text: ' ' },
        { type: 'text', text: '@@\ud800' },
      ],
      [{ type: 'text', text: '@@', extra: { 'openai-chat': { role: 'developer' } } }],
    ),
    tools: fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 1 },
      { arbitrary: fc.array(definition, { maxLength: 4 }), weight: 2 },
    ),
  })
  .map((fields) => defined<Draft['head']>({ version: 1, ...fields }))

/** Any session that the model can say. */
export function sessions(maxFragments = 8): fc.Arbitrary<Stamped> {
  return fc
    .tuple(head, fc.array(fragment, { maxLength: maxFragments, size: 'max' }))
    .map(([first, fragments]) => stamped({ head: first, fragments }))
}

/** A coming user turn. */
export const next: fc.Arbitrary<string | readonly UserPart[]> = fc.oneof(
  { arbitrary: fc.constant('Go on.'), weight: 3 },
  { arbitrary: told.map((value) => value.replaceAll('@@', 'next')), weight: 1 },
  {
    arbitrary: fc.constant<readonly UserPart[]>([
      { type: 'text', text: 'Look:' },
      {
        type: 'media',
        kind: 'image',
        mediaType: 'image/png',
        source: { base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ' },
      },
    ]),
    weight: 1,
  },
)

export type { Stamped } from './stamp.ts'
