import { stringAt } from '../../model/json.ts'
import type {
  AssistantMessage,
  InstructionMessage,
  Session,
  TextPart,
  UserMessage,
  UserPart,
} from '../../model/session.ts'
import { chatInstructionRoles, chatRules, type InstructionRole } from '../../rules/openai-chat.ts'
import type { OpenAIChatOptions } from '../../rules/options.ts'
import { Thread, type Written } from '../thread.ts'
import type { Output, Repaired, ReportEnd, Setting, Writer } from '../writer.ts'
import { writeAssistant } from './assistant.ts'
import { named, shortest, textContent, USER_CONTENT } from './parts.ts'
import { writeResults } from './results.ts'
import { writeTools } from './tools.ts'
import type { ChatMessage, OpenAIChatRequest, UserContent } from './wire.ts'

export type { OpenAIChatOptions } from '../../rules/options.ts'
export type { ChatMessage, OpenAIChatRequest } from './wire.ts'

type ChatSetting = Setting<OpenAIChatOptions, readonly InstructionRole[]>

/** The API takes no more calls in one message. */
const MOST_CALLS = 128

export const writer: Writer<ChatMessage, OpenAIChatRequest, OpenAIChatOptions, readonly InstructionRole[]> = {
  api: 'openai-chat',
  list: 'messages',
  rules: chatRules,
  traits: chatInstructionRoles,
  open: (output, setting) => (segment) => {
    for (const one of segment.assistants) writeTurn(one, output, setting.options)
    for (const one of segment.rest) FOLLOWERS[one.message.role](one as never, output, setting)
  },
  request({ instructions, wires, tools }, setting, report) {
    const written = tools && writeTools(tools, report)
    const first = instructions.length === 0 ? [] : [systemPrompt(instructions, setting, report)]
    return {
      messages: first.length === 0 ? wires : [...first, ...wires],
      // An empty list is refused.
      ...(written === undefined || written.length === 0 ? {} : { tools: written }),
    }
  },
}

function writeTurn(from: Repaired<AssistantMessage>, output: Output<ChatMessage>, options: OpenAIChatOptions): void {
  const message = writeAssistant(from, output, options)
  const calls = message.tool_calls
  if (calls === undefined || calls.length <= MOST_CALLS) {
    output.add(message, from)
    writeResults(from, output, options)
    return
  }
  for (let start = 0; start < calls.length; start += MOST_CALLS) {
    const batch = calls.slice(start, start + MOST_CALLS)
    output.add(
      start === 0 ? { ...message, tool_calls: batch } : { role: 'assistant', content: null, tool_calls: batch },
      from,
    )
    writeResults(from, output, options, new Set(batch.map((call) => call.id)))
  }
}

const FOLLOWERS = {
  user(from: Repaired<UserMessage>, output: Output<ChatMessage>) {
    const { parts, extra } = from.message
    const content =
      plainText(parts) ?? shortest(parts.map((part, position) => userContent(part, from, position, output)))
    output.add(named({ role: 'user', content }, extra?.['openai-chat']), from)
  },
  instruction(from: Repaired<InstructionMessage>, output: Output<ChatMessage>, setting: ChatSetting) {
    const content = shortest(from.message.parts.map(textContent))
    const role = roleFor(from.message.authority, setting)
    if (role === 'user') output.report('instruction-as-user', from)
    else if (role !== from.message.authority) output.report('instruction-role-changed', from)
    output.add(named({ role, content }, from.message.extra?.['openai-chat']), from)
  },
}

/** The text of a message of one plain text, which is written as a string. */
function plainText(parts: readonly UserPart[]): string | undefined {
  const [only] = parts
  return parts.length === 1 && only?.type === 'text' && only.extra === undefined ? only.text : undefined
}

function userContent(part: UserPart, from: Repaired, position: number, output: Output<ChatMessage>): UserContent {
  const written = USER_CONTENT[part.type](part as never)
  output.trace(written, from, position)
  return written
}

/** A stored role stays where the model takes it. */
function roleFor(stored: InstructionRole, { options, traits: roles }: ChatSetting): InstructionRole | 'user' {
  if (roles.includes(stored) || (options.level === 'live' && options.model === undefined)) return stored
  return roles[0] ?? 'user'
}

function systemPrompt(parts: readonly TextPart[], setting: ChatSetting, report: ReportEnd): ChatMessage {
  const slot = parts[0]?.extra?.['openai-chat']
  const stored = stringAt(slot, 'role') === 'developer' ? 'developer' : 'system'
  const role = roleFor(stored, setting)
  if (role === 'user') report('instruction-as-user')
  return named({ role, content: shortest(parts.map(textContent)) }, slot)
}

/**
 * Writes a session as a Chat Completions history, repaired so that the API accepts it.
 * @throws {ConvertError} with `onLoss: 'throw'`, when content would be lost.
 */
export function toOpenAIChat(session: Session, options: OpenAIChatOptions = {}): Written<OpenAIChatRequest> {
  return new Thread(writer, options, session).request()
}
