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
    if (rules.textBehindCalls === 'keep') return { suspects: {}, mend() {} }
    return {
      suspects: {},
      suspectsMessage: ({ role }, parts) => role === 'assistant' && isMixed(parts),
      mend(draft, _scene, report) {
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

/** Whether something that would move stands behind a call. */
function isMixed(parts: readonly Part[]): boolean {
  let called = false
  for (const part of parts) {
    if (isClientCall(part)) called = true
    else if (called && part.type !== 'reasoning') return true
  }
  return false
}
