import { isObject, type JsonObject, stringAt, valueAt } from '../../model/json.ts'
import type { Json, OutputPart, TextPart, ToolCallState, ToolOutput } from '../../model/session.ts'
import { picked, slot } from '../slots.ts'
import { type Block, hasMediaSource, mediaPart } from './media.ts'
import { nativePart } from './native.ts'

/** The outcome that a tool_result block stores. */
export function resultState(block: Block): ToolCallState {
  const output = toolOutput(valueAt(block, 'content'))
  const extra = slot('anthropic', picked(block, ['cache_control', 'toolset_name']))
  return valueAt(block, 'is_error') === true
    ? { status: 'failed', error: output, ...extra }
    : { status: 'completed', result: output, ...extra }
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
  return { type: 'text', text, ...slot('anthropic', picked(block, ['citations', 'cache_control']) as JsonObject) }
}
