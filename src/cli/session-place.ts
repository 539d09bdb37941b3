import type { Explanation } from '../check/explain/index.ts'
import type { Session } from '../model/session.ts'
import type { SessionPlace } from '../view/explanation.ts'
import { convert, type WritableApi } from '../write/index.ts'

/**
 * Where an error points in a session: the calls that it names by id, else where its path stands in the request that the
 * session converts to.
 */
export function placesIn(session: Session, explanation: Explanation, api: WritableApi, model?: string): SessionPlace[] {
  const called = callsNamed(session, new Set(explanation.ids))
  if (called.length > 0) return called
  const { path } = explanation
  if (path === undefined || (explanation.api !== undefined && explanation.api !== api)) return []
  const origin = convert<WritableApi>(session, api, { model }).origin(path)
  return origin === undefined ? [] : [origin]
}

function callsNamed({ messages }: Session, ids: ReadonlySet<string>): SessionPlace[] {
  if (ids.size === 0) return []
  return messages.flatMap((message, index) =>
    message.role !== 'assistant'
      ? []
      : message.parts.flatMap((part, position) =>
          part.type === 'tool-call' && ids.has(part.id) ? [{ message: index, part: position, callId: part.id }] : [],
        ),
  )
}
