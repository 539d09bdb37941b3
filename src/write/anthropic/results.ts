import { append } from '../../model/append.ts'
import { valueAt } from '../../model/json.ts'
import type { AssistantMessage, Json, MediaPart, OutputPart, ToolCallEntry } from '../../model/session.ts'
import { reportOutcome } from '../closing.ts'
import { inResultOrder } from '../result-order.ts'
import { outcomeOf } from '../texts.ts'
import type { Repaired, Segment } from '../writer.ts'
import { marker, mediaBlock, textBlock } from './blocks.ts'
import type { Context } from './context.ts'
import type { AnthropicBlock, ResultContent, ToolResultBlock } from './wire.ts'

/** Where the results of a segment go. */
interface Results {
  readonly context: Context
  /** The message whose calls are looked at. */
  from: Repaired<AssistantMessage>
  blocks: AnthropicBlock[]
  /** Media that a failed result may not hold. */
  lifted: AnthropicBlock[] | undefined
}

/** The results of some assistant messages in their stored order, then the media they could not hold. */
export function writeResults(assistants: Segment['assistants'], context: Context): AnthropicBlock[] {
  const results: Results = { context, from: assistants[0]!, blocks: [], lifted: undefined }
  for (const from of assistants) {
    results.from = from
    inResultOrder(from.message, writeResult, results)
  }
  return results.lifted === undefined ? results.blocks : results.blocks.concat(results.lifted)
}

function writeResult(call: ToolCallEntry, position: number, results: Results): void {
  const { from, context } = results
  const { output, error } = outcomeOf(call, context.options.texts, goesVerbatim(call, from))
  reportOutcome(call, from, position, context.output, true)
  const content = typeof output === 'string' ? output : writeContent(output, error, call, position, results)
  const result: ToolResultBlock = error
    ? { type: 'tool_result', tool_use_id: call.id, content, is_error: true }
    : { type: 'tool_result', tool_use_id: call.id, content }
  const slot = call.state.extra?.anthropic
  if (slot !== undefined) addSlot(result, slot, context)
  context.output.trace(result, from, position, call.id)
  results.blocks = append(results.blocks, result)
}

/** A refusal says that it is one; what this API's own transcript has instead is what the model saw. */
function goesVerbatim({ state }: ToolCallEntry, { message }: Repaired): boolean {
  if (state.status !== 'failed' || state.denied !== true) return true
  return message.role === 'assistant' && message.by?.api === 'anthropic'
}

function addSlot(result: ToolResultBlock, slot: Json, context: Context): void {
  const toolset = valueAt(slot, 'toolset_name')
  Object.assign(result, marker(slot, context), typeof toolset === 'string' ? { toolset_name: toolset } : {})
}

function label(call: ToolCallEntry): AnthropicBlock {
  return { type: 'text', text: `Media of the result of ${call.name} (${call.id}):` }
}

function writeContent(
  output: readonly OutputPart[],
  error: boolean,
  call: ToolCallEntry,
  position: number,
  results: Results,
): ResultContent[] {
  const { context, from } = results
  const blocks = output.map((part) => CONTENT[part.type](part as never, context))
  const apart = error ? blocks.filter((block) => block.type !== 'text') : []
  if (apart.length === 0) return blocks
  context.output.report('media-moved', from, position, call.id)
  results.lifted ??= []
  results.lifted.push(label(call), ...(apart as AnthropicBlock[]))
  const content = blocks.filter((block) => block.type === 'text')
  if (content.length > 0) return content
  return [{ type: 'text', text: `The result of ${call.name} is the media behind the results.` }]
}

const CONTENT: {
  readonly [K in OutputPart['type']]: (part: Extract<OutputPart, { type: K }>, context: Context) => ResultContent
} = {
  text: (part, context) => textBlock(part, context),
  media: (part: MediaPart, context) => mediaBlock(part, context),
  json: (part) => ({ type: 'text', text: JSON.stringify(part.value) }),
  native: (part) => part.value as unknown as ResultContent,
}
