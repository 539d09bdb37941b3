import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { jsonText, replacing } from './json-file.ts'
import type { JsonText } from './json-text.ts'
import type { OpenCall, Plan, StoredFile } from './plan.ts'

/**
 * A call and its outcome are one value, so that no call can be open in a file that dirge wrote itself. But one state that it does
 * not know, in any message of any branch, and it loads nothing of the file.
 */
export function dirge(stored: StoredFile): Plan {
  const text = jsonText(stored)
  const closed = new Map<string, OpenCall>()
  const mend = (path: readonly (string | number)[], message: unknown): void => {
    for (const call of mendCalls(text, path, message)) closed.set(call.id, call)
  }
  const messages = valueAt(text.value, 'messages')
  if (Array.isArray(messages)) for (const [index, message] of messages.entries()) mend(['messages', index], message)
  const store = valueAt(text.value, 'message_store')
  if (isObject(store)) for (const [id, message] of Object.entries(store)) mend(['message_store', id], message)
  return replacing(stored, text, [...closed.values()])
}

/** Gives back the calls that had no outcome. */
function* mendCalls(text: JsonText, path: readonly (string | number)[], message: unknown): Generator<OpenCall> {
  const calls = valueAt(message, 'tool_calls')
  for (const [index, call] of Array.isArray(calls) ? calls.entries() : []) {
    if (!isObject(call)) continue
    const place = [...path, 'tool_calls', index]
    const mended = mendedState(valueAt(call, 'state'), (key) => text.textAt([...place, 'state', key]))
    if (mended === undefined) continue
    text.set(place, 'state', mended)
    if (mended === INTERRUPTED) yield { id: stringAt(call, 'id') ?? '', name: stringAt(call, 'name') ?? '' }
  }
}

/** How dirge itself stores a call whose outcome it does not know. */
const INTERRUPTED = '{"kind":"interrupted"}'

/** Each kind of state with the text that it must have. */
const STATES: { readonly [kind: string]: string | undefined } = { completed: 'result', failed: 'error' }

/** The text of a state that dirge loads; undefined when it loads the stored one. What a tool gave is kept, as text. */
function mendedState(state: unknown, textOf: (key: string) => string | undefined): string | undefined {
  const kind = stringAt(state, 'kind')
  if (kind === 'interrupted') return undefined
  const key = own(STATES, kind)
  if (key === undefined || kind === undefined) return INTERRUPTED
  if (stringAt(state, key) !== undefined) return undefined
  const output = valueAt(state, key)
  if (output === undefined || output === null) return INTERRUPTED
  return JSON.stringify({ kind, [key]: textOf(key) ?? '' })
}
