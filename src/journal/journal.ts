import type {
  AssistantMessage,
  InstructionMessage,
  Message,
  Session,
  ToolCallState,
  Usage,
  UserMessage,
  UserPart,
} from '../model/session.ts'
import type { JournalTurn, JournalUsage } from '../read/journal/accounts.ts'
import type {
  ContextSize,
  DispatchedCall,
  JournalEntry,
  JournalRecord,
  SessionHead,
  TurnOutcome,
} from '../read/journal/record.ts'
import { JournalError } from './error.ts'
import { misfit } from './misfit.ts'
import type { Recorder } from './recorder.ts'
import type { Opened } from './recover.ts'

/**
 * A session that is recorded while it runs. Every write resolves when the record is durable, and not before (with
 * `sync: 'turn'`, see there), and rejects with a `JournalError`. What is handed in is copied.
 */
export interface Journal {
  /** What opening had to repair. */
  readonly opened: Opened
  /** A message of the user; `more` are its other fields. */
  user(parts: string | readonly UserPart[], more?: Partial<UserMessage>): Promise<void>
  /**
   * Calls stand with the state they bring, such as `pending`, until they are settled. `joins`: the rest of the assistant
   * message before it, where nothing was recorded between the two.
   */
  assistant(message: Omit<AssistantMessage, 'role'>, more?: { readonly joins?: boolean | undefined }): Promise<void>
  /** `authority` is `system` unless given. */
  instruction(text: string, authority?: InstructionMessage['authority']): Promise<void>
  /** To be awaited before the body of a tool runs: a call that was cut short without it is told never to have started. */
  dispatch(call: DispatchedCall): Promise<void>
  /**
   * Takes, of the open calls of that id, those of the nearest earlier turn, and of them the oldest; with an empty id, by
   * `name` and order. A call that was closed as interrupted takes a real result that comes late.
   */
  settle(callId: string, state: ToolCallState, name?: string): Promise<void>
  /** A turn that waits to be begun. Resolves to its id. */
  acceptTurn(id?: string): Promise<string>
  /** One turn runs at a time. Resolves to its id. */
  beginTurn(id?: string): Promise<string>
  /** A turn that waits ends only as `interrupted`; one that runs, in any way. */
  endTurn(id: string, outcome: TurnOutcome): Promise<void>
  /** `context`: tokens of the model's context in use, and how many it holds. */
  usage(usage: Usage, context?: ContextSize): Promise<void>
  /** What is known of the session beside its messages. Fields that come again replace those of before. */
  describe(head: SessionHead): Promise<void>
  /** A summary takes the place of all messages but the last `keep` (default 0). Those stay in the store. */
  compact(summary: string | readonly UserPart[], keep?: number): Promise<void>
  /** Goes on behind the first `keep` messages. The others stay in the store, as a branch. */
  rewind(keep: number): Promise<void>
  /** What is acknowledged so far. */
  session(): Session
  /** In the order in which they were first recorded. So are these acknowledged, and so is the usage. */
  turns(): readonly JournalTurn[]
  usageTotals(): JournalUsage
  /** Called after a record is durable, in the order of the records. Returns what ends it. */
  subscribe(listener: (record: JournalRecord) => void): () => void
  /** Writes what is waiting and gives the lease back. What is open stays open: the next opening closes it. */
  close(): Promise<void>
}

/** The verbs of a journal, each one record. */
export function journalOf(recorder: Recorder, opened: Opened, reasoning: 'keep' | 'drop'): Journal {
  const { transcript, ledger } = recorder
  // What cannot even be looked at rejects like all that cannot be recorded.
  const record = (type: JournalEntry['type'], entry: () => JournalEntry): Promise<void> => {
    try {
      return recorder.record(entry())
    } catch (cause) {
      return Promise.reject(new JournalError('invalid', misfit(type), { cause }))
    }
  }
  const enterTurn = async (id: string, stage: 'accepted' | 'started'): Promise<string> => {
    await record('turn', () => ({ type: 'turn', id, stage }))
    return id
  }
  const newTurn = unusedIds((id) => ledger.turns.has(id))
  return {
    opened,
    user: (parts, more) =>
      record('message', () => ({ type: 'message', message: { ...more, role: 'user', parts: asParts(parts) } })),
    assistant: (message, more) =>
      record('message', () => ({
        type: 'message',
        message: withReasoning({ ...message, role: 'assistant' }, reasoning),
        ...(more?.joins === true ? { joins: true } : {}),
      })),
    instruction: (text, authority = 'system') =>
      record('message', () => ({ type: 'message', message: { role: 'instruction', authority, parts: asParts(text) } })),
    dispatch: (call) => record('dispatch', () => ({ type: 'dispatch', call })),
    settle: (callId, state, name) =>
      record('settle', () => ({ type: 'settle', callId, ...(name === undefined ? {} : { name }), state })),
    acceptTurn: (id = newTurn()) => enterTurn(id, 'accepted'),
    beginTurn: (id = newTurn()) => enterTurn(id, 'started'),
    endTurn: (id, stage) => record('turn', () => ({ type: 'turn', id, stage })),
    usage: (usage, context) =>
      record('usage', () => ({ type: 'usage', usage, ...(context === undefined ? {} : { context }) })),
    describe: (session) => record('session', () => ({ type: 'session', session })),
    compact: (summary, keep = 0) => record('compaction', () => ({ type: 'compaction', parts: asParts(summary), keep })),
    rewind: (keep) => record('rewind', () => ({ type: 'rewind', keep })),
    session: () => transcript.session(),
    turns: () => transcript.turns(),
    usageTotals: () => transcript.usageTotals(),
    subscribe: (listener) => recorder.subscribe(listener),
    close: () => recorder.close(),
  }
}

/** A message without its reasoning, where that is not to be stored. */
export function withReasoning<M extends Message>(message: M, reasoning: 'keep' | 'drop'): M {
  if (reasoning === 'keep' || message.role !== 'assistant') return message
  return { ...message, parts: message.parts.filter((part) => part.type !== 'reasoning') }
}

function asParts<P>(parts: string | readonly P[]): readonly (P | { readonly type: 'text'; readonly text: string })[] {
  return typeof parts === 'string' ? [{ type: 'text', text: parts }] : parts
}

/** Those that are passed over once are in use for ever. */
function unusedIds(isUsed: (id: string) => boolean): () => string {
  let number = 1
  return () => {
    while (isUsed(`turn-${number}`)) number++
    return `turn-${number}`
  }
}
