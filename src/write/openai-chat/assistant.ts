import { append } from '../../model/append.ts'
import { stringAt, valueAt } from '../../model/json.ts'
import type { AssistantMessage, AssistantPart, Json, NativePart, ToolCallEntry } from '../../model/session.ts'
import type { OpenAIChatOptions } from '../../rules/options.ts'
import { argumentsText } from '../arguments.ts'
import type { Output, Repaired } from '../writer.ts'
import { named, shortest, textContent } from './parts.ts'
import { addReasoning } from './reasoning.ts'
import type { ChatAssistantMessage, ChatMessage, ChatToolCall, RefusalContent, TextContent } from './wire.ts'

type Content = TextContent | RefusalContent

/** What a part gives: content or a call. */
interface Sink {
  content: Content[]
  calls: ChatToolCall[]
  /** The text of all reasoning that is left. */
  reasoning: string | undefined
  /** A refusal would stand beside other content. */
  readonly mixed: boolean
}

const PARTS: {
  readonly [K in AssistantPart['type']]: (part: Extract<AssistantPart, { type: K }>, sink: Sink) => object | undefined
} = {
  text: (part, sink) => addContent(textContent(part), sink),
  'tool-call'(part, sink) {
    const call = toolCall(part)
    sink.calls = append(sink.calls, call)
    return call
  },
  // The types allow texts, or one refusal alone.
  native: (part, sink) =>
    addContent(
      sink.mixed ? { type: 'text', text: refusalText(part) } : (part.value as unknown as RefusalContent),
      sink,
    ),
  // The repair steps leave what the server takes back.
  reasoning({ text }, sink) {
    sink.reasoning = (sink.reasoning ?? '') + text
    return undefined
  },
  // The repair steps leave none: the API takes none from an assistant.
  media: () => undefined,
}

function addContent(content: Content, sink: Sink): Content {
  sink.content = append(sink.content, content)
  return content
}

function mixes({ parts }: AssistantMessage): boolean {
  if (!parts.some((part) => part.type === 'native')) return false
  return parts.filter((part) => part.type === 'text' || part.type === 'native').length > 1
}

function refusalText(part: NativePart): string {
  return part.text ?? stringAt(part.value, 'refusal') ?? JSON.stringify(part.value)
}

export function toolCall(call: ToolCallEntry): ChatToolCall {
  if (call.kind === 'custom')
    return { id: call.id, type: 'custom', custom: { name: call.name, input: call.args as string } }
  return { id: call.id, type: 'function', function: { name: call.name, arguments: argumentsText(call) } }
}

/** The keys of the message's own slot that a request may have. */
const KEPT = ['refusal', 'audio'] as const

export function writeAssistant(
  from: Repaired<AssistantMessage>,
  output: Output<ChatMessage>,
  options: OpenAIChatOptions,
): ChatAssistantMessage {
  const { parts, extra } = from.message
  const sink: Sink = {
    content: [],
    calls: [],
    reasoning: undefined,
    mixed: options.level !== 'live' && mixes(from.message),
  }
  for (let position = 0; position < parts.length; position++) {
    const part = parts[position]!
    const written = PARTS[part.type](part as never, sink)
    if (part.type === 'native' && sink.mixed) output.report('native-as-text', from, position)
    if (written !== undefined) output.trace(written, from, position, part.type === 'tool-call' ? part.id : undefined)
  }
  const slot = extra?.['openai-chat']
  const message: ChatAssistantMessage = { role: 'assistant', content: contentOf(sink, slot, options) }
  if (slot !== undefined) addSlot(message, slot)
  if (slot !== undefined || sink.reasoning !== undefined) addReasoning(message, sink.reasoning, from, output, options)
  if (sink.calls.length > 0) message.tool_calls = sink.calls
  return message
}

function addSlot(message: ChatAssistantMessage, slot: Json): void {
  named(message, slot)
  for (const key of KEPT) {
    const value = valueAt(slot, key)
    if (value !== undefined && value !== null) Object.assign(message, { [key]: value })
  }
}

function contentOf({ content, calls }: Sink, slot: unknown, options: OpenAIChatOptions): string | Content[] | null {
  if (content.length > 0) return shortest(content)
  const alone = calls.length > 0 || (valueAt(slot, 'refusal') ?? valueAt(slot, 'audio') ?? null) !== null
  // Older Azure versions want a text on every message.
  return alone && options.platform !== 'azure' ? null : ''
}
