import { type Fields, sameJson, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { ToolCallState } from '../../model/session.ts'
import type { OpenCall, StoredPart } from '../assemble.ts'
import { listedObjects } from '../listed-objects.ts'
import { toolCalls } from '../openai-chat/calls.ts'
import type { Report } from '../report.ts'
import { outputText } from './content.ts'

/** What the tool itself tells the model. */
const CANCELLED = 'The user cancelled this tool call.'
const NOTHING = 'No tool output'

type Outcome = (output: string | undefined, report: Report) => ToolCallState | undefined

const OUTCOMES: { readonly [status: string]: Outcome } = {
  done: (output) => ({ status: 'completed', result: output ?? NOTHING }),
  errored: (output) => ({ status: 'failed', error: output ?? '' }),
  canceled(output, report) {
    if (output !== undefined) report('part-left-out', { message: BEFORE_CANCELLING, before: output })
    return { status: 'failed', error: CANCELLED, denied: true }
  },
  // Its arguments were still coming, or it stood before the user: it did not run.
  generating: (output) => ({ status: 'interrupted', dispatched: false, ...partialOf(output) }),
  generated: (output) => ({ status: 'interrupted', dispatched: false, ...partialOf(output) }),
  calling,
}

const BEFORE_CANCELLING =
  'What a cancelled call gave was left out: the tool tells the model only that it was cancelled.'

const partialOf = (partial: string | undefined) => (partial === undefined ? {} : { partial })

/** Also of a status that is not known. */
function calling(output: string | undefined): ToolCallState | undefined {
  return output === undefined ? undefined : { status: 'interrupted', partial: output }
}

/** The calls of an answer with what became of them, which stands beside the message. */
export function callsOf(item: Fields, message: Fields, report: Report): StoredPart[] {
  const listed = valueAt(item, 'toolCallStates')
  const states = listedObjects(listed, report)
  const calls = toolCalls(valueAt(message, 'toolCalls'), report)
  const { stateOf, reportRest } = outcomes(states, report)
  if (calls.length > 0) {
    const told = calls.map((call) => withState(call, stateOf(call.id)))
    reportRest()
    return told
  }
  const told = states.flatMap((stored) =>
    toolCalls([valueAt(stored, 'toolCall')], report).map((call) => withState(call, stateOf(call.id))),
  )
  reportRest()
  return told
}

const withState = (call: OpenCall, state: ToolCallState | undefined): StoredPart =>
  state === undefined ? call : { ...call, state }

interface Outcomes {
  stateOf(id: string): ToolCallState | undefined
  /** Tells of those that no call took. */
  reportRest(): void
}

/** The outcome by the id of its call; of several of one id, each is told once. */
function outcomes(states: readonly Fields[], report: Report): Outcomes {
  const byId = new Map<string, Fields[]>()
  for (const stored of states) {
    const id = stringAt(stored, 'toolCallId') ?? stringAt(stored.toolCall, 'id') ?? ''
    const known = byId.get(id)
    if (known === undefined) byId.set(id, [stored])
    else known.push(stored)
  }
  const taken = new Map<string, Fields>()
  return {
    stateOf(id) {
      const stored = byId.get(id)?.shift() ?? taken.get(id)
      if (stored === undefined) return undefined
      taken.set(id, stored)
      const state = (own(OUTCOMES, stored.status) ?? calling)(outputText(stored.output, report), report)
      if (state?.status === 'interrupted') report('call-unfinished', id === '' ? {} : { callId: id })
      return state
    },
    reportRest() {
      for (const [id, rest] of byId) for (const stored of rest) reportRest(id, stored, taken.get(id), report)
    },
  }
}

function reportRest(id: string, stored: Fields, known: Fields | undefined, report: Report): void {
  const callId = id === '' ? {} : { callId: id }
  if (known === undefined) report('orphan-result', { ...callId, before: stored })
  else if (sameJson(known, stored)) report('record-duplicate', { ...callId, before: id })
  else report('duplicate-result', { ...callId, before: stored })
}
