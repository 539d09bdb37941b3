export type { JournalTurn, JournalUsage } from '../read/journal/accounts.ts'
export type {
  ContextSize,
  DispatchedCall,
  JournalRecord,
  SessionHead,
  TurnOutcome,
  TurnStage,
} from '../read/journal/record.ts'
export type { AgentEvent } from './agent-event.ts'
export { capture } from './capture.ts'
export { JournalError, type JournalErrorCode, LockedError } from './error.ts'
export type { Journal } from './journal.ts'
export { type JournalOptions, openJournal } from './open.ts'
export type { Opened } from './recover.ts'
export type { JournalStore, LineEnd, OpenStore, StoredLine } from './store.ts'
export { fileStore, type NamedJournal } from './stores/file.ts'
export { type MemoryStore, memoryStore } from './stores/memory.ts'
export { type JournalSummary, summaryOf, writeSummary } from './summary.ts'
