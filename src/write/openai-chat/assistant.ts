import { stringAt, valueAt } from '../../model/json.ts'
import type { AssistantMessage, AssistantPart, NativePart, ToolCallEntry } from '../../model/session.ts'
import type { OpenAIChatOptions } from '../../rules/options.ts'
import { argumentsText } from '../arguments.ts'
import type { Output, Repaired } from '../writer.ts'
import { textContent, validName } from './parts.ts'
import type { ChatAssistantMessage, ChatMessage, ChatToolCall, RefusalContent, TextContent } from './wire.ts'

type Content = TextContent | RefusalContent

/** What a part gives: content or a call. */
interface Sink {
  readonly content: Content[]
  readonly calls: ChatToolCall[]
  /** A refusal would stand beside other content. */
  readonly mixed: boolean
}

const PARTS: {
  readonly [K in AssistantPart['type']]: (part: Extract<AssistantPart, { type: K }>, sink: Sink) => object | undefined
} = {
  text: (part, { content }) => put(content, textContent(part)),
  'tool-call': (part, { calls }) => put(calls, toolCall(part)),
  // The types allow texts, or one refusal alone.
  native: (part, { content, mixed }) =>
    put(content, mixed ? { type: 'text', text: refusalText(part) } : (part.value as unknown as RefusalContent)),
  // The repair steps leave none of these: the API takes neither from an assistant.
  reasoning: () => undefined,
  media: () => undefined,
}

function put<T>(list: T[], item: T): T {
  list.push(item)
  return item
}

function mixes(message: AssistantMessage): boolean {
  const content = message.parts.filter((part) => part.type === 'text' || part.type === 'native')
  return content.length > 1 && content.some((part) => part.type === 'native')
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
  const sink: Sink = { content: [], calls: [], mixed: options.level !== 'live' && mixes(from.message) }
  from.message.parts.forEach((part, position) => {
    const written = PARTS[part.type](part as never, sink)
    if (part.type === 'native' && sink.mixed) output.report('native-as-text', from, position)
    if (written !== undefined) output.trace(written, from, position, part.type === 'tool-call' ? part.id : undefined)
  })
  const slot = from.message.extra?.['openai-chat']
  const message: ChatAssistantMessage = {
    role: 'assistant',
    content: contentOf(sink, slot, options),
    ...validName(slot),
  }
  for (const key of KEPT) {
    const value = valueAt(slot, key)
    if (value !== undefined && value !== null) Object.assign(message, { [key]: value })
  }
  if (valueAt(slot, 'reasoning_details') !== undefined) {
    output.report('reasoning-left-out', from, undefined, undefined, {
      message: 'reasoning_details were left out: the API takes none.',
    })
  }
  if (sink.calls.length > 0) message.tool_calls = sink.calls
  return message
}

function contentOf({ content, calls }: Sink, slot: unknown, options: OpenAIChatOptions): string | Content[] | null {
  const [only] = content
  if (only === undefined) {
    const alone = calls.length > 0 || (valueAt(slot, 'refusal') ?? valueAt(slot, 'audio') ?? null) !== null
    // Older Azure versions want a text on every message.
    return alone && options.platform !== 'azure' ? null : ''
  }
  return content.length === 1 && only.type === 'text' && Object.keys(only).length === 2 ? only.text : content
}
