import { isObject } from '../../model/json.ts'
import type { AssistantMessage, AssistantPart, ToolCallEntry, ToolCallState } from '../../model/session.ts'

/**
 * The message of a stream that has not ended, as if it never will. A call whose arguments are still coming was not run;
 * one that is whole waits for the client; of one that the API runs itself nobody knows.
 */
export function asStopped(
  message: AssistantMessage,
  isWhole: (call: number) => boolean,
  stop: 'aborted' | 'error',
): AssistantMessage {
  let calls = 0
  const stopped = (part: AssistantPart): AssistantPart => {
    if (part.type !== 'tool-call') return part
    return isWhole(calls++) ? whole(part) : cutOff(part)
  }
  return { ...message, parts: message.parts.map(stopped), stop }
}

const NOT_RUN: ToolCallState = { status: 'interrupted', dispatched: false }

/** The arguments stay the text that came, unless it is an object, which nothing can follow. */
function cutOff(call: ToolCallEntry): ToolCallEntry {
  const args = call.argsText === undefined || isObject(call.args) ? call.args : call.argsText
  return { ...call, args, state: NOT_RUN }
}

function whole(call: ToolCallEntry): ToolCallEntry {
  const { state } = call
  const isAtWork = call.executor === 'provider' && state.status === 'pending' && state.reason === undefined
  return isAtWork ? { ...call, state: { status: 'interrupted' } } : call
}
