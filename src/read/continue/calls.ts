import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { ToolCallState } from '../../model/session.ts'
import type { OpenCall, StoredPart } from '../assemble.ts'
import { toolCalls } from '../openai-chat/calls.ts'
import type { Report } from '../report.ts'
import { outputText } from './content.ts'

/** What the tool itself tells the model. */
const CANCELLED = 'The user cancelled this tool call.'
const NOTHING = 'No tool output'

type Outcome = (stored: Fields) => ToolCallState | undefined

const OUTCOMES: { readonly [status: string]: Outcome } = {
  done: (stored) => ({ status: 'completed', result: outputText(stored.output) ?? NOTHING }),
  errored: (stored) => ({ status: 'failed', error: outputText(stored.output) ?? '' }),
  canceled: () => ({ status: 'failed', error: CANCELLED, denied: true }),
  // Its arguments were still coming, or it stood before the user: it did not run.
  generating: () => ({ status: 'interrupted', dispatched: false }),
  generated: () => ({ status: 'interrupted', dispatched: false }),
  calling: (stored) => {
    const partial = outputText(stored.output)
    return partial === undefined ? undefined : { status: 'interrupted', partial }
  },
}

/** The calls of an answer with what became of them, which stands beside the message. */
export function callsOf(item: Fields, message: Fields, report: Report): StoredPart[] {
  const listed = valueAt(item, 'toolCallStates')
  const states = Array.isArray(listed) ? listed.filter(isObject) : []
  const calls = toolCalls(valueAt(message, 'toolCalls'), report)
  const stateOf = outcomes(states, report)
  if (calls.length > 0) return calls.map((call) => withState(call, stateOf(call.id)))
  return states.flatMap((stored) =>
    toolCalls([valueAt(stored, 'toolCall')], report).map((call) => withState(call, stateOf(call.id))),
  )
}

const withState = (call: OpenCall, state: ToolCallState | undefined): StoredPart =>
  state === undefined ? call : { ...call, state }

/** The outcome by the id of its call; of several of one id, each is told once. */
function outcomes(states: readonly Fields[], report: Report): (id: string) => ToolCallState | undefined {
  const byId = new Map<string, Fields[]>()
  for (const stored of states) {
    const id = stringAt(stored, 'toolCallId') ?? stringAt(stored.toolCall, 'id') ?? ''
    const known = byId.get(id)
    if (known === undefined) byId.set(id, [stored])
    else known.push(stored)
  }
  return (id) => {
    const list = byId.get(id)
    const stored = list !== undefined && list.length > 1 ? list.shift() : list?.[0]
    const state = stored === undefined ? undefined : own(OUTCOMES, stored.status)?.(stored)
    if (state?.status === 'interrupted') report('call-unfinished', id === '' ? {} : { callId: id })
    return state
  }
}
