import type { Fields } from '../model/json.ts'
import { own } from '../model/own.ts'
import type { Extra, Json, ToolOutput } from '../model/session.ts'
import { isOutput, isText, isValue, mayExtra, mayFlag, mayText } from '../read/journal/model-guards.ts'

export type AgentEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string; readonly extra?: Extra | undefined }
  | { readonly type: 'tool-call'; readonly id?: string | undefined; readonly name: string; readonly args: Json }
  | {
      readonly type: 'tool-result'
      readonly id?: string | undefined
      readonly name?: string | undefined
      readonly result: ToolOutput
      readonly failed?: boolean | undefined
    }
  | { readonly type: 'interjected'; readonly text: string }
  | { readonly type: 'done' }
  | { readonly type: 'aborted'; readonly reason?: string | undefined }

const EVENTS: { readonly [K in AgentEvent['type']]: { readonly wanted: string; fits(event: Fields): boolean } } = {
  text: { wanted: 'a text', fits: ({ text }) => isText(text) },
  reasoning: { wanted: 'a text', fits: ({ text, extra }) => isText(text) && mayExtra(extra) },
  'tool-call': {
    wanted: 'a text as name and JSON as args; an id is a text',
    fits: ({ id, name, args }) => mayText(id) && isText(name) && isValue(args),
  },
  'tool-result': {
    wanted: 'a text or a list of parts as result; an id and a name are texts',
    fits: ({ id, name, result, failed }) => mayText(id) && mayText(name) && isOutput(result) && mayFlag(failed),
  },
  interjected: { wanted: 'a text', fits: ({ text }) => isText(text) },
  done: { wanted: 'nothing', fits: () => true },
  aborted: { wanted: 'a text as reason, or none', fits: ({ reason }) => mayText(reason) },
}

/**
 * The event as it will be recorded. It is judged when it comes, since what it says may be recorded much later, with what
 * came before and after it.
 * @throws {TypeError} that says what the event lacks.
 */
export function checkedEvent(event: unknown): AgentEvent {
  const rule = own(EVENTS, typeOf(event))
  if (rule === undefined) {
    const types = Object.keys(EVENTS).join(', ')
    throw new TypeError(`This is no event of an agent; the types of events are ${types}.`)
  }
  const copy = copyOf(event)
  if (copy === undefined || !rule.fits(copy)) {
    throw new TypeError(`An event of the type ${typeOf(event)} has ${rule.wanted}.`)
  }
  return copy as AgentEvent & Fields
}

/** Undefined also where nobody lets us look. */
function typeOf(event: unknown): unknown {
  try {
    return typeof event === 'object' && event !== null && 'type' in event ? event.type : undefined
  } catch {
    return undefined
  }
}

/** Undefined when JSON has no form for it. */
function copyOf(event: unknown): Fields | undefined {
  try {
    return JSON.parse(JSON.stringify(event)) as Fields
  } catch {
    return undefined
  }
}
