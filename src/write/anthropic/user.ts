import { append } from '../../model/append.ts'
import type { InstructionMessage, UserMessage, UserPart } from '../../model/session.ts'
import type { Repaired } from '../writer.ts'
import { mediaBlock, textBlock } from './blocks.ts'
import type { Context } from './context.ts'
import type { AnthropicBlock, AnthropicMessage, TextBlock } from './wire.ts'

type Follower = Repaired<UserMessage | InstructionMessage>

const BLOCKS: {
  readonly [K in UserPart['type']]: (part: Extract<UserPart, { type: K }>, context: Context) => AnthropicBlock
} = {
  text: (part, context) => textBlock(part, context),
  media: (part, context) => mediaBlock(part, context),
  native: (part) => part.value as unknown as AnthropicBlock,
}

/** Adds what follows the results to the user turn. `apart`: but for the instructions, which will stand behind it. */
export function writeFollowers(
  followers: readonly Follower[],
  before: AnthropicBlock[],
  apart: boolean,
  context: Context,
): AnthropicBlock[] {
  let turn = before
  let merged = false
  for (let index = 0; index < followers.length; index++) {
    const one = followers[index]!
    if (isUser(one)) {
      if (merged) context.output.report('messages-merged', one)
      merged = true
      turn = writeUser(one, turn, context)
    } else if (!apart) turn = append(turn, writeAsUser(one, context))
    else if (followers.slice(index + 1).some(isUser)) context.output.report('instruction-moved', one)
  }
  return turn
}

export const isUser = (one: Follower): boolean => one.message.role === 'user'

function writeUser(from: Follower, before: AnthropicBlock[], context: Context): AnthropicBlock[] {
  const { parts } = from.message
  let turn = before
  for (let position = 0; position < parts.length; position++) {
    const part = parts[position]!
    const block = BLOCKS[part.type](part as never, context)
    context.output.trace(block, from, position)
    turn = append(turn, block)
  }
  return turn
}

/** For models that take no instructions among the messages. */
function writeAsUser(from: Follower, context: Context): TextBlock {
  context.output.report('instruction-as-user', from)
  const text = from.message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n')
  const block: TextBlock = { type: 'text', text: `<system-instruction>\n${text}\n</system-instruction>` }
  context.output.trace(block, from)
  return block
}

export function writeSystem(from: Follower, context: Context): AnthropicMessage {
  const content = from.message.parts.flatMap((part, position) => {
    if (part.type !== 'text') return []
    const block = textBlock(part, context)
    context.output.trace(block, from, position)
    return [block]
  })
  return { role: 'system', content, ...(from.message.extra?.anthropic as object | undefined) }
}
