import type { AssistantMessage, ToolCallEntry } from '../model/session.ts'

export interface PlacedCall {
  readonly call: ToolCallEntry
  /** Index among the parts. */
  readonly position: number
}

/** The client's calls of a message in the order in which their results were stored; each call's own place is the default. */
export function byResultOrder(message: AssistantMessage): readonly PlacedCall[] {
  const calls: PlacedCall[] = []
  let reordered = false
  for (let position = 0; position < message.parts.length; position++) {
    const part = message.parts[position]!
    if (part.type !== 'tool-call' || part.executor === 'provider') continue
    reordered ||= part.resultOrder !== undefined
    calls.push({ call: part, position })
  }
  if (!reordered) return calls
  const order = calls.map((placed, index) => ({ placed, rank: placed.call.resultOrder ?? index, index }))
  return order.sort((a, b) => a.rank - b.rank || a.index - b.index).map(({ placed }) => placed)
}
