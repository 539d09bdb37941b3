import { isObject, stringAt, valueAt } from '../../model/json.ts'
import type { AssistantMessage, AssistantPart, Json, ToolCallEntry } from '../../model/session.ts'
import type { Repaired } from '../writer.ts'
import { marker, mediaBlock, textBlock } from './blocks.ts'
import type { Context } from './context.ts'
import type { AnthropicBlock, ServerToolUseBlock, ToolUseBlock } from './wire.ts'

/** The result block of a provider-run call, and how many parts stand between the two. */
interface Delayed {
  readonly block: AnthropicBlock
  wait: number
}

interface Place {
  readonly context: Context
  readonly from: Repaired
  position: number
  readonly delayed: Delayed[]
  /** Whether a provider-run call may stand without its result: the API will go on with it. */
  readonly resumes: (id: string) => boolean
}

/** Adds the blocks of one assistant message. */
export function writeAssistant(
  from: Repaired<AssistantMessage>,
  blocks: AnthropicBlock[],
  context: Context,
  resumes: (id: string) => boolean,
): void {
  const { parts } = from.message
  const start = blocks.length
  const place: Place = { context, from, position: 0, delayed: [], resumes }
  for (; place.position < parts.length; place.position++) {
    const part = parts[place.position]!
    const block = BLOCKS[part.type](part as never, place)
    if (block !== undefined) {
      context.output.trace(block, from, place.position, part.type === 'tool-call' ? part.id : undefined)
      blocks.push(block)
    }
    if (place.delayed.length > 0) release(place.delayed, blocks)
  }
  for (const { block } of place.delayed) blocks.push(block)
  // A call that could not stay may have been all that followed the reasoning.
  if (blocks.length - start < parts.length && isReasoning(blocks.at(-1))) dropReasoning(blocks, start, from, context)
}

function dropReasoning(
  blocks: AnthropicBlock[],
  start: number,
  from: Repaired<AssistantMessage>,
  { output }: Context,
): void {
  from.message.parts.forEach((part, position) => {
    if (part.type === 'reasoning') output.report('reasoning-left-out', from, position, undefined, UNFOLLOWED)
  })
  const kept = blocks.slice(start).filter((block) => !isReasoning(block))
  blocks.splice(start, blocks.length - start, ...kept)
}

const UNFOLLOWED = { message: 'Reasoning was left out: nothing follows it.' }

function release(delayed: Delayed[], blocks: AnthropicBlock[]): void {
  for (const one of delayed) one.wait--
  for (const one of delayed.filter(({ wait }) => wait < 0)) {
    blocks.push(one.block)
    delayed.splice(delayed.indexOf(one), 1)
  }
}

function isReasoning(block: AnthropicBlock | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking'
}

const BLOCKS: {
  readonly [K in AssistantPart['type']]: (
    part: Extract<AssistantPart, { type: K }>,
    place: Place,
  ) => AnthropicBlock | undefined
} = {
  text: (part, { context }) => textBlock(part, context),
  reasoning(part) {
    const slot = part.extra?.anthropic
    if (part.redacted) return { type: 'redacted_thinking', data: stringAt(slot, 'data') ?? '' }
    return { type: 'thinking', thinking: part.text, signature: stringAt(slot, 'signature') ?? '' }
  },
  'tool-call': (part, place) => (part.executor === 'provider' ? serverUse(part, place) : toolUse(part, place)),
  media: (part, { context }) => mediaBlock(part, context),
  native: (part) => part.value as unknown as AnthropicBlock,
}

function toolUse(call: ToolCallEntry, place: Place): ToolUseBlock {
  const use: ToolUseBlock = {
    type: 'tool_use',
    id: call.id,
    name: call.name,
    input: call.args as ToolUseBlock['input'],
  }
  const slot = call.extra?.anthropic
  if (slot === undefined) return use
  return { ...use, ...callerOf(slot, call, place), ...toolsetOf(slot), ...marker(slot, place.context) }
}

/** A caller other than `direct` names a server tool's call, which may be gone; platforms without server tools know none. */
function callerOf(slot: Json, call: ToolCallEntry, { context, from, position }: Place): object {
  const caller = valueAt(slot, 'caller')
  if (caller === undefined) return {}
  const type = stringAt(caller, 'type')
  if (type === 'direct' && (context.options.platform ?? 'anthropic') === 'anthropic') return { caller }
  if (type !== 'direct') context.output.report('extra-left-out', from, position, call.id, { before: caller })
  return {}
}

function toolsetOf(slot: Json): object {
  const name = stringAt(slot, 'toolset_name')
  return name === undefined ? {} : { toolset_name: name }
}

function serverUse(
  call: ToolCallEntry,
  { context, from, position, delayed, resumes }: Place,
): AnthropicBlock | undefined {
  const slot = call.extra?.anthropic
  const result = valueAt(slot, 'result')
  // A late result is a part of a later message.
  if (valueAt(slot, 'late') === true) return valueAt(slot, 'use') as ServerToolUseBlock
  if (isObject(result))
    delayed.push({ block: result as unknown as AnthropicBlock, wait: numberAt(slot, 'resultAfter') })
  else if (!resumes(stringAt(valueAt(slot, 'use'), 'id') ?? '')) {
    context.output.report('provider-call-left-out', from, position, call.id, { before: call.name })
    return undefined
  }
  return valueAt(slot, 'use') as ServerToolUseBlock
}

function numberAt(slot: unknown, key: string): number {
  const found = valueAt(slot, key)
  return typeof found === 'number' ? found : 0
}
