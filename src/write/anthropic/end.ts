import type { AssistantPart } from '../../model/session.ts'
import type { Segment } from '../writer.ts'
import type { Context } from './context.ts'
import type { AnthropicBlock, AnthropicMessage } from './wire.ts'

/** The last assistant turn of a request may not end in white space. */
export function trimEnd(blocks: readonly AnthropicBlock[], segment: Segment, context: Context): AnthropicBlock[] {
  const last = blocks.at(-1)
  if (last?.type !== 'text' || last.text === last.text.trimEnd()) return [...blocks]
  const from = segment.assistants.at(-1)!
  context.output.report('end-trimmed', from)
  const trimmed: AnthropicBlock = { ...last, text: last.text.trimEnd() }
  context.output.trace(trimmed, from, from.message.parts.length - 1)
  return [...blocks.slice(0, -1), trimmed]
}

/**
 * With thinking turned on by hand, a request that ends in tool results must have thinking at the start of the tool turn:
 * in the first assistant message behind the last user turn without results.
 */
export function wantsBridge(segment: Segment, before: readonly Segment[], context: Context): boolean {
  if (context.options.thinking !== true || !context.model.manualThinking) return false
  if (!segment.assistants.some((one) => one.message.parts.some(isClientCall))) return false
  let first = segment
  for (let index = before.length - 1; index >= 0 && answers(before[index]!); index--) first = before[index]!
  return first.assistants[0]?.message.parts[0]?.type !== 'reasoning'
}

const isClientCall = (part: AssistantPart): boolean => part.type === 'tool-call' && part.executor !== 'provider'

/** Whether the user turn of a segment holds results, whatever stands behind them. */
function answers(segment: Segment): boolean {
  return segment.assistants.some((one) => one.message.parts.some(isClientCall))
}

/** Where that thinking was not stored, a finished exchange behind the results ends the tool turn. */
export const BRIDGE: AnthropicMessage = { role: 'assistant', content: [{ type: 'text', text: 'I have the results.' }] }
export const AFTER_BRIDGE: AnthropicBlock = { type: 'text', text: 'Go on.' }
