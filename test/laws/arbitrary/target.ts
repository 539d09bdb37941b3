import fc from 'fast-check'
import { ANTHROPIC_MODELS } from '../../../src/rules/anthropic.ts'
import type {
  AnthropicOptions,
  OpenAIChatOptions,
  OpenAIResponsesOptions,
  WriteOptions,
} from '../../../src/rules/options.ts'
import { defined } from './calls.ts'

/** Where a request goes: the options of the writer, and what the caller puts beside the request in the body. */
export interface Target<Options> {
  readonly options: Options
  readonly beside: { readonly [key: string]: unknown }
  /** What the checker is told. */
  readonly platform: string | undefined
}

/** A name of every family, with the marks that platforms and releases add to some. */
const ANTHROPIC_NAMES: readonly string[] = [
  ...Object.keys(ANTHROPIC_MODELS).filter((name) => !name.endsWith('*')),
  'claude-3-5-sonnet-20241022',
  'claude-3-7-sonnet-latest',
  'claude-3-haiku-20240307',
  'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'claude-opus-4-1@20250805',
  'claude-tomorrow-9',
]

/** `thinking.type: 'enabled'` is taken by these alone. */
const MANUAL = /claude-(?:3|(?:sonnet|opus)-4(?:-[0156]|-2025\d{4}|@|$)|haiku-4-5|mythos-preview)/

const platform = fc.constantFrom(
  undefined,
  undefined,
  undefined,
  'anthropic' as const,
  'bedrock' as const,
  'vertex' as const,
)

const instructions = fc.constantFrom(
  undefined,
  undefined,
  undefined,
  undefined,
  undefined,
  'drop' as const,
  'Be brief.',
)

export const anthropicTarget: fc.Arbitrary<Target<AnthropicOptions>> = fc
  .record({
    sent: fc.constantFrom(...ANTHROPIC_NAMES),
    named: fc.boolean(),
    thinking: fc.constantFrom(undefined, true, true, false),
    platform,
    reasoning: fc.constantFrom(undefined, undefined, undefined, 'text' as const, 'drop' as const),
    cache: fc.constantFrom(undefined, undefined, 'drop' as const, 'auto' as const),
    media: fc.constantFrom(undefined, undefined, undefined, 'describe' as const),
    instructions,
  })
  .map(({ sent, named, ...rest }) => ({
    options: defined<AnthropicOptions>({ model: named ? sent : undefined, ...rest }),
    beside: { model: sent, max_tokens: 4096, ...(rest.thinking === true ? thinkingOf(sent) : {}) },
    platform: rest.platform,
  }))

function thinkingOf(model: string): object {
  return { thinking: MANUAL.test(model) ? { type: 'enabled', budget_tokens: 1024 } : { type: 'adaptive' } }
}

const OPENAI_NAMES = [
  'gpt-4o',
  'gpt-4o-2024-08-06',
  'gpt-4.1-mini',
  'o1-mini',
  'o1-preview-2024-09-12',
  'o1',
  'o3-mini',
  'o4-mini',
  'gpt-5',
  'gpt-5-mini',
  'gpt-5-chat-latest',
  'gpt-5.1',
  'gpt-5.4',
  'gpt-5.6',
  'gpt-3.5-turbo',
  'gpt-4',
  'gpt-4-turbo',
  'gpt-4o-audio-preview',
  'some-model',
] as const

/** Where the writer is not told the model, it may still be any that takes instructions and images. */
const UNNAMED = ['gpt-4o', 'gpt-4.1-mini', 'o1', 'o4-mini', 'gpt-5', 'gpt-5.1', 'some-model'] as const

const model = fc.oneof(
  fc.constantFrom(...OPENAI_NAMES).map((sent) => ({ sent, named: true })),
  fc.constantFrom(...UNNAMED).map((sent) => ({ sent, named: false })),
)

const shared = {
  model,
  platform: fc.constantFrom(undefined, undefined, undefined, 'openai' as const, 'azure' as const),
  reasoning: fc.constantFrom(undefined, undefined, undefined, 'text' as const, 'drop' as const),
  media: fc.constantFrom(undefined, undefined, undefined, 'describe' as const),
  instructions,
}

export const chatTarget: fc.Arbitrary<Target<OpenAIChatOptions>> = fc
  .record(shared)
  .map(({ model: { sent, named }, ...rest }) => ({
    options: defined<OpenAIChatOptions>({ model: named ? sent : undefined, ...rest }),
    // Newer models take function tools on this API only without reasoning.
    beside: { model: sent, ...(/^gpt-5\.[456]/.test(sent) ? { reasoning_effort: 'none' } : {}) },
    platform: rest.platform,
  }))

export const responsesTarget: fc.Arbitrary<Target<OpenAIResponsesOptions>> = fc
  .record({ ...shared, store: fc.constantFrom(undefined, true, false) })
  .map(({ model: { sent, named }, ...rest }) => ({
    options: defined<OpenAIResponsesOptions>({ model: named ? sent : undefined, ...rest }),
    beside: { model: sent },
    platform: rest.platform,
  }))

/** At `live` a writer that is not told the model takes the most tolerant one. */
export function known<Options extends WriteOptions>(target: Target<Options>): Target<Options> {
  return target.options.model === undefined ? { ...target, beside: { ...target.beside, model: 'some-model' } } : target
}
