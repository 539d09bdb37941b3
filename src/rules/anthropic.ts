import { isObject, stringAt, valueAt } from '../model/json.ts'
import { modelName, modelRow } from './model-id.ts'
import type { AnthropicOptions } from './options.ts'
import type { MediaKindRule, MediaRow, ProviderCallRule, ReasoningRule, Rules, SlotRules, SourceKind } from './rules.ts'

/** @see https://platform.claude.com/docs/en/about-claude/models */
export interface AnthropicModel {
  /** The last message may be an assistant message. */
  readonly prefill: boolean
  /** `role: 'system'` may stand among the messages. */
  readonly midSystem: boolean
  /** `thinking.type: 'enabled'` is taken, and with it the open tool turn must begin with thinking. */
  readonly manualThinking: boolean
  /** Signed thinking is bound to what stood before it. */
  readonly prefixBound: boolean
}

const row = (flags: string): AnthropicModel => ({
  prefill: flags.includes('p'),
  midSystem: flags.includes('s'),
  manualThinking: flags.includes('m'),
  prefixBound: flags.includes('b'),
})

/** p prefill, s system among messages, m manual thinking, b prefix-bound thinking. */
export const ANTHROPIC_MODELS: { readonly [model: string]: AnthropicModel } = {
  'claude-3*': row('pm'),
  'claude-sonnet-4': row('pm'),
  'claude-sonnet-4-0': row('pm'),
  'claude-opus-4': row('pm'),
  'claude-opus-4-0': row('pm'),
  'claude-opus-4-1': row('pm'),
  'claude-haiku-4-5': row('pm'),
  'claude-sonnet-4-5': row('pm'),
  'claude-opus-4-5': row('pm'),
  'claude-opus-4-6': row('m'),
  'claude-sonnet-4-6': row('m'),
  'claude-mythos-preview': row('m'),
  'claude-opus-4-7': row(''),
  'claude-opus-4-8': row('s'),
  'claude-sonnet-5': row(''),
  'claude-opus-5': row('s'),
  'claude-fable-5': row('s'),
  'claude-mythos-5': row('s'),
  'claude-fable-5-1': row('sb'),
  'claude-mythos-5-1': row('sb'),
  'claude-fable-5-2': row('sb'),
  'claude-mythos-5-2': row('sb'),
  'claude-opus-5-5': row('sb'),
  'claude-sonnet-5-5': row('b'),
  'claude-haiku-5-5': row('b'),
}

/** For a model that is not known: nothing that any model refuses. */
const STRICTEST: AnthropicModel = { prefill: false, midSystem: false, manualThinking: true, prefixBound: true }

export function anthropicModel(id: string | undefined): AnthropicModel {
  return modelRow(ANTHROPIC_MODELS, id) ?? STRICTEST
}

/** What may stand in ids and names: `[a-zA-Z0-9_-]`. */
const FOREIGN = /[^a-zA-Z0-9_-]/

/** @see rules anthropic/block-extra-field, anthropic/nested-citation-extra, anthropic/cache-scope, anthropic/tool-use-caller */
const SLOTS: SlotRules = {
  parts: {
    text: ['citations', 'cache_control'],
    media: ['cache_control', 'citations', 'context', 'transformations'],
    'tool-call': ['cache_control', 'caller', 'toolset_name'],
  },
  state: ['cache_control', 'toolset_name'],
  nested: { cache_control: { only: ['type', 'ttl'] }, citations: { without: ['file_id'] } },
}

const useId = (slot: unknown): string | undefined => stringAt(valueAt(slot, 'use'), 'id')

const holdsResult = (slot: unknown): boolean => isObject(valueAt(slot, 'result'))

/** @see rules anthropic/server-tool-id-pattern, anthropic/server-tool-unpaired, anthropic/server-tool-result-orphan */
const SERVER_TOOLS: ProviderCallRule = {
  replayable: (slot) =>
    /^(?:srv|mcp)toolu_[a-zA-Z0-9_]+$/.test(useId(slot) ?? '') && (holdsResult(slot) || valueAt(slot, 'late') === true),
  resumable: (slot) => /^(?:srv|mcp)toolu_[a-zA-Z0-9_]+$/.test(useId(slot) ?? ''),
  lateId: (slot) => (valueAt(slot, 'late') === true ? useId(slot) : undefined),
  holdsResult,
  ownerOf: (value) => (stringAt(value, 'type')?.endsWith('_tool_result') ? stringAt(value, 'tool_use_id') : undefined),
}

/** Which server tools a platform runs, by the name in their calls. @see rules anthropic/bedrock-unsupported, anthropic/vertex-unsupported */
const RUN_TOOLS: { readonly [platform: string]: RegExp } = {
  anthropic: /(?:)/,
  bedrock: /^\b$/,
  vertex: /^(?:web_search|tool_search)/,
}

