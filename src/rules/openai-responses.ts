import { isObject, stringAt, valueAt } from '../model/json.ts'
import { modelName, modelRow } from './model-id.ts'
import type { OpenAIResponsesOptions } from './options.ts'
import type { MediaRow, Rules } from './rules.ts'

/** Whether a model reasons, and so takes reasoning items and `include: ['reasoning.encrypted_content']`. */
const REASONS: { readonly [model: string]: boolean } = {
  'o1*': true,
  'o3*': true,
  'o4*': true,
  'gpt-5*': true,
  'gpt-6*': true,
  'gpt-5-chat*': false,
  'codex-mini*': true,
  'computer-use-preview*': true,
  'gpt-3.5*': false,
  'gpt-4*': false,
  'gpt-4o*': false,
  'gpt-4.1*': false,
  'gpt-4.5*': false,
  'chatgpt-4o*': false,
}

export function reasons(model: string | undefined): boolean {
  return modelRow(REASONS, model) ?? false
}

/** @see https://platform.openai.com/docs/api-reference/responses: how ids of items begin. */
export const ITEM_ID_PREFIXES: { readonly [type: string]: string } = {
  message: 'msg',
  function_call: 'fc',
  function_call_output: 'fc',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctco',
  reasoning: 'rs',
  web_search_call: 'ws',
  file_search_call: 'fs',
  computer_call: 'cu',
  code_interpreter_call: 'ci',
  image_generation_call: 'ig',
  mcp_call: 'mcp',
  mcp_list_tools: 'mcpl',
  mcp_approval_request: 'mcpr',
  local_shell_call: 'lsh',
  shell_call: 'sh',
  shell_call_output: 'sho',
  apply_patch_call: 'apc',
  apply_patch_call_output: 'apco',
  compaction: 'cmp',
  tool_search_call: 'tsc',
  tool_search_output: 'tso',
}

/** What may stand in ids and names: `[a-zA-Z0-9_-]`. */
const FOREIGN = /[^a-zA-Z0-9_-]/

/** Items and content parts that are neither text, media, reasoning nor calls. */
const NATIVES: ReadonlySet<string> = new Set([
  'additional_tools',
  'compaction',
  'compaction_trigger',
  'configuration_update',
  'input_file',
  'input_image',
  'item_reference',
  'mcp_approval_response',
  'mcp_list_tools',
  'program',
  'program_output',
  'refusal',
])

const MEDIA: MediaRow = {
  image: { types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'], sources: ['base64', 'url', 'file'] },
  file: { types: ['application/pdf'], sources: ['base64', 'url', 'file'] },
}

/** Equivalences of the API (law 6): string content is one text part; `type: 'message'` may be absent; instructions '' are absent. */
export function responsesRules(options: OpenAIResponsesOptions): Rules {
  const strict = options.level !== 'live'
  return {
    api: 'openai-responses',
    refusesNul: strict,
    callIds: { foreign: strict ? FOREIGN : undefined, maxLength: 64, unique: 'request' },
    names: { foreign: FOREIGN, maxLength: strict ? 64 : 128 },
    definedNames: { foreign: FOREIGN, maxLength: strict ? 64 : 128 },
    args: strict ? 'object-text' : 'text',
    customCalls: true,
    blankText: strict ? 'drop' : 'keep',
    emptyMessages: strict ? 'none' : 'all',
    ownContent: [],
    textBehindCalls: strict ? 'move' : 'keep',
    reasoning: {
      mode: options.reasoning ?? 'replay',
      signed: (slot) => modelRow(REASONS, options.model) !== false && replayableItem(slot, options.store === true),
      providers: options.platform === 'azure' ? ['azure'] : ['openai'],
      model: options.model === undefined ? undefined : modelName(options.model),
      unknownAuthor: strict ? 'drop' : 'replay',
      prefixBound: false,
      mustLead: false,
      mustBeFollowed: true,
      boundTo: strict ? 'follower-id' : 'follower',
    },
    media: { describe: options.media === 'describe', urls: /^https?:/i, user: MEDIA, result: MEDIA },
    items: { prefixes: ITEM_ID_PREFIXES, maxLength: 64 },
    providerCalls: {
      replayable: (slot) => isObject(valueAt(slot, 'item')),
      resumable: () => false,
      lateId: () => undefined,
      holdsResult: () => false,
      ownerOf: () => undefined,
    },
    slots: {
      parts: {
        text: ['item', 'joined', 'annotations', 'prompt_cache_breakpoint'],
        media: ['detail', 'prompt_cache_breakpoint'],
        'tool-call': ['item', 'id', 'status', 'namespace', 'name', 'async', 'caller'],
      },
      state: ['item', 'id', 'status', 'name', 'namespace', 'caller'],
      nested: {},
    },
    takesNative: (part) => !strict || NATIVES.has(stringAt(part.value, 'type') ?? 'item_reference'),
    hoistsInstructions: false,
    definesOwn: () => true,
    wantsTools: false,
  }
}

/** A stored item is looked up by its id; where nothing is stored, the item must bring its content, encrypted. */
function replayableItem(slot: unknown, stored: boolean): boolean {
  const item = valueAt(slot, 'item')
  return (
    /^rs[a-zA-Z0-9_-]{0,62}$/.test(stringAt(item, 'id') ?? '') &&
    (stored || Boolean(stringAt(item, 'encrypted_content')))
  )
}
