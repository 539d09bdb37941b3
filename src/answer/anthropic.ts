import { ReadError } from '../model/error.ts'
import { stringAt, valueAt } from '../model/json.ts'
import type { AssistantMessage } from '../model/session.ts'
import { Conversation } from '../read/anthropic/messages.ts'
import { MESSAGE } from '../read/anthropic/structure.ts'
import { authorOf } from '../read/author.ts'
import { unheard } from '../read/report.ts'
import { shallow } from '../read/shallow.ts'
import { Turns } from '../read/turns.ts'
import { type AnswerOptions, checkAnswerOptions } from './options.ts'

/**
 * The message of a response of the Anthropic Messages API. Calls wait for the client; a provider-run call without its
 * result (`stop: 'paused'`) waits for the API.
 * @throws {ReadError} when the value is no message of the assistant's.
 */
export function fromAnthropic(message: object, options: AnswerOptions = {}): AssistantMessage {
  checkAnswerOptions(options)
  const content = valueAt(message, 'content')
  if (stringAt(message, 'role') !== 'assistant' || !(Array.isArray(content) || typeof content === 'string')) {
    throw new ReadError('this is no message of the assistant', { format: 'anthropic' })
  }
  const turns = new Turns()
  const conversation = new Conversation(turns, (model) => authorOf('anthropic', options, model))
  conversation.add(
    shallow(message, MESSAGE, () => {}),
    unheard,
  )
  conversation.endOfAnswer(unheard)
  return turns.answer()
}
