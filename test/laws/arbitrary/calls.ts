import fc from 'fast-check'
import type { Extra, Json, OutputPart, ToolCallEntry, ToolCallState, ToolOutput } from '../../../src/model/session.ts'
import { media } from './media.ts'
import { callId, objectArgs, otherArgs, text, toolName } from './texts.ts'

const outputPart: fc.Arbitrary<OutputPart> = fc.oneof(
  { arbitrary: text.map((value): OutputPart => ({ type: 'text', text: value })), weight: 4 },
  { arbitrary: media, weight: 2 },
  { arbitrary: objectArgs.map((value): OutputPart => ({ type: 'json', value })), weight: 1 },
  {
    arbitrary: fc.constantFrom<OutputPart>(
      { type: 'native', api: 'gemini', value: { blob: '@@' } },
      { type: 'native', api: 'gemini', value: { blob: '@@' }, text: '@@' },
      {
        type: 'native',
        api: 'anthropic',
        value: {
          type: 'search_result',
          source: 'https://example.com/@@',
          title: '@@',
          content: [{ type: 'text', text: '@@' }],
        },
      },
    ),
    weight: 1,
  },
)

export const output: fc.Arbitrary<ToolOutput> = fc.oneof(
  { arbitrary: text, weight: 4 },
  { arbitrary: fc.array(outputPart, { maxLength: 3 }), weight: 2 },
)

const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 2 }, { arbitrary, weight: 1 })

/** Without the keys whose value is undefined, as JSON has it. */
export function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T
}

export const state: fc.Arbitrary<ToolCallState> = fc.oneof(
  { arbitrary: output.map((result): ToolCallState => ({ status: 'completed', result })), weight: 6 },
  {
    arbitrary: fc
      .tuple(output, fc.boolean())
      .map(([error, denied]): ToolCallState => ({ status: 'failed', error, ...(denied ? { denied } : {}) })),
    weight: 2,
  },
  {
    arbitrary: fc
      .tuple(optional(output), optional(fc.boolean()), optional(fc.constantFrom('@@', '', 'killed\ud800 @@')))
      .map(
        ([partial, dispatched, reason]): ToolCallState =>
          defined({ status: 'interrupted', partial, dispatched, reason }),
      ),
    weight: 2,
  },
  {
    arbitrary: fc
      .tuple(optional(fc.constantFrom('approval' as const, 'running' as const)), optional(fc.boolean()))
      .map(([reason, approved]): ToolCallState => defined({ status: 'pending', reason, approved })),
    weight: 1,
  },
)

/** How the stored text of arguments is made: `stamped` writes it from the value; `lie` is the text of another value. */
export const ARGS_TEXT = { compact: '%compact%', spaced: '%spaced%', lie: '%lie%' } as const

/** A slot of the call and one of its state, as one API's reader leaves them. */
export interface CallSlots {
  readonly call: fc.Arbitrary<Extra | undefined>
  readonly state: fc.Arbitrary<Extra | undefined>
}

const NO_SLOTS: CallSlots = { call: fc.constant(undefined), state: fc.constant(undefined) }

/** A call that the client runs. */
export function clientCall(slots: CallSlots = NO_SLOTS): fc.Arbitrary<ToolCallEntry> {
  return fc
    .record({
      id: callId,
      name: toolName,
      args: fc.oneof({ arbitrary: objectArgs, weight: 6 }, { arbitrary: otherArgs, weight: 1 }),
      argsText: fc.constantFrom(
        undefined,
        undefined,
        ARGS_TEXT.compact,
        ARGS_TEXT.compact,
        ARGS_TEXT.spaced,
        ARGS_TEXT.lie,
      ),
      custom: fc.oneof({ arbitrary: fc.constant(false), weight: 9 }, { arbitrary: fc.constant(true), weight: 1 }),
      free: text,
      state,
      order: optional(fc.nat(3)),
      slot: slots.call,
      stateSlot: slots.state,
    })
    .map(({ id, name, args, argsText, custom, free, state: outcome, order, slot, stateSlot }) =>
      defined<ToolCallEntry>({
        type: 'tool-call',
        id,
        name,
        kind: custom ? 'custom' : undefined,
        args: custom ? free : args,
        argsText: custom ? undefined : argsText,
        state: stateSlot === undefined ? outcome : { ...outcome, extra: stateSlot },
        resultOrder: order,
        extra: slot,
      }),
    )
}

/** A call that the API ran itself, with its raw blocks. */
export function hosted(
  name: string,
  api: 'anthropic' | 'openai-responses',
  raw: Json,
  more: Partial<ToolCallEntry> = {},
): ToolCallEntry {
  return {
    type: 'tool-call',
    id: 'hosted_##',
    name,
    args: { query: '@@' },
    executor: 'provider',
    state: { status: 'completed', result: '@@' },
    extra: { [api]: raw },
    ...more,
  }
}
