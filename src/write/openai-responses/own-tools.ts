import { isObject, stringAt, valueAt } from '../../model/json.ts'
import type { ToolCallEntry } from '../../model/session.ts'
import type { InputItem } from './wire.ts'

/** The items of a call that only this API has (shell, local shell, apply patch, computer, tool search) and of its output. */
export interface OwnPair {
  readonly call: InputItem
  readonly output: InputItem
}

/** Items that are refused without their id, which may have been left out. */
const WANT_ID: ReadonlySet<string> = new Set(['computer_call', 'local_shell_call'])

/**
 * Both items as they came, with the call's present id. Without a stored output there is no pair: each kind wants its own
 * shape of output, some of them one that cannot be made up (a screenshot), so that the call goes as a function call.
 */
export function ownPair(call: ToolCallEntry): OwnPair | undefined {
  if (call.state.status === 'interrupted' || call.state.status === 'pending') return undefined
  const item = valueAt(call.extra?.['openai-responses'], 'item')
  const output = valueAt(call.state.extra?.['openai-responses'], 'item')
  if (!isObject(item) || !isObject(output)) return undefined
  if (WANT_ID.has(String(item.type)) && stringAt(item, 'id') === undefined) return undefined
  return { call: withCallId(item, call.id), output: withCallId(output, call.id) }
}

function withCallId(item: { readonly [key: string]: unknown }, id: string): InputItem {
  const stored = stringAt(item, 'call_id')
  return (stored === undefined || stored === id ? item : { ...item, call_id: id }) as unknown as InputItem
}
