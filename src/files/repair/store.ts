import type { FormatId, Session } from '../../model/session.ts'
import type { ReadResult } from '../../read/reader.ts'
import type { OpenCall, Replaced } from './plan.ts'

/** What would be done to one session of a store that holds many: a database, or a storage tree. */
export interface StorePlan {
  readonly format: FormatId
  readonly session: Session
  readonly closed: readonly OpenCall[]
  readonly leftToTool: readonly OpenCall[]
  readonly replaced: readonly Replaced[]
  readonly after: Session
  /** When what is to be changed, or what stands beside it, was last changed. */
  readonly changedAt: number
  /** Gives the path of the backup. */
  write(): Promise<string>
}

/** The calls of a session that have no result, and are not closed. */
export function leftOpen(
  { session, changes }: Pick<ReadResult, 'session' | 'changes'>,
  closed: readonly OpenCall[],
): readonly OpenCall[] {
  const isClosed = new Set(closed.map(({ id }) => id))
  const unfinished = new Set(changes.flatMap(({ code, at }) => (code === 'call-unfinished' ? (at.callId ?? []) : [])))
  return callsOf(session).filter(({ id }) => unfinished.has(id) && !isClosed.has(id))
}

function callsOf({ messages }: Session): readonly OpenCall[] {
  return messages.flatMap((message) =>
    message.role !== 'assistant'
      ? []
      : message.parts.flatMap((part) => (part.type === 'tool-call' ? [{ id: part.id, name: part.name }] : [])),
  )
}
