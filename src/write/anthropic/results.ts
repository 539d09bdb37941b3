import { valueAt } from '../../model/json.ts'
import type { MediaPart, OutputPart, ToolCallEntry } from '../../model/session.ts'
import { reportOutcome } from '../closing.ts'
import { outcomeOf } from '../texts.ts'
import type { Repaired } from '../writer.ts'
import { mediaBlock, textBlock } from './blocks.ts'
import { markerOf } from './cache.ts'
import type { Context } from './context.ts'
import type { AnthropicBlock, ResultContent, ToolResultBlock } from './wire.ts'

/** What stands behind a call: its result, and media that a failed result may not hold. */
export interface WrittenResult {
  readonly result: ToolResultBlock
  readonly lifted: readonly AnthropicBlock[]
}

export function writeResult(call: ToolCallEntry, from: Repaired, position: number, context: Context): WrittenResult {
  const { output, error } = outcomeOf(call, context.options.texts ?? {}, true)
  reportOutcome(call, from, position, context.output, true)
  const slot = call.state.extra?.anthropic
  const lifted: AnthropicBlock[] = []
  const content = typeof output === 'string' ? output : writeContent(output, error, lifted, call, context)
  if (lifted.length > 0) context.output.report('media-moved', from, position, call.id)
  const marker = context.keepsMarkers ? markerOf(slot) : undefined
  if (marker !== undefined) context.output.mark()
  const toolset = valueAt(slot, 'toolset_name')
  const result: ToolResultBlock = {
    type: 'tool_result',
    tool_use_id: call.id,
    content,
    ...(error ? { is_error: true } : {}),
    ...(marker === undefined ? {} : { cache_control: marker }),
    ...(typeof toolset === 'string' ? { toolset_name: toolset } : {}),
  }
  context.output.trace(result, from, position, call.id)
  return { result, lifted: lifted.length === 0 ? lifted : [label(call), ...lifted] }
}

function label(call: ToolCallEntry): AnthropicBlock {
  return { type: 'text', text: `Media of the result of ${call.name} (${call.id}):` }
}

/** Media of a failed result goes into `lifted`: the API refuses it there. */
function writeContent(
  output: readonly OutputPart[],
  error: boolean,
  lifted: AnthropicBlock[],
  call: ToolCallEntry,
  context: Context,
): ResultContent[] {
  const content: ResultContent[] = []
  for (const part of output) {
    const block = CONTENT[part.type](part as never, context)
    if (!error || block.type === 'text') content.push(block)
    else lifted.push(block as AnthropicBlock)
  }
  if (error && content.length === 0 && lifted.length > 0) {
    content.push({ type: 'text', text: `The result of ${call.name} is the media behind the results.` })
  }
  return content
}

const CONTENT: {
  readonly [K in OutputPart['type']]: (part: Extract<OutputPart, { type: K }>, context: Context) => ResultContent
} = {
  text: (part, context) => textBlock(part, context),
  media: (part: MediaPart, context) => mediaBlock(part, context),
  json: (part) => ({ type: 'text', text: JSON.stringify(part.value) }),
  native: (part) => part.value as unknown as ResultContent,
}
