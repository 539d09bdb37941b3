import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import type { Json, OutputPart, ToolCallState, ToolOutput } from '../../model/session.ts'
import { idAt } from '../anthropic/calls.ts'
import { listedObjects } from '../listed-objects.ts'
import { type Report, unheard } from '../report.ts'
import { listAt } from './agent.ts'
import { isReturn, textIn } from './content.ts'

export interface Returned {
  readonly callId: string
  readonly state: ToolCallState
}

/** The results in a tool message: one for each of its returns, else the message itself is one. */
export function returnsIn(message: Fields, report: Report = unheard): readonly Returned[] {
  const returns = storedReturns(message, report)
  const ofMessage = idAt(message, 'tool_call_id')
  const blocks = returns.length === 0 ? returnBlocks(message) : []
  if (blocks.length > 0) return blocks.map(({ callId, state }) => ({ callId: callId || ofMessage, state }))
  if (returns.length === 0)
    return [{ callId: ofMessage, state: { status: 'completed', result: textIn(message, report) } }]
  const text = returns.length === 1 ? textIn(message, report) : ''
  return returns.map((stored) => ({
    callId: idAt(stored, 'tool_call_id') || ofMessage,
    state: returnState(stored, text, report),
  }))
}

export function storedReturns(message: Fields, report: Report): readonly Fields[] {
  return listedObjects(valueAt(message, 'tool_returns'), report)
}

/** Results that stand as blocks in the content of a message. */
export function returnBlocks(message: Fields): readonly Returned[] {
  return listAt(message, 'content').flatMap((block) => {
    if (!isObject(block) || !isReturn(block)) return []
    const output = outputOf(valueAt(block, 'content')) ?? ''
    const state: ToolCallState =
      block.is_error === true ? { status: 'failed', error: output } : { status: 'completed', result: output }
    return [{ callId: idAt(block, 'tool_call_id'), state }]
  })
}

/** What the model saw, where it is stored; else what the tool printed. */
export function returnState(stored: Fields, text: string = '', report: Report = unheard): ToolCallState {
  if (text === '' && OUTPUTS.every((key) => stored[key] === undefined)) report('part-invalid', { before: stored })
  const output =
    outputOf(valueAt(stored, 'func_response') ?? valueAt(stored, 'tool_return')) ?? (text || printed(stored))
  return valueAt(stored, 'status') === 'error'
    ? { status: 'failed', error: output }
    : { status: 'completed', result: output }
}

const OUTPUTS = ['func_response', 'tool_return', 'stdout', 'stderr']

function outputOf(stored: unknown): ToolOutput | undefined {
  if (typeof stored === 'string') return stored
  if (stored === undefined || stored === null) return undefined
  if (!Array.isArray(stored)) return [{ type: 'json', value: stored as Json }]
  return stored.map((block): OutputPart => {
    const part = isObject(block) && block.type === 'text' ? stringAt(block, 'text') : undefined
    return part === undefined ? { type: 'json', value: block as Json } : { type: 'text', text: part }
  })
}

function printed(stored: Fields): string {
  const lines = [...listAt(stored, 'stdout'), ...listAt(stored, 'stderr')]
  return lines.filter((line) => typeof line === 'string').join('\n')
}
