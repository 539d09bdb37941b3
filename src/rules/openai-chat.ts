import { stringAt, valueAt } from '../model/json.ts'
import type { NativePart } from '../model/session.ts'
import { reasoningBack } from './chat-servers.ts'
import { modelRow } from './model-id.ts'
import type { OpenAIChatOptions } from './options.ts'
import type { MediaRow, Rules } from './rules.ts'

export type InstructionRole = 'system' | 'developer'

/** Which instruction roles a model takes; an empty list: none, so that instructions become user text. */
export const OPENAI_INSTRUCTION_ROLES: { readonly [model: string]: readonly InstructionRole[] } = {
  'o1-mini*': [],
  'o1-preview*': [],
  'gpt-3.5*': ['system'],
}

export function chatInstructionRoles(options: OpenAIChatOptions): readonly InstructionRole[] {
  const roles = modelRow(OPENAI_INSTRUCTION_ROLES, options.model)
  if (roles !== undefined) return roles
  // Some Azure deployments and compatible servers know no developer role.
  if (options.platform === 'azure' || options.dialect !== undefined || options.model === undefined) return ['system']
  return ['system', 'developer']
}

/** What may stand in ids and names: `[a-zA-Z0-9_-]`. */
const FOREIGN = /[^a-zA-Z0-9_-]/

const SEEN: MediaRow = {
  image: { types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'], sources: ['base64', 'url'] },
  file: { types: ['application/pdf'], sources: ['base64', 'file'] },
}
const HEARD: MediaRow = { ...SEEN, audio: { types: ['audio/wav', 'audio/mp3'], sources: ['base64'] } }

/** What a model takes in user messages. @see rules openai-chat/image-model-unsupported, content-part-not-allowed-for-model */
const MODEL_MEDIA: { readonly [model: string]: MediaRow } = {
  'gpt-4o-audio*': HEARD,
  'gpt-4o-mini-audio*': HEARD,
  'gpt-audio*': HEARD,
  'gpt-realtime*': HEARD,
  'gpt-3.5*': {},
  'gpt-4*': {},
  'gpt-4-turbo*': SEEN,
  'gpt-4-vision*': SEEN,
  'gpt-4-1106-vision*': SEEN,
  'gpt-4.1*': SEEN,
  'gpt-4.5*': SEEN,
  'gpt-4o*': SEEN,
  'chatgpt-4o*': SEEN,
  'o1*': SEEN,
  'o1-mini*': {},
  'o1-preview*': {},
  'o3*': SEEN,
  'o3-mini*': {},
  'o4*': SEEN,
  'gpt-5*': SEEN,
}

/** Of models that are not known, few take audio; older versions of Azure take no files. */
function userMedia(options: OpenAIChatOptions, strict: boolean): MediaRow {
  const row = modelRow(MODEL_MEDIA, options.model) ?? (strict ? SEEN : HEARD)
  return strict && options.platform === 'azure' ? { ...row, file: undefined } : row
}

const NATIVES: ReadonlySet<string> = new Set(['audio', 'refusal'])

/** A server's part goes to that server alone. */
function takesNative(part: NativePart, { dialect }: OpenAIChatOptions, strict: boolean): boolean {
  if (part.dialect !== undefined) return part.dialect === dialect
  return !strict || dialect !== undefined || NATIVES.has(stringAt(part.value, 'type') ?? '')
}

/** Equivalences of the API (law 6): string content is one text part; content null, absent, and '' beside calls are one. */
export function chatRules(options: OpenAIChatOptions): Rules {
  const strict = options.level !== 'live'
  const back = reasoningBack(options.dialect)
  return {
    api: 'openai-chat',
    refusesNul: strict,
    callIds: { foreign: strict ? FOREIGN : undefined, maxLength: 40, unique: strict ? 'request' : 'message' },
    names: { foreign: FOREIGN, maxLength: 64 },
    definedNames: { foreign: FOREIGN, maxLength: 64 },
    args: strict ? 'object-text' : 'text',
    customCalls: true,
    blankText: strict ? 'drop' : 'keep',
    emptyMessages: strict ? 'none' : 'all',
    ownContent: ['refusal', 'audio'],
    // A chat message has one place for its text and one for its calls.
    textBehindCalls: 'move',
    reasoning: {
      mode: options.reasoning ?? 'replay',
      // No parameter of OpenAI's own takes reasoning; other servers take back what they said.
      signed: (slot) => back !== undefined && valueAt(slot, 'field') !== undefined,
      providers: back === undefined || options.dialect === undefined ? [] : [options.dialect],
      model: 'any',
      unknownAuthor: 'drop',
      prefixBound: false,
      mustLead: false,
      // A message of nothing but reasoning has no content.
      mustBeFollowed: back !== undefined,
      boundTo: 'nothing',
    },
    media: { describe: options.media === 'describe', urls: /^https?:/i, user: userMedia(options, strict), result: {} },
    providerCalls: {
      replayable: () => false,
      resumable: () => false,
      lateId: () => undefined,
      holdsResult: () => false,
      ownerOf: () => undefined,
    },
    slots: {
      parts: {
        text: ['prompt_cache_breakpoint', 'role', 'name'],
        media: ['detail', 'prompt_cache_breakpoint'],
        'tool-call': [],
      },
      state: [],
      nested: {},
    },
    takesNative: (part) => takesNative(part, options, strict),
    hoistsInstructions: false,
    definesOwn: () => true,
    wantsTools: false,
  }
}
