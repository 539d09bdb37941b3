import { isObject, stringAt, valueAt } from '../../model/json.ts'
import type { Json, OutputPart, TextPart, ToolCallState, ToolOutput } from '../../model/session.ts'
import { picked, slotted, type Writable } from '../slots.ts'
import { type Block, hasMediaSource, mediaPart } from './media.ts'
import { nativePart } from './native.ts'

const OF_RESULTS = ['cache_control', 'toolset_name']
const OF_TEXTS = ['citations', 'cache_control']

/** The outcome that a tool_result block stores. */
export function resultState(block: Block): ToolCallState {
  const output = toolOutput(valueAt(block, 'content'))
  const failed = valueAt(block, 'is_error') === true
  const state: Writable<ToolCallState> = failed
    ? { status: 'failed', error: output }
    : { status: 'completed', result: output }
  return slotted(state, 'anthropic', picked(block, OF_RESULTS))
}

/** A string stays a string and a list a list; content of other kinds is kept as its JSON value. */
export function toolOutput(content: unknown): ToolOutput {
  if (typeof content === 'string') return content
  if (content === undefined || content === null) return ''
  if (Array.isArray(content)) return content.map(outputPart)
  return [outputPart(content)]
}

function outputPart(block: unknown): OutputPart {
  if (typeof block === 'string') return { type: 'text', text: block }
  if (!isObject(block) || stringAt(block, 'type') === undefined) return { type: 'json', value: block as Json }
  if (block.type === 'text') return textPart(block) ?? { type: 'json', value: block as Json }
  const media = isMedia(block) && hasMediaSource(block) ? mediaPart(block) : undefined
  return media ?? nativePart(block)
}

export const isMedia = (block: Block): boolean => block.type === 'image' || block.type === 'document'

export function textPart(block: Block): TextPart | undefined {
  const text = stringAt(block, 'text')
  if (text === undefined) return undefined
  const part: Writable<TextPart> = { type: 'text', text }
  return slotted(part, 'anthropic', picked(block, OF_TEXTS))
}
