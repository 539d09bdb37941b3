import { isObject } from '../../model/json.ts'
import type { AssistantMessage, InstructionMessage, Session, UserMessage } from '../../model/session.ts'
import { chatInstructionRoles, type InstructionRole } from '../../rules/openai-chat.ts'
import { reasons, responsesRules } from '../../rules/openai-responses.ts'
import type { OpenAIResponsesOptions } from '../../rules/options.ts'
import { inResultOrder } from '../result-order.ts'
import { Thread, type Written } from '../thread.ts'
import type { Output, Repaired, Setting, Writer } from '../writer.ts'
import { writeAssistant } from './assistant.ts'
import { inputText, USER_CONTENT } from './content.ts'
import { writeResult } from './results.ts'
import { writeTools } from './tools.ts'
import type { InputContent, InputItem, OpenAIResponsesRequest } from './wire.ts'

export type { OpenAIResponsesOptions } from '../../rules/options.ts'
export type { InputItem, OpenAIResponsesRequest } from './wire.ts'

export const writer: Writer<InputItem, OpenAIResponsesRequest, OpenAIResponsesOptions, readonly InstructionRole[]> = {
  api: 'openai-responses',
  list: 'input',
  rules: responsesRules,
  traits: chatInstructionRoles,
  open: (output, setting) => (segment) => {
    for (const one of segment.assistants) writeTurn(one, output, setting.options)
    for (const one of segment.rest) FOLLOWERS[one.message.role](one as never, output, setting)
  },
  request({ instructions, wires, tools }, { options }, report) {
    const written = tools && writeTools(tools, report)
    const text = instructions.map((part) => part.text).join('\n\n')
    const store = options.store ?? false
    return {
      ...(text === '' ? {} : { instructions: text }),
      input: wires,
      ...(written === undefined || written.length === 0 ? {} : { tools: written }),
      store,
      // What is not stored must be brought along next time; models that do not reason refuse to be asked.
      ...(!store && reasons(options.model) ? { include: ['reasoning.encrypted_content' as const] } : {}),
    }
  },
}

type ResponsesSetting = Setting<OpenAIResponsesOptions, readonly InstructionRole[]>

/** Calls first, then their outputs: some servers take nothing between the two. */
function writeTurn(from: Repaired<AssistantMessage>, output: Output<InputItem>, options: OpenAIResponsesOptions): void {
  writeAssistant(from, output)
  inResultOrder(from.message, writeResult, { from, output, options })
}

const FOLLOWERS = {
  user(from: Repaired<UserMessage>, output: Output<InputItem>) {
    const content = from.message.parts.map((part, position) => {
      const written = USER_CONTENT[part.type](part as never)
      output.trace(written, from, position)
      return written
    })
    output.add(messageItem('user', content, from.message), from)
  },
  instruction(
    from: Repaired<InstructionMessage>,
    output: Output<InputItem>,
    { options, traits: roles }: ResponsesSetting,
  ) {
    const content = from.message.parts.map(inputText)
    const { authority } = from.message
    const kept = roles.includes(authority) || (options.level === 'live' && options.model === undefined)
    const role = kept ? authority : (roles[0] ?? 'user')
    if (role === 'user') output.report('instruction-as-user', from)
    else if (role !== authority) output.report('instruction-role-changed', from)
    output.add(messageItem(role, content, from.message), from)
  },
}

function messageItem(
  role: InstructionRole | 'user',
  parts: InputContent[],
  message: UserMessage | InstructionMessage,
): InputItem {
  const content = parts.length === 0 ? '' : parts
  const slot = message.extra?.['openai-responses']
  return isObject(slot) ? { type: 'message', ...slot, role, content } : { type: 'message', role, content }
}

/**
 * Writes a session as the input of the Responses API, repaired so that the API accepts it.
 * @throws {ConvertError} with `onLoss: 'throw'`, when content would be lost.
 */
export function toOpenAIResponses(
  session: Session,
  options: OpenAIResponsesOptions = {},
): Written<OpenAIResponsesRequest> {
  return new Thread(writer, options, session).request()
}
