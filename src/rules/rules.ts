import type { ApiId, MediaPart, NativePart } from '../model/session.ts'

/** What an API wants of a history, as one row of data: the repair steps and writers know no API by name. */
export interface Rules {
  readonly api: ApiId
  /** Whether a NUL character is refused, as a lone surrogate always is. */
  readonly refusesNul: boolean
  readonly callIds: IdRule
  /** Names of tools in calls. */
  readonly names: NameRule
  /** Names of tools in definitions. */
  readonly definedNames: NameRule
  /** How arguments are written: `value`, an object; `object-text`, the text of an object; `text`, any text. */
  readonly args: 'value' | 'object-text' | 'text'
  /** Whether calls may carry free text instead of a JSON object. */
  readonly customCalls: boolean
  /** `drop`: every blank text. `drop-alone`: the empty ones, and the blank ones of a message without other content. */
  readonly blankText: 'drop' | 'drop-alone' | 'keep'
  /** Which messages without content are written as they are. */
  readonly emptyMessages: 'none' | 'assistant' | 'all'
  /** Keys of an assistant message's own slot that are content by themselves. */
  readonly ownContent: readonly string[]
  /** Whether text may stand behind a tool call of the same message. */
  readonly textBehindCalls: 'move' | 'keep'
  readonly reasoning: ReasoningRule
  readonly media: MediaRules
  readonly providerCalls: ProviderCallRule
  /** Whether the API takes back a block that is its own: one that it does not know would be refused. */
  takesNative(part: NativePart): boolean
  /** Prefix of item ids by item type, where the API wants items to keep genuine ids. */
  readonly items?: ItemRule | undefined
  readonly slots: SlotRules
  /** Leading instruction messages belong to the system prompt. */
  readonly hoistsInstructions: boolean
  /** Whether a definition of the API's own tool may be given. */
  definesOwn(raw: unknown): boolean
  /** Tool definitions must be there when the history has calls. */
  readonly wantsTools: boolean
}

export interface IdRule {
  /** A character that may not stand in it; absent: all may. */
  readonly foreign?: RegExp | undefined
  readonly maxLength: number
  /** Where an id may stand once only. */
  readonly unique: 'message' | 'request'
}

export interface NameRule {
  readonly foreign?: RegExp | undefined
  readonly maxLength: number
}

export interface ReasoningRule {
  readonly mode: 'replay' | 'text' | 'drop'
  /** Whether the part carries in its slot what the API verifies. */
  readonly signed: (slot: unknown) => boolean
  /** Providers whose signatures this API verifies. */
  readonly providers: readonly string[]
  /** The target model, normalised; undefined: unknown; `any`: reasoning is bound to no model, and plain text. */
  readonly model: string | 'any' | undefined
  /** What to do when the author or the target model is unknown. */
  readonly unknownAuthor: 'replay' | 'drop'
  /** Signatures hold only behind an unchanged prefix. */
  readonly prefixBound: boolean
  /** A message that has reasoning must begin with it. */
  readonly mustLead: boolean
  /** Reasoning must be followed by another part of its message. */
  readonly mustBeFollowed: boolean
  /** What reasoning is bound to: `neighbour`, the reasoning next to it; `follower`, the part behind it; with its id: `follower-id`. */
  readonly boundTo: 'nothing' | 'neighbour' | 'follower' | 'follower-id'
}

/** Which fields of the API's own slots a request can have; a kind of part that is not listed is not looked at. */
export interface SlotRules {
  readonly parts: { readonly [kind: string]: readonly string[] }
  /** Of tool results. */
  readonly state: readonly string[]
  /** Of what stands under a key, and of each item of a list there. */
  readonly nested: { readonly [key: string]: NestedRule }
}

export interface NestedRule {
  readonly only?: readonly string[]
  readonly without?: readonly string[]
}

/** Calls that the API ran itself, by what stands in their slot. */
export interface ProviderCallRule {
  /** The call can be replayed, with its result. */
  replayable(slot: unknown): boolean
  /** The call has no result yet, and the API can go on with it. */
  resumable(slot: unknown): boolean
  /** The id of a call whose result block stands in a later message. */
  lateId(slot: unknown): string | undefined
  /** The slot has the result block. */
  holdsResult(slot: unknown): boolean
  /** The id of the call that a native block is the late result of. */
  ownerOf(value: unknown): string | undefined
}

export interface MediaRules {
  readonly describe: boolean
  /** How a URL begins that the API fetches. */
  readonly urls: RegExp
  readonly user: MediaRow
  readonly result: MediaRow
}

export type MediaRow = { readonly [kind in MediaPart['kind']]?: MediaKindRule | undefined }

export interface MediaKindRule {
  /** Accepted media types of inline data. */
  readonly types: readonly string[]
  readonly sources: readonly SourceKind[]
}

export type SourceKind = 'base64' | 'url' | 'text' | 'file'

export interface ItemRule {
  /** Item type -> how its id begins. */
  readonly prefixes: { readonly [type: string]: string }
  readonly maxLength: number
}
