import { ReadError } from '../model/error.ts'
import { isObject, stringAt, valueAt } from '../model/json.ts'
import type { AssistantMessage } from '../model/session.ts'
import { authorOf } from '../read/author.ts'
import { endingOf } from '../read/openai-responses/ending.ts'
import { Items } from '../read/openai-responses/items.ts'
import { ITEM } from '../read/openai-responses/structure.ts'
import { unheard } from '../read/report.ts'
import { shallow } from '../read/shallow.ts'
import { Turns } from '../read/turns.ts'
import { type AnswerOptions, checkAnswerOptions } from './options.ts'

/**
 * The output items of a response of the OpenAI Responses API as one message. Calls wait for the client.
 * @throws {ReadError} when the value is no response with output.
 */
export function fromOpenAIResponses(response: object, options: AnswerOptions = {}): AssistantMessage {
  checkAnswerOptions(options)
  const output = valueAt(response, 'output')
  if (!isObject(response) || !Array.isArray(output)) {
    throw new ReadError('this is no response with output', { format: 'openai-responses' })
  }
  const by = authorOf('openai-responses', options, stringAt(response, 'model'))
  const turns = new Turns()
  const items = new Items(turns, by === undefined ? {} : { by })
  for (const item of output)
    items.add(
      shallow(item, ITEM, () => {}),
      unheard,
    )
  return { ...turns.answer(), ...(by === undefined ? {} : { by }), ...endingOf(response) }
}
