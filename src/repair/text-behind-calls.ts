import type { Part } from '../model/session.ts'
import type { Step } from './step.ts'

const isClientCall = (part: Part): boolean => part.type === 'tool-call' && part.executor !== 'provider'

/**
 * Text (and whatever else is not reasoning) behind a tool call of the same message. The order among calls, and among the
 * other parts, is kept.
 */
export const textBehindCalls: Step = {
  defect: 'text behind a tool call of the same message',
  start(rules) {
    return {
      suspect: (parts) => rules.textBehindCalls === 'move' && behindCall(parts) >= 0,
      mend(draft, _turn, report) {
        const order = draft.parts.map((_, index) => index)
        const first = draft.parts.findIndex(isClientCall)
        for (let index = first + 1; index < draft.parts.length; index++) {
          if (!isClientCall(draft.parts[index]!)) report.add('text-moved', draft.places[index]!)
        }
        const rank = (index: number): number => (isClientCall(draft.parts[index]!) ? 1 : 0)
        order.sort((a, b) => rank(a) - rank(b) || a - b)
        draft.parts = order.map((index) => draft.parts[index]!)
        draft.places = order.map((index) => draft.places[index]!)
      },
    }
  },
}

/** Index of the first part behind a client call that is neither a call nor reasoning, -1 if there is none. */
function behindCall(parts: readonly Part[]): number {
  let called = false
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!
    if (isClientCall(part)) called = true
    else if (called && part.type !== 'reasoning') return index
  }
  return -1
}
