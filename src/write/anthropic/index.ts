import { isBlank } from '../../model/blank.ts'
import type { Session } from '../../model/session.ts'
import { type AnthropicModel, anthropicModel, anthropicRules } from '../../rules/anthropic.ts'
import type { AnthropicOptions } from '../../rules/options.ts'
import { Thread, type Written } from '../thread.ts'
import type { Output, Segment, Setting, Writer } from '../writer.ts'
import { writeAssistant } from './assistant.ts'
import { textBlock } from './blocks.ts'
import { limitMarkers, placeMarkers } from './cache.ts'
import type { Context } from './context.ts'
import { AFTER_BRIDGE, BRIDGE, trimEnd, wantsBridge } from './end.ts'
import { writeResults } from './results.ts'
import { writeTools } from './tools.ts'
import { isUser, writeFollowers, writeSystem } from './user.ts'
import type { AnthropicBlock, AnthropicMessage, AnthropicRequest } from './wire.ts'

export type { AnthropicOptions } from '../../rules/options.ts'
export type { AnthropicMessage, AnthropicRequest } from './wire.ts'

const FIRST_TURN = 'Go on with the conversation.'
const UNFINISHED = '[A tool call of this turn was not finished.]'

export const writer: Writer<AnthropicMessage, AnthropicRequest, AnthropicOptions, AnthropicModel> = {
  api: 'anthropic',
  list: 'messages',
  rules: anthropicRules,
  traits: (options) => anthropicModel(options.model),
  open(output, setting) {
    const context = contextOf(output, setting)
    return (segment, end) => writeSegment(segment, end, context)
  },
  request({ instructions, wires, marked, tools }, setting, report) {
    const context = contextOf(SILENT, setting)
    const written = tools && writeTools(tools, context.keepsMarkers, report)
    const request: AnthropicRequest = {
      ...(instructions.length === 0 ? {} : { system: instructions.map((part) => textBlock(part, context)) }),
      messages: wires,
      ...(written === undefined ? {} : { tools: written }),
    }
    return setting.options.cache === 'auto' ? placeMarkers(request) : limitMarkers(request, marked, report)
  },
}

function writeSegment(segment: Segment, end: readonly Segment[] | undefined, context: Context): void {
  const { output } = context
  const bridged = end !== undefined && wantsBridge(segment, end, context)
  writeAssistants(segment, context, end !== undefined && !bridged)
  let turn = segment.assistants.length === 0 ? [] : writeResults(segment.assistants, context)
  if (bridged) turn = writeBridge(turn, segment, context)
  const apart = context.model.midSystem && (turn.length > 0 || segment.rest.some(isUser))
  turn = writeFollowers(segment.rest, turn, apart, context)
  if (bridged && turn.length === 0) turn = [AFTER_BRIDGE]
  if (turn.length > 0) output.add({ role: 'user', content: turn }, segment.assistants.at(-1) ?? segment.rest[0])
  if (!apart) return
  for (const one of segment.rest) if (!isUser(one)) output.add(writeSystem(one, context), one)
}

const SILENT: Output<AnthropicMessage> = { add() {}, trace() {}, report() {}, mark() {} }

function contextOf(
  output: Output<AnthropicMessage>,
  { options, rules, traits }: Setting<AnthropicOptions, AnthropicModel>,
): Context {
  return {
    options,
    rules,
    model: traits,
    strict: options.level !== 'live',
    output,
    keepsMarkers: (options.cache ?? 'keep') === 'keep',
  }
}

/** Gives the user turn behind the bridge. */
function writeBridge(results: AnthropicBlock[], segment: Segment, context: Context): AnthropicBlock[] {
  const last = segment.assistants.at(-1)!
  context.output.report('thinking-bridge', last)
  context.output.add({ role: 'user', content: results }, last)
  context.output.add(BRIDGE, undefined)
  return []
}

function writeAssistants(segment: Segment, context: Context, end: boolean): void {
  const { assistants } = segment
  const last = assistants.at(-1)
  if (last === undefined) return
  const blocks = writeAssistant(segment, end, context)
  if (assistants.length > 1) context.output.report('messages-merged', last)
  // Earlier versions of the API, and some platforms, want the user to begin.
  if (segment.first && context.strict) {
    context.output.report('first-turn-made', assistants[0]!)
    context.output.add({ role: 'user', content: [{ type: 'text', text: FIRST_TURN }] }, undefined)
  }
  // A call that could not stay may have been all that the turn said, and without a turn two user turns would meet.
  if (blocks.every(saysNothing) && (blocks.length > 0 || context.strict))
    blocks.push({ type: 'text', text: UNFINISHED })
  const final = end && segment.rest.length === 0 && !last.message.parts.some((part) => part.type === 'tool-call')
  context.output.add({ role: 'assistant', content: final ? trimEnd(blocks, segment, context) : blocks }, assistants[0])
}

const saysNothing = (block: AnthropicBlock): boolean => block.type === 'text' && isBlank(block.text)

/**
 * Writes a session as a Messages API history, repaired so that the API accepts it.
 * @throws {ConvertError} with `onLoss: 'throw'`, when content would be lost.
 */
export function toAnthropic(session: Session, options: AnthropicOptions = {}): Written<AnthropicRequest> {
  return new Thread(writer, options, session).request()
}
