import type { AssistantMessage, OutputPart, ToolCallEntry } from '../../model/session.ts'
import type { OpenAIChatOptions } from '../../rules/options.ts'
import { reportOutcome } from '../closing.ts'
import { inResultOrder } from '../result-order.ts'
import { outcomeOf } from '../texts.ts'
import type { Output, Repaired } from '../writer.ts'
import { mediaContent, textContent } from './parts.ts'
import type { ChatMessage, TextContent, UserContent } from './wire.ts'

/** Where the results of a message go. */
interface Results {
  readonly from: Repaired<AssistantMessage>
  readonly output: Output<ChatMessage>
  readonly options: OpenAIChatOptions
  /** The ids of the calls to answer now; absent: all. */
  readonly due: ReadonlySet<string> | undefined
  /** What no result can hold, for a user message behind them. */
  media: UserContent[] | undefined
}

export function writeResults(
  from: Repaired<AssistantMessage>,
  output: Output<ChatMessage>,
  options: OpenAIChatOptions,
  due?: ReadonlySet<string>,
): void {
  const results: Results = { from, output, options, due, media: undefined }
  inResultOrder(from.message, writeResult, results)
  if (results.media !== undefined) output.add({ role: 'user', content: results.media }, from)
}

function writeResult(call: ToolCallEntry, position: number, results: Results): void {
  const { from, output, options, due } = results
  if (due?.has(call.id) === false) return
  reportOutcome(call, from, position, output, false)
  const told = outcomeOf(call, options.texts, false).output
  let content = typeof told === 'string' ? told : listedContent(told, call, position, results)
  if (content === '' && options.level !== 'live') {
    output.report('result-empty', from, position, call.id)
    content = NO_OUTPUT
  }
  const message: ChatMessage = { role: 'tool', tool_call_id: call.id, content }
  output.trace(message, from, position, call.id)
  output.add(message, from)
}

/** Servers in front of other APIs refuse an empty text. @see rule openai-chat/content-empty-string */
const NO_OUTPUT = '(no output)'

const label = (call: ToolCallEntry): UserContent => ({
  type: 'text',
  text: `Media of the result of ${call.name} (${call.id}):`,
})

function listedContent(
  told: readonly OutputPart[],
  call: ToolCallEntry,
  position: number,
  results: Results,
): string | TextContent[] {
  const texts = told.flatMap((part) => TEXTS[part.type](part as never))
  const moved = told.filter((part) => part.type === 'media')
  if (moved.length > 0) {
    results.output.report('media-moved', results.from, position, call.id)
    results.media ??= []
    results.media.push(label(call), ...moved.map(mediaContent))
    texts.push({ type: 'text', text: '(The media of this result follows in a user message.)' })
  }
  return texts.length === 0 ? '' : texts
}

const TEXTS: {
  readonly [K in OutputPart['type']]: (part: Extract<OutputPart, { type: K }>) => readonly TextContent[]
} = {
  text: (part) => [textContent(part)],
  json: (part) => [{ type: 'text', text: JSON.stringify(part.value) }],
  native: (part) => [part.value as unknown as TextContent],
  media: () => [],
}
