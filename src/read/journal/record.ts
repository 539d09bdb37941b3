import type { Json, Message, Session, ToolCallState, Usage, UserPart } from '../../model/session.ts'

/** Raised when a record changes its meaning; a reader refuses versions that it does not know. */
export const JOURNAL_VERSION = 1

/** What is known of the session beside its messages. */
export type SessionHead = Omit<Session, 'version' | 'messages'>

/** One line of a journal: what happened, and when. The shapes of a version never change; kinds and optional fields may be added. */
export type JournalRecord = Stamp & JournalEntry

/** What every record has beside what happened. */
export interface Stamp {
  /** The version; its name tells a line of a journal from the lines of all other formats. */
  readonly journal: typeof JOURNAL_VERSION
  /** Counts the records of the session from 0, so that a lost or repeated one is seen. */
  readonly seq: number
  /** ISO 8601, of the writer's clock. For people: nothing is decided by it, since clocks jump. */
  readonly at: string
}

/** What happened, by its kind. */
export type JournalEntry =
  | SessionEntry
  | MessageEntry
  | DispatchEntry
  | SettleEntry
  | TurnEntry
  | UsageEntry
  | CompactionEntry
  | RewindEntry
  | RepairEntry

/** Fields that come again replace those of before. */
export interface SessionEntry {
  readonly type: 'session'
  readonly session: SessionHead
  /** So many messages that were there before the journal follow; with fewer, a crash cut off their import. */
  readonly start?: number | undefined
}

/** Calls stand with the state that they had when the message was recorded. */
export interface MessageEntry {
  readonly type: 'message'
  readonly message: Message
  /** The rest of the assistant message before it, where nothing stands between the two. */
  readonly joins?: boolean | undefined
}

/** The body of a tool starts now: from here on its effects may be there, whatever happens. */
export interface DispatchEntry {
  readonly type: 'dispatch'
  readonly call: DispatchedCall
}

/** A call whose tool starts now. */
export interface DispatchedCall {
  /** Of a call that waits for its result. A call without an id cannot be dispatched. */
  readonly id: string
  /** Of the tool, as the call names it. */
  readonly name: string
  /** As they are run, which may be other ones than the model gave. */
  readonly args: Json
  /** The tool only reads. */
  readonly readOnly?: boolean | undefined
}

/** What became of a call. A state `pending` leaves it open. */
export interface SettleEntry {
  readonly type: 'settle'
  /** '' when the call has none: then paired by name and order. */
  readonly callId: string
  readonly name?: string | undefined
  /** Which call of the journal it is, counted from 0, where it is known better than by its id. */
  readonly call?: number | undefined
  readonly state: ToolCallState
}

/** Where a turn stands: it waits to be begun, it runs, or it is over. */
export type TurnStage = 'accepted' | 'started' | TurnOutcome
/** How a turn ended. */
export type TurnOutcome = 'completed' | 'failed' | 'interrupted'

/** A turn came to a stage. */
export interface TurnEntry {
  readonly type: 'turn'
  readonly id: string
  readonly stage: TurnStage
}

/** What was spent since the last one, in tokens, and how full the context is now. */
export interface UsageEntry {
  readonly type: 'usage'
  readonly usage: Usage
  readonly context?: ContextSize | undefined
}

/** How full the context of the model is, in tokens. */
export interface ContextSize {
  /** 0 or more. */
  readonly used: number
  /** How many it holds: above 0. */
  readonly max: number
}

/** A summary takes the place of all messages but the last `keep`. */
export interface CompactionEntry {
  readonly type: 'compaction'
  readonly parts: readonly UserPart[]
  readonly keep: number
}

/** The conversation goes on behind its first `keep` messages; the others become a branch. */
export interface RewindEntry {
  readonly type: 'rewind'
  readonly keep: number
}

/** What opening found undone. It closes the calls and turns that it names: there are no closers beside it. */
export interface RepairEntry {
  readonly type: 'repair'
  /** Bytes that a crash left of records: exactly this range is skipped. */
  readonly torn?: ByteRange | undefined
  readonly closed: readonly ClosedCall[]
  readonly turns: readonly string[]
}

/** Bytes of the store, counted from 0. */
export interface ByteRange {
  readonly offset: number
  readonly length: number
}

/** A call that nobody went on with. */
export interface ClosedCall {
  readonly id: string
  /** Which call of the journal it is, counted from 0: ids may occur again. */
  readonly call: number
  /** Absent when it cannot be known. */
  readonly dispatched?: boolean | undefined
}
