import type {
  AssistantMessage,
  AssistantPart,
  Change,
  InstructionMessage,
  Message,
  ToolCallEntry,
  ToolCallState,
  UserMessage,
} from '../model/session.ts'

/** A call as a reader sees it: without its outcome. */
export type OpenCall = Omit<ToolCallEntry, 'state' | 'resultOrder'>

/** A result as a reader sees it. */
export interface StoredResult {
  /** '' when the source stored none: then paired by name and order. */
  readonly callId: string
  readonly name?: string | undefined
  readonly state: ToolCallState
  /** A producer's own closer, put there so that the history is valid: a real result replaces it. */
  readonly synthetic?: boolean | undefined
  readonly line?: number | undefined
}

/** Where calls meet results: readers give events in the order of the source, and get messages whose calls own their outcome. */
export interface Assembler {
  user(message: Omit<UserMessage, 'role'>): void
  instruction(message: Omit<InstructionMessage, 'role'>): void
  /**
   * Calls among the parts are open until a result comes; an entry that already has a `state` keeps it.
   * `join`: adjacent assistant messages become one, unless a result or another message stands between them.
   */
  assistant(
    message: Omit<AssistantMessage, 'role' | 'parts'> & {
      readonly parts: readonly (Exclude<AssistantPart, ToolCallEntry> | OpenCall | ToolCallEntry)[]
    },
    place?: { readonly line?: number; readonly join?: boolean },
  ): void
  result(result: StoredResult): void
  report(change: Change): void
  finish(): { readonly messages: readonly Message[]; readonly changes: readonly Change[] }
}

export interface AssemblerOptions {
  /** What becomes of calls without a result: of a transcript whose process is gone `interrupted`, of a body's end `pending`. */
  readonly unanswered: 'interrupted' | 'pending-at-end'
}
