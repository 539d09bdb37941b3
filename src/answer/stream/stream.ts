import type { AssistantMessage } from '../../model/session.ts'

/** Collects the events of one answer. */
export interface AnswerStream {
  /** Takes the next event; what is no event of the API's is ignored. */
  push(event: object): void
  /** The message so far: once the stream has ended the same as of the plain answer, before as if nothing more came. */
  message(): AssistantMessage
}

/** An object that is being filled. */
export type Draft = { [key: string]: unknown }

/** Appends to a text of the object; what is no text adds nothing. */
export function append(draft: Draft, key: string, piece: unknown): void {
  if (typeof piece !== 'string') return
  const before = draft[key]
  draft[key] = typeof before === 'string' ? before + piece : piece
}

/** The fields that are not null. */
export function present(fields: { readonly [key: string]: unknown }): Draft {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))
}
