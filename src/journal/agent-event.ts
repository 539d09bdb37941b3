import type { Fields } from '../model/json.ts'
import { own } from '../model/own.ts'
import type { Extra, Json, ToolOutput } from '../model/session.ts'
import { isOutput, isText, isValue, mayExtra, mayFlag, mayText } from '../read/journal/model-guards.ts'

/**
 * What an agent tells while it runs, for `capture`. Events are plain JSON, and are copied; fields that are not named here are
 * passed over.
 */
export type AgentEvent =
  /** A piece of the answer, of any length: pieces that follow each other become one text. */
  | { readonly type: 'text'; readonly text: string }
  /**
   * A piece of the reasoning. `extra` holds what its provider wants back, such as a signature, in the slots of `extra`: the
   * piece that brings it ends the part.
   */
  | { readonly type: 'reasoning'; readonly text: string; readonly extra?: Extra | undefined }
  /** A call of a tool, whole. Without an id, or with an empty one, it is given one: its result is found by name and order. */
  | { readonly type: 'tool-call'; readonly id?: string | undefined; readonly name: string; readonly args: Json }
  /**
   * What a call gave: that of its id, else the oldest open one of its name, else the oldest. One that came with an id takes
   * results of that id, and those without any.
   */
  | {
      readonly type: 'tool-result'
      readonly id?: string | undefined
      readonly name?: string | undefined
      /** A text, or parts as in a `completed` state. */
      readonly result: ToolOutput
      /** True: `result` is the text of an error. Default false. */
      readonly failed?: boolean | undefined
    }
  /** Something the user said meanwhile. */
  | { readonly type: 'interjected'; readonly text: string }
  /** The run is over: what was said so far is recorded. So it is when the stream ends without this. */
  | { readonly type: 'done' }
  /** The run was cut off: its open calls are told to be interrupted, for that reason. */
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
