import type { ToolCallState, ToolOutput } from './session.ts'
import { soleText } from './sole-text.ts'

/**
 * What is said in the place of a result that nobody knows. A wire contract: models sign thinking over these texts, so that
 * changing one invalidates signatures; they change in major versions only.
 */
export const OUTCOME_UNKNOWN: string =
  'This tool call was interrupted and its outcome is unknown: it may or may not have taken effect. ' +
  'Verify the current state before running it again.'
export const NEVER_STARTED: string = 'This tool call was interrupted before it started; it was not run.'

/** Behind the closing text of an interrupted call stands what it had given. */
export const PARTIAL_HEAD: string = 'Output before the interruption:'

type Interrupted = Extract<ToolCallState, { status: 'interrupted' }>

/** The state that one of these texts was written for; undefined for what a tool said. */
export function closedState(output: ToolOutput): Interrupted | undefined {
  const text = soleText(output)
  if (text?.startsWith(OUTCOME_UNKNOWN))
    return withPartial({ status: 'interrupted' }, text.slice(OUTCOME_UNKNOWN.length))
  if (!text?.startsWith(NEVER_STARTED)) return undefined
  return withPartial({ status: 'interrupted', dispatched: false }, text.slice(NEVER_STARTED.length))
}

function withPartial(state: Interrupted, rest: string): Interrupted | undefined {
  if (rest === '') return state
  const head = `\n\n${PARTIAL_HEAD}\n`
  return rest.startsWith(head) ? { ...state, partial: rest.slice(head.length) } : undefined
}
