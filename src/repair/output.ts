import type { OutputPart, ToolCallState, ToolOutput } from '../model/session.ts'

/** What a call gave so far: its result, its error, or what had come before it was interrupted. */
export function outputOf(state: ToolCallState): ToolOutput | undefined {
  if (state.status === 'completed') return state.result
  if (state.status === 'failed') return state.error
  return state.status === 'interrupted' ? state.partial : undefined
}

/** The state with each part of its output replaced by what `mended` gives: the same, another, or none. */
export function mapOutput(state: ToolCallState, mended: (part: OutputPart) => OutputPart | undefined): ToolCallState {
  const output = outputOf(state)
  if (typeof output !== 'object') return state
  const next = output.flatMap((part) => mended(part) ?? [])
  if (state.status === 'completed') return { ...state, result: next }
  if (state.status === 'failed') return { ...state, error: next }
  return state.status === 'interrupted' ? { ...state, partial: next } : state
}
