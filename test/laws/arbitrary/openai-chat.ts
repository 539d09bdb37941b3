import fc from 'fast-check'
import type {
  AssistantPart,
  Author,
  Extra,
  Json,
  ReasoningPart,
  TextPart,
  UserPart,
} from '../../../src/model/session.ts'
import { clientCall } from './calls.ts'
import { media } from './media.ts'
import { text, told } from './texts.ts'

/** What the reader of Chat Completions leaves in messages and their slots. */

const slotOf = (slot: Json): Extra => ({ 'openai-chat': slot })

export const chatText: fc.Arbitrary<TextPart> = text.map((value) => ({ type: 'text', text: value }))

const thought: fc.Arbitrary<ReasoningPart> = fc
  .tuple(told, fc.constantFrom('reasoning_content', 'reasoning'))
  .map(([value, field]) => ({ type: 'reasoning', text: value, extra: slotOf({ field }) }))

const call = clientCall({ call: fc.constant(undefined), state: fc.constant(undefined) })

const refusal: AssistantPart = {
  type: 'native',
  api: 'openai-chat',
  value: { type: 'refusal', refusal: '@@' },
  text: '@@',
}

const DETAIL = slotOf({ detail: 'low' })

export const chatUserPart: fc.Arbitrary<UserPart> = fc.oneof(
  { arbitrary: chatText, weight: 4 },
  { arbitrary: media, weight: 2 },
  {
    arbitrary: media.map((part) => (part.kind === 'image' ? { ...part, extra: DETAIL } : part)),
    weight: 1,
  },
)

const part: fc.Arbitrary<AssistantPart> = fc.oneof(
  { arbitrary: chatText, weight: 3 },
  { arbitrary: thought, weight: 1 },
  { arbitrary: call, weight: 3 },
  { arbitrary: fc.constant(refusal), weight: 1 },
)

export const chatParts: fc.Arbitrary<readonly AssistantPart[]> = fc.oneof(
  {
    arbitrary: fc
      .tuple(
        fc.array(thought, { maxLength: 1 }),
        fc.array(chatText, { maxLength: 1 }),
        fc.array(call, { maxLength: 3 }),
      )
      .map((groups) => groups.flat()),
    weight: 3,
  },
  { arbitrary: fc.array(part, { maxLength: 4 }), weight: 1 },
)

/** What a message's own slot holds beside its parts. */
export const chatMessageSlot: fc.Arbitrary<Extra | undefined> = fc.oneof(
  { arbitrary: fc.constant(undefined), weight: 6 },
  {
    arbitrary: fc.constantFrom(
      slotOf({ refusal: '@@' }),
      slotOf({ audio: { id: 'audio_@@' } }),
      slotOf({ name: 'bob' }),
      slotOf({ name: 'not a valid name \u00fc' }),
      slotOf({ reasoning_details: [{ type: 'reasoning.text', text: '@@' }] }),
    ),
    weight: 1,
  },
)

export const chatAuthor: fc.Arbitrary<Author | undefined> = fc.constantFrom<(Author | undefined)[]>(
  undefined,
  { provider: 'openai', api: 'openai-chat', model: 'gpt-4o-2024-08-06' },
  { provider: 'openai', api: 'openai-chat', model: 'o3-mini' },
  { provider: 'deepseek', api: 'openai-chat', dialect: 'deepseek', model: 'deepseek-reasoner' },
)
