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

/** Writes what follows the results into the user turn; gives the instructions that shall stand behind it. */
export function writeFollowers(
  followers: readonly Follower[],
  turn: AnthropicBlock[],
  context: Context,
): readonly Follower[] {
  const users = turn.length > 0 || followers.some(isUser)
  const behind: Follower[] = []
  let merged = false
  for (let index = 0; index < followers.length; index++) {
    const one = followers[index]!
    if (isUser(one)) {
      if (merged) context.output.report('messages-merged', one)
      merged = true
      writeUser(one, turn, context)
    } else if (users && context.model.midSystem) {
      if (followers.slice(index + 1).some(isUser)) context.output.report('instruction-moved', one)
      behind.push(one)
    } else writeAsUser(one, turn, context)
  }
  return behind
}

const isUser = (one: Follower): boolean => one.message.role === 'user'

function writeUser(from: Follower, turn: AnthropicBlock[], context: Context): void {
  const { parts } = from.message
  for (let position = 0; position < parts.length; position++) {
    const part = parts[position]!
    const block = BLOCKS[part.type](part as never, context)
    context.output.trace(block, from, position)
    turn.push(block)
  }
}

/** For models that take no instructions among the messages. */
function writeAsUser(from: Follower, turn: AnthropicBlock[], context: Context): void {
  context.output.report('instruction-as-user', from)
  const text = from.message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n')
  const block: TextBlock = { type: 'text', text: `<system-instruction>\n${text}\n</system-instruction>` }
  context.output.trace(block, from)
  turn.push(block)
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
