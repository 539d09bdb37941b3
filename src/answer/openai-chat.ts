import { ReadError } from '../model/error.ts'
import { stringAt } from '../model/json.ts'
import type { AssistantMessage } from '../model/session.ts'
import { authorOf } from '../read/author.ts'
import { completionAnswer, isCompletion } from '../read/openai-chat/completion.ts'
import { Contents } from '../read/openai-chat/parts.ts'
import { MESSAGE } from '../read/openai-chat/structure.ts'
import { unheard } from '../read/report.ts'
import { shallow } from '../read/shallow.ts'
import { waiting } from '../read/turns.ts'
import { type AnswerOptions, checkAnswerOptions } from './options.ts'

/**
 * The message of the first choice of a chat completion. Calls wait for the client.
 * @throws {ReadError} when the value is no completion with a message.
 */
export function fromOpenAIChat(completion: object, options: AnswerOptions = {}): AssistantMessage {
  checkAnswerOptions(options)
  const bounded = shallow(completion, MESSAGE, () => {})
  if (!isCompletion(bounded)) throw new ReadError('this is no completion with a message', { format: 'openai-chat' })
  const by = authorOf('openai-chat', options, stringAt(bounded, 'model'))
  const { parts, ...fields } = completionAnswer(bounded, new Contents(options.dialect), by, unheard)
  return { role: 'assistant', parts: parts.map(waiting), ...fields }
}
