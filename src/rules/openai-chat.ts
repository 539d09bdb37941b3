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

const USER: MediaRow = {
  image: { types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'], sources: ['base64', 'url'] },
  audio: { types: ['audio/wav', 'audio/mp3'], sources: ['base64'] },
  file: { types: ['application/pdf'], sources: ['base64', 'file'] },
}

/** Equivalences of the API (law 6): string content is one text part; content null, absent, and '' beside calls are one. */
export function chatRules(options: OpenAIChatOptions): Rules {
  const strict = options.level !== 'live'
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
    ownContent: ['refusal', 'audio', 'reasoning_details'],
    // A chat message has one place for its text and one for its calls.
    textBehindCalls: 'move',
    reasoning: {
      mode: options.reasoning ?? 'replay',
      // No parameter of the API takes reasoning.
      signed: () => false,
      providers: [],
      model: undefined,
      unknownAuthor: 'drop',
      prefixBound: false,
      mustLead: false,
      mustBeFollowed: false,
      boundTo: 'nothing',
    },
    media: { describe: options.media === 'describe', user: USER, result: {} },
    providerCalls: {
      replayable: () => false,
      resumable: () => false,
      lateId: () => undefined,
      ownerOf: () => undefined,
    },
    hoistsInstructions: false,
    wantsTools: false,
  }
}
