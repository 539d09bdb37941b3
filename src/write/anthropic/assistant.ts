import { append } from '../../model/append.ts'
import { isObject, stringAt, valueAt } from '../../model/json.ts'
import type { AssistantMessage, AssistantPart, Json, Message, ToolCallEntry } from '../../model/session.ts'
import type { Repaired, Segment } from '../writer.ts'
import { marker, mediaBlock, textBlock } from './blocks.ts'
import type { Context } from './context.ts'
import type { AnthropicBlock, ServerToolUseBlock, ToolUseBlock } from './wire.ts'

/** The result block of a provider-run call, and how many parts stand between the two. */
interface Delayed {
  readonly block: AnthropicBlock
  wait: number
}

/** Where the blocks of a segment's assistant messages go. */
interface Turn {
  readonly segment: Segment
  /** Nothing follows the segment. */
  readonly end: boolean
  readonly context: Context
  blocks: AnthropicBlock[]
  /** The message that is written, its place in the segment, and the place of the part in it. */
  from: Repaired<AssistantMessage>
  nth: number
  position: number
  /** Made when there is one. */
  delayed: Delayed[] | undefined
}

/** The blocks of all assistant messages of a segment, of which there is one at least. */
export function writeAssistant(segment: Segment, end: boolean, context: Context): AnthropicBlock[] {
  const { assistants } = segment
  const from = assistants[0]!
  const turn: Turn = { segment, end, context, blocks: [], from, nth: 0, position: 0, delayed: undefined }
  for (; turn.nth < assistants.length; turn.nth++) {
    turn.from = assistants[turn.nth]!
    writeMessage(turn)
  }
  return turn.blocks
}

function writeMessage(turn: Turn): void {
  const { context, from } = turn
  const { parts } = from.message
  const start = turn.blocks.length
  for (turn.position = 0; turn.position < parts.length; turn.position++) {
    const part = parts[turn.position]!
    const block = BLOCKS[part.type](part as never, turn)
    if (block !== undefined) {
      context.output.trace(block, from, turn.position, part.type === 'tool-call' ? part.id : undefined)
      turn.blocks = append(turn.blocks, block)
    }
    if (turn.delayed !== undefined) release(turn.delayed, turn)
  }
  for (const { block } of turn.delayed ?? []) turn.blocks = append(turn.blocks, block)
  turn.delayed = undefined
  // A call that could not stay may have been all that followed the reasoning.
  if (turn.blocks.length - start < parts.length && isReasoning(turn.blocks.at(-1))) dropReasoning(turn, start)
}

function dropReasoning(turn: Turn, start: number): void {
  const { from, context } = turn
  from.message.parts.forEach((part, position) => {
    if (part.type === 'reasoning') context.output.report('reasoning-left-out', from, position, undefined, UNFOLLOWED)
  })
  turn.blocks = turn.blocks.filter((block, index) => index < start || !isReasoning(block))
}

const UNFOLLOWED = { message: 'Reasoning was left out: nothing follows it.' }

function release(delayed: Delayed[], turn: Turn): void {
  for (const one of delayed) one.wait--
  for (const one of delayed.filter(({ wait }) => wait < 0)) {
    turn.blocks = append(turn.blocks, one.block)
    delayed.splice(delayed.indexOf(one), 1)
  }
}

function isReasoning(block: AnthropicBlock | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking'
}

const BLOCKS: {
  readonly [K in AssistantPart['type']]: (
    part: Extract<AssistantPart, { type: K }>,
    turn: Turn,
  ) => AnthropicBlock | undefined
} = {
  text: (part, { context }) => textBlock(part, context),
  reasoning(part) {
    const slot = part.extra?.anthropic
    if (part.redacted) return { type: 'redacted_thinking', data: stringAt(slot, 'data') ?? '' }
    return { type: 'thinking', thinking: part.text, signature: stringAt(slot, 'signature') ?? '' }
  },
  'tool-call': (part, turn) => (part.executor === 'provider' ? serverUse(part, turn) : toolUse(part, turn)),
  media: (part, { context }) => mediaBlock(part, context),
  native: (part) => part.value as unknown as AnthropicBlock,
}

function toolUse(call: ToolCallEntry, turn: Turn): ToolUseBlock {
  const use: ToolUseBlock = {
    type: 'tool_use',
    id: call.id,
    name: call.name,
    input: call.args as ToolUseBlock['input'],
  }
  const slot = call.extra?.anthropic
  if (slot === undefined) return use
  return { ...use, ...callerOf(slot, call, turn), ...toolsetOf(slot), ...marker(slot, turn.context) }
}

/** A caller other than `direct` names a server tool's call, which may be gone; platforms without server tools know none. */
function callerOf(slot: Json, call: ToolCallEntry, { context, from, position }: Turn): object {
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

function serverUse(call: ToolCallEntry, turn: Turn): AnthropicBlock | undefined {
  const { context, from, position } = turn
  const slot = call.extra?.anthropic
  const result = valueAt(slot, 'result')
  const use = valueAt(slot, 'use') as ServerToolUseBlock
  // A late result is a part of the next message.
  const late = valueAt(slot, 'late') === true || !isObject(result)
  if (late && mayResume(stringAt(use, 'id') ?? '', turn)) return use
  if (isObject(result)) {
    turn.delayed ??= []
    turn.delayed.push({ block: result as unknown as AnthropicBlock, wait: numberAt(slot, 'resultAfter') })
    return use
  }
  context.output.report('provider-call-left-out', from, position, call.id, { before: call.name })
  return undefined
}

/** Whether a provider-run call may stand without its result: at the end, and where the result comes next. */
function mayResume(id: string, { segment, nth, end, context }: Turn): boolean {
  const { assistants, rest, closedBy } = segment
  const later = assistants.slice(nth + 1)
  if (later.some(({ message }) => holdsResult(message, id, context))) return true
  if (rest.length > 0) return false
  return closedBy === undefined ? end && later.length === 0 : holdsResult(closedBy, id, context)
}

/** Whether a message holds the late result of a call. */
function holdsResult({ parts }: Message, id: string, { rules }: Context): boolean {
  return parts.some((part) => rules.providerCalls.ownerOf(valueAt(part, 'value')) === id)
}

function numberAt(slot: unknown, key: string): number {
  const found = valueAt(slot, key)
  return typeof found === 'number' ? found : 0
}
