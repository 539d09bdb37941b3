import type {
  AssistantMessage,
  AssistantPart,
  Change,
  InstructionMessage,
  Message,
  Session,
  TextPart,
  ToolCallState,
  UserMessage,
  UserPart,
} from '../model/session.ts'
import { type Assembler, assembler } from './assemble.ts'

/** Builds a session from a live loop. */
export interface SessionBuilder {
  user(parts: string | readonly UserPart[], more?: Partial<UserMessage>): void
  /** Calls stand with the state they bring, such as `pending`, until they are settled. */
  assistant(parts: string | readonly AssistantPart[], more?: Partial<AssistantMessage>): void
  /** `authority` is `system` unless given. */
  instruction(text: string, authority?: InstructionMessage['authority']): void
  /**
   * Takes, of the open calls of that id, those of the nearest earlier turn, and of them the oldest; with an empty id, by
   * `name` and order. A state `pending` leaves the call open. A call that is settled, or not there, is reported by `build`.
   */
  settle(callId: string, state: ToolCallState, name?: string): void
  /** The session so far; may be asked again later. */
  build(): { readonly session: Session; readonly changes: readonly Change[] }
}

/** Goes on from `start`, whose calls can be settled too. */
export function sessionBuilder(start: Partial<Session> = {}): SessionBuilder {
  // A live loop names the state of every call; one that does not is a call that still runs.
  const into = assembler({ unanswered: 'pending-at-end' })
  for (const message of start.messages ?? []) TAKE_UP[message.role](into, message as never)
  return {
    user: (parts, more) => into.user({ ...bare(more), parts: asParts(parts) }),
    assistant: (parts, more) => into.assistant({ ...bare(more), parts: asParts(parts) }),
    instruction: (text, authority = 'system') => into.instruction({ authority, parts: [{ type: 'text', text }] }),
    settle: (callId, state, name) => into.result({ callId, state, name }),
    build() {
      const { messages, changes } = into.finish()
      return { session: { ...start, version: 1, messages }, changes }
    },
  }
}

const TAKE_UP: { readonly [R in Message['role']]: (into: Assembler, message: Extract<Message, { role: R }>) => void } =
  {
    user: (into, message) => into.user(bare(message)),
    assistant: (into, message) => into.assistant(bare(message)),
    instruction: (into, message) => into.instruction(bare(message)),
  }

function asParts<P>(parts: string | readonly P[]): readonly (P | TextPart)[] {
  return typeof parts === 'string' ? [{ type: 'text', text: parts }] : parts
}

/** The role is the assembler's to give. */
function bare<M extends { readonly role?: unknown }>(message: M | undefined): Omit<M, 'role'> {
  if (message === undefined) return {} as Omit<M, 'role'>
  const { role: _role, ...rest } = message
  return rest
}
