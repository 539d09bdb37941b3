import { isObject, stringAt, valueAt } from '../../model/json.ts'
import type {
  AssistantMessage,
  AssistantPart,
  NativePart,
  ReasoningPart,
  TextPart,
  ToolCallEntry,
} from '../../model/session.ts'
import { argumentsText } from '../arguments.ts'
import type { Output, Repaired } from '../writer.ts'
import { hostedItem } from './hosted.ts'
import { ownPair } from './own-tools.ts'
import type { EasyMessage, InputItem, OutputMessage, OutputRefusal, OutputText, ReasoningItem } from './wire.ts'

const API = 'openai-responses'

interface Sink {
  readonly from: Repaired<AssistantMessage>
  readonly output: Output<InputItem>
  /** The message item that a further part may belong to. */
  open: Open | undefined
}

interface Open {
  readonly item: OutputMessage | EasyMessage
  readonly first: TextPart | NativePart
}

/** Adds the items of one assistant message, without the outputs of its calls. */
export function writeAssistant(from: Repaired<AssistantMessage>, output: Output<InputItem>): void {
  const { parts } = from.message
  const sink: Sink = { from, output, open: undefined }
  for (let position = 0; position < parts.length; position++) {
    const part = parts[position]!
    const written = PARTS[part.type](part as never, sink)
    if (written !== undefined) output.trace(written, from, position, part.type === 'tool-call' ? part.id : undefined)
    if (part.type === 'reasoning' && isSpoken(part)) output.report('extra-left-out', from, position, undefined, SPOKEN)
    if (part.type === 'tool-call' && isTrimmed(part)) output.report('extra-left-out', from, position, part.id, TRIMMED)
  }
}

const PARTS: {
  readonly [K in AssistantPart['type']]: (part: Extract<AssistantPart, { type: K }>, sink: Sink) => object | undefined
} = {
  text: writeContent,
  reasoning: (part, sink) => addItem({ type: 'reasoning', ...reasoningItem(part.extra?.[API]) }, sink),
  'tool-call': (part, sink) => addItem(callItem(part), sink),
  native: (part, sink) =>
    stringAt(part.value, 'type') === 'refusal'
      ? writeContent(part, sink)
      : addItem(part.value as unknown as InputItem, sink),
  // The repair steps leave none: the API takes no media from an assistant.
  media: () => undefined,
}

function addItem(item: InputItem, sink: Sink): InputItem {
  sink.open = undefined
  sink.output.add(item, sink.from)
  return item
}

function outputText(part: TextPart): OutputText {
  const annotations = valueAt(part.extra?.[API], 'annotations')
  return { type: 'output_text', text: part.text, annotations: (Array.isArray(annotations) ? annotations : []) as [] }
}

function contentOf(part: TextPart | NativePart): OutputText | OutputRefusal {
  return part.type === 'text' ? outputText(part) : (part.value as unknown as OutputRefusal)
}

/** Parts of one item stay together; a text without an id goes in the easy form. */
function writeContent(part: TextPart | NativePart, sink: Sink): object {
  const slot = part.extra?.[API]
  if (sink.open !== undefined && valueAt(slot, 'joined') === true) return join(part, sink.open)
  const item = slot === undefined ? easyMessage(part) : slottedMessage(part, valueAt(slot, 'item'))
  addItem(item, sink)
  sink.open = { item, first: part }
  return item
}

function join(part: TextPart | NativePart, { item, first }: Open): object {
  const content = contentOf(part)
  if (typeof item.content === 'string') item.content = [contentOf(first)] as never
  ;(item.content as object[]).push(content)
  return content
}

function easyMessage(part: TextPart | NativePart): EasyMessage {
  const content = part.type === 'text' ? part.text : ([part.value] as never)
  return { type: 'message', role: 'assistant', content }
}

function slottedMessage(part: TextPart | NativePart, item: unknown): OutputMessage | EasyMessage {
  const id = stringAt(item, 'id')
  const phase = stringAt(item, 'phase')
  const shared = phase === undefined ? {} : { phase: phase as 'commentary' }
  if (id === undefined) return { ...easyMessage(part), ...shared }
  const status = (stringAt(item, 'status') ?? 'completed') as 'completed'
  return { type: 'message', id, role: 'assistant', status, content: [contentOf(part)], ...shared }
}

/** Whether the item has the plain text of its reasoning besides the summary. @see rule openai-responses/reasoning-content-forbidden */
function isSpoken(part: ReasoningPart): boolean {
  const content = valueAt(valueAt(part.extra?.[API], 'item'), 'content')
  return Array.isArray(content) && content.length > 0
}

const SPOKEN = { message: 'The plain text of a reasoning item was left out: the API takes it in answers only.' }

function isTrimmed(call: ToolCallEntry): boolean {
  if (call.executor !== 'provider') return false
  const raw = valueAt(call.extra?.[API], 'item')
  return hostedItem(raw) !== raw
}

const TRIMMED = { message: 'A field of a call that the API ran itself was left out: it takes it in answers only.' }

/** `content` and `status` stand in answers only. */
function reasoningItem(slot: unknown): Omit<ReasoningItem, 'type'> {
  const item = valueAt(slot, 'item')
  const summary = valueAt(item, 'summary')
  const encrypted = stringAt(item, 'encrypted_content')
  return {
    id: stringAt(item, 'id') ?? '',
    summary: (Array.isArray(summary) ? summary : []) as ReasoningItem['summary'],
    ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
  }
}

function callItem(call: ToolCallEntry): InputItem {
  const slot = call.extra?.[API]
  const raw = valueAt(slot, 'item')
  if (call.executor === 'provider') return hostedItem(raw)
  if (slot === undefined && call.kind !== 'custom')
    return { type: 'function_call', call_id: call.id, name: call.name, arguments: argumentsText(call) }
  const pair = ownPair(call)
  if (pair !== undefined) return pair.call
  const fields = raw === undefined && isObject(slot) ? slot : {}
  // Of a tool in a namespace, where the session joins the two for APIs without namespaces.
  const name = stringAt(fields, 'name') ?? call.name
  if (call.kind === 'custom') {
    const { status: _, ...rest } = fields
    return { type: 'custom_tool_call', ...rest, call_id: call.id, name, input: call.args as string }
  }
  return { type: 'function_call', ...fields, call_id: call.id, name, arguments: argumentsText(call) }
}
