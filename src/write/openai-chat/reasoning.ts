import { stringAt, valueAt } from '../../model/json.ts'
import type { AssistantMessage } from '../../model/session.ts'
import { reasoningBack } from '../../rules/chat-servers.ts'
import { modelName } from '../../rules/model-id.ts'
import type { OpenAIChatOptions } from '../../rules/options.ts'
import type { Output, Repaired } from '../writer.ts'
import type { ChatAssistantMessage, ChatMessage } from './wire.ts'

/** Gives a server what it said before its earlier answer; `text`: of the reasoning that the repair steps have left. */
export function addReasoning(
  message: ChatAssistantMessage,
  text: string | undefined,
  from: Repaired<AssistantMessage>,
  output: Output<ChatMessage>,
  options: OpenAIChatOptions,
): void {
  const details = valueAt(from.message.extra?.['openai-chat'], 'reasoning_details')
  const back = reasoningBack(options.dialect)
  const written = back === undefined ? undefined : text
  if (Array.isArray(details) && takesDetails(from.message, options)) message.reasoning_details = details
  else if (details !== undefined && !isSaid(details, written))
    output.report('reasoning-left-out', from, undefined, undefined, { message: LEFT_OUT })
  if (written === undefined || back === undefined || textOf(message.reasoning_details).includes(written)) return
  message[back.field] = written
}

const LEFT_OUT = 'reasoning_details were left out: they go back only to the server and the model that gave them.'

function takesDetails({ by }: AssistantMessage, { dialect, model, reasoning }: OpenAIChatOptions): boolean {
  if (reasoningBack(dialect)?.details !== true || (reasoning ?? 'replay') !== 'replay') return false
  if (by === undefined || model === undefined || (by.dialect ?? by.provider) !== dialect) return false
  return modelName(by.model) === modelName(model)
}

/** Whether details add nothing to a text: no signature, and nothing encrypted. */
function isSaid(details: unknown, text: string | undefined): boolean {
  if (text === undefined || !Array.isArray(details)) return false
  const isPlain = details.every((detail) => wordsOf(detail) !== '' && valueAt(detail, 'signature') === undefined)
  return isPlain && text.includes(textOf(details))
}

/** What details say in words. */
const textOf = (details: readonly unknown[] | undefined): string => (details ?? []).map(wordsOf).join('')

const wordsOf = (detail: unknown): string => stringAt(detail, 'text') ?? stringAt(detail, 'summary') ?? ''
