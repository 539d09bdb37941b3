import { fitParts, fitsPart, refuseOtherStates } from '../model/fits.ts'
import { isObject } from '../model/json.ts'
import type {
  AssistantMessage,
  AssistantPart,
  Change,
  InstructionMessage,
  Message,
  Session,
  ToolCallState,
  UserMessage,
  UserPart,
} from '../model/session.ts'
import { refuseOthers } from '../model/session-like.ts'
import { type Assembler, assembler } from './assemble.ts'
import { canonicalHead, canonicalPart, canonicalPrompt } from './entries/canonical.ts'
import { type Report, reporter } from './report.ts'

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

/**
 * Goes on from `start`, whose calls can be settled too. What does not fit the model is left out, and reported by `build`.
 * @throws {TypeError} from `settle`, for a state that is none.
 * @throws {ReadError} when the messages of `start` are no list.
 */
export function sessionBuilder(start: Partial<Session> = {}): SessionBuilder {
  // A live loop names the state of every call; one that does not is a call that still runs.
  const into = assembler({ unanswered: 'pending-at-end' })
  const stored = { ...start, messages: start?.messages ?? [] }
  refuseOthers({ ...stored, version: 1 })
  const head = canonicalPrompt(
    stored,
    reporter(
      (found) => into.report(found),
      () => ({}),
    ),
  ) as Partial<Session>
  let count = 0
  const report = reporter(
    (found) => into.report(found),
    () => ({ message: count }),
  )
  const add = (given: unknown): void => {
    const message = canonicalHead(given, report)
    if (message === undefined) return
    TAKE_UP[message.role](into, { ...bare(message), parts: fittingParts(message, report) } as never)
    count++
  }
  for (const message of stored.messages) add(message)
  return {
    user: (parts, more) => add({ ...more, role: 'user', parts: asParts(parts) }),
    assistant: (parts, more) => add({ ...more, role: 'assistant', parts: asParts(parts) }),
    instruction: (text, authority = 'system') =>
      add({ role: 'instruction', authority, parts: [{ type: 'text', text }] }),
    settle(callId, state, name) {
      refuseOtherStates(state)
      into.result({ callId, state, name })
    },
    build() {
      const { messages, changes } = into.finish()
      return { session: { ...head, version: 1, messages }, changes }
    },
  }
}

const TAKE_UP: { readonly [R in Message['role']]: (into: Assembler, message: Omit<MessageOf<R>, 'role'>) => void } = {
  user: (into, message) => into.user(message),
  assistant: (into, message) => into.assistant(message),
  instruction: (into, message) => into.instruction(message),
}

type MessageOf<R extends Message['role']> = Extract<Message, { role: R }>

/** The parts themselves when all of them fit. */
function fittingParts({ role, parts }: Message, report: Report): readonly unknown[] {
  if (fitParts(parts, role)) return parts
  return Array.from(parts as readonly unknown[]).flatMap((part) =>
    isRunning(part, role) ? part : (canonicalPart(part, role, report) ?? []),
  )
}

/** A call that does not name its state. */
function isRunning(part: unknown, role: Message['role']): boolean {
  return isObject(part) && part.state === undefined && fitsPart({ ...part, state: { status: 'pending' } }, role)
}

function asParts(parts: unknown): unknown {
  return typeof parts === 'string' ? [{ type: 'text', text: parts }] : parts
}

/** The role is the assembler's to give. */
function bare<M extends Message>(message: M): Omit<M, 'role'> {
  const { role: _role, ...rest } = message
  return rest
}
