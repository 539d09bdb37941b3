import type { MediaPart, OutputPart, ToolCallEntry } from '../../model/session.ts'
import type { OpenAIChatOptions } from '../../rules/options.ts'
import { reportOutcome } from '../closing.ts'
import { outcomeOf } from '../texts.ts'
import type { Output, Repaired } from '../writer.ts'
import { mediaContent, textContent } from './parts.ts'
import type { ChatMessage, TextContent, UserContent } from './wire.ts'

/** The tool message of a call; media, which it cannot hold, goes into `media`, for a user message behind all results. */
export function writeResult(
  call: ToolCallEntry,
  from: Repaired,
  position: number,
  media: UserContent[],
  output: Output<ChatMessage>,
  options: OpenAIChatOptions,
): ChatMessage {
  reportOutcome(call, from, position, output, false)
  const told = outcomeOf(call, options.texts ?? {}, false).output
  const moved = typeof told === 'string' ? [] : told.filter((part) => part.type === 'media')
  if (moved.length > 0) {
    output.report('media-moved', from, position, call.id)
    media.push(label(call), ...moved.map((part) => mediaContent(part as MediaPart)))
  }
  let content = contentOf(told, moved.length)
  if (content === '' && options.level !== 'live') {
    output.report('result-empty', from, position, call.id)
    content = NO_OUTPUT
  }
  const message: ChatMessage = { role: 'tool', tool_call_id: call.id, content }
  output.trace(message, from, position, call.id)
  return message
}

/** Servers in front of other APIs refuse an empty text. @see rule openai-chat/content-empty-string */
const NO_OUTPUT = '(no output)'

const label = (call: ToolCallEntry): UserContent => ({
  type: 'text',
  text: `Media of the result of ${call.name} (${call.id}):`,
})

function contentOf(told: string | readonly OutputPart[], media: number): string | TextContent[] {
  if (typeof told === 'string') return told
  const texts = told.flatMap((part) => TEXTS[part.type](part as never))
  if (media > 0) texts.push({ type: 'text', text: '(The media of this result follows in a user message.)' })
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
