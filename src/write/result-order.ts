import type { AssistantMessage, ToolCallEntry } from '../model/session.ts'

/** `into`: where the handler puts what it writes; handed on, so that no message makes a function of its own. */
type WriteCall<Into> = (call: ToolCallEntry, position: number, into: Into) => void

/**
 * Calls `write` with the client's calls of a message, in the order in which their results were stored; each call's own
 * place is the default.
 */
export function inResultOrder<Into>(message: AssistantMessage, write: WriteCall<Into>, into: Into): void {
  const { parts } = message
  for (const part of parts) {
    if (part.type !== 'tool-call' || part.executor === 'provider' || part.resultOrder === undefined) continue
    writeReordered(message, write, into)
    return
  }
  for (let position = 0; position < parts.length; position++) {
    const part = parts[position]!
    if (part.type === 'tool-call' && part.executor !== 'provider') write(part, position, into)
  }
}

function writeReordered<Into>(message: AssistantMessage, write: WriteCall<Into>, into: Into): void {
  const calls = message.parts.flatMap((call, position) =>
    call.type === 'tool-call' && call.executor !== 'provider' ? [{ call, position }] : [],
  )
  const ranked = calls.map((placed, index) => ({ ...placed, rank: placed.call.resultOrder ?? index, index }))
  ranked.sort((a, b) => a.rank - b.rank || a.index - b.index)
  for (const { call, position } of ranked) write(call, position, into)
}
