import { fitsMessage } from '../model/fits.ts'
import { valueAt } from '../model/json.ts'
import type { Message, ToolCallEntry } from '../model/session.ts'

export interface CallPlace {
  /** Index of the message. */
  readonly message: number
  /** Index of the part. */
  readonly part: number
}

/** The calls without a known outcome, by the id they are stored under. */
export interface OpenCalls {
  add(message: Message, index: number): void
  /** Of the open calls of that id, those of the nearest earlier turn, and of them the oldest. */
  take(callId: string): CallPlace | undefined
}

/** A call whose state is not known is open, too. */
function isSettled({ state }: ToolCallEntry): boolean {
  const status = valueAt(state, 'status')
  return status === 'completed' || status === 'failed'
}

export function openCalls(messages: readonly Message[]): OpenCalls {
  const open = new Map<string, (CallPlace & { readonly turn: number })[]>()
  let turn = 0
  const add = (message: Message, index: number): void => {
    if (!fitsMessage(message)) return
    if (message.role === 'user') turn++
    if (message.role !== 'assistant') return
    for (let place = 0; place < message.parts.length; place++) {
      const part = message.parts[place]
      if (part?.type !== 'tool-call' || isSettled(part)) continue
      const calls = open.get(part.id)
      const entry = { message: index, part: place, turn }
      if (calls === undefined) open.set(part.id, [entry])
      else calls.push(entry)
    }
  }
  messages.forEach(add)
  return {
    add,
    take(callId) {
      const calls = open.get(callId)
      if (calls === undefined || calls.length === 0) return undefined
      const nearest = calls.at(-1)!.turn
      const found = calls.findIndex((call) => call.turn === nearest)
      return calls.splice(found, 1)[0]
    },
  }
}