/** Definitions of the API's own tools that a platform does not take, by their type. */
const REFUSED_TOOLS: { readonly [platform: string]: RegExp } = {
  anthropic: /^\b$/,
  bedrock: /^(?:code_execution|web_|mcp_|advisor|browser_toolset|computer_toolset)/,
  vertex: /^(?:code_execution|web_fetch|mcp_|advisor|browser_toolset|computer_toolset)/,
}

function providerCalls(platform: string): ProviderCallRule {
  if (platform === 'anthropic') return SERVER_TOOLS
  const runs = (slot: unknown): boolean => {
    const use = valueAt(slot, 'use')
    return stringAt(use, 'type') === 'server_tool_use' && RUN_TOOLS[platform]!.test(stringAt(use, 'name') ?? '')
  }
  return {
    ...SERVER_TOOLS,
    replayable: (slot) => runs(slot) && SERVER_TOOLS.replayable(slot),
    resumable: (slot) => runs(slot) && SERVER_TOOLS.resumable(slot),
  }
}

/** Blocks that are neither text, media nor calls: those of all platforms, and what only the API itself knows. */
const NATIVES: ReadonlySet<string> = new Set([
  'browser_state',
  'compaction',
  'document',
  'image',
  'search_result',
  'tool_reference',
])
const OWN_NATIVES: ReadonlySet<string> = new Set(['container_upload', 'fallback', 'mcp_tool_listing'])

function knowsNative(value: unknown, platform: string): boolean {
  const type = stringAt(value, 'type') ?? ''
  return NATIVES.has(type) || (platform === 'anthropic' && OWN_NATIVES.has(type))
}

const SOURCES: { readonly [platform: string]: readonly SourceKind[] } = {
  anthropic: ['base64', 'url', 'text', 'file'],
  bedrock: ['base64', 'text'],
  vertex: ['base64', 'text'],
}

/** Image types and document types; @see https://platform.claude.com/docs/en/build-with-claude/vision */
function mediaRow(sources: readonly SourceKind[]): MediaRow {
  const image: MediaKindRule = {
    types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
    sources: sources.filter((source) => source !== 'text'),
  }
  return { image, file: { types: ['application/pdf', 'text/plain'], sources } }
}

/** Equivalences of the API (law 6): string content is one text block; adjacent turns of one role are one turn; absent tool_result content is ''. */
export function anthropicRules(options: AnthropicOptions): Rules {
  const strict = options.level !== 'live'
  const { platform = 'anthropic' } = options
  const media = mediaRow(SOURCES[platform]!)
  return {
    api: 'anthropic',
    refusesNul: true,
    callIds: {
      foreign: FOREIGN,
      maxLength: strict ? 64 : Number.POSITIVE_INFINITY,
      unique: strict ? 'request' : 'message',
    },
    names: strict || platform === 'bedrock' ? { foreign: FOREIGN, maxLength: 64 } : { maxLength: 200 },
    definedNames: { foreign: FOREIGN, maxLength: strict || platform === 'bedrock' ? 64 : 128 },
    args: 'value',
    customCalls: false,
    blankText: strict ? 'drop' : 'drop-alone',
    emptyMessages: strict ? 'none' : 'assistant',
    ownContent: [],
    textBehindCalls: strict ? 'move' : 'keep',
    reasoning: reasoningRule(options, strict),
    media: { describe: options.media === 'describe', urls: /^https:/i, user: media, result: media },
    providerCalls: providerCalls(platform),
    takesNative: (part) => !strict || knowsNative(part.value, platform),
    slots: SLOTS,
    hoistsInstructions: true,
    definesOwn: (raw) => !REFUSED_TOOLS[platform]!.test(stringAt(raw, 'type') ?? ''),
    wantsTools: strict || platform === 'bedrock',
  }
}

function reasoningRule(options: AnthropicOptions, strict: boolean): ReasoningRule {
  const model = anthropicModel(options.model)
  return {
    mode: options.reasoning ?? 'replay',
    signed: (slot) => Boolean(stringAt(slot, 'signature') || stringAt(slot, 'data')),
    // Signatures of one platform are valid on the others.
    providers: ['anthropic', 'bedrock', 'amazon-bedrock', 'vertex', 'google-vertex', 'foundry', 'azure'],
    model: options.model === undefined ? undefined : modelName(options.model),
    unknownAuthor: strict && (options.model === undefined || model.prefixBound) ? 'drop' : 'replay',
    prefixBound: model.prefixBound && (strict || options.model !== undefined),
    mustLead: strict,
    mustBeFollowed: true,
    boundTo: 'neighbour',
  }
}
