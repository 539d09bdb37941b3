import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Author, StopReason } from '../../model/session.ts'
import type { StoredAssistant } from '../assemble.ts'
import type { Report } from '../report.ts'
import { usageFrom } from '../usage.ts'
import { assistantMessage } from './assistant.ts'
import { STOPS, USAGE } from './ending.ts'
import { reportFurtherFields } from './fields.ts'
import type { Contents } from './parts.ts'

/** Whether a value is a completion: an object with choices that are messages. */
export function isCompletion(value: unknown): value is Fields {
  return isObject(valueAt(choicesOf(value)[0], 'message'))
}

/** The message of the first choice; further ones are other ways the conversation could have gone. */
export function completionAnswer(
  completion: Fields,
  contents: Contents,
  by: Author | undefined,
  report: Report,
): StoredAssistant {
  const [first, ...further] = choicesOf(completion)
  const message = valueAt(first, 'message') as Fields
  reportFurtherFields(message, report)
  for (const choice of further) report('branch-left-out', { before: valueAt(choice, 'message') })
  const stop = stopOf(message, valueAt(first, 'finish_reason'))
  const usage = usageFrom('openai-chat', valueAt(completion, 'usage'), USAGE)
  const id = stringAt(completion, 'id')
  return {
    ...assistantMessage(message, contents, report),
    ...(by === undefined ? {} : { by }),
    ...(stop === undefined ? {} : { stop }),
    ...(usage === undefined ? {} : { usage }),
    ...(id === undefined ? {} : { id }),
  }
}

function stopOf(message: Fields, reason: unknown): StopReason | undefined {
  return typeof message.refusal === 'string' && message.refusal !== '' ? 'refusal' : own(STOPS, reason)
}

function choicesOf(value: unknown): readonly unknown[] {
  const choices = valueAt(value, 'choices')
  return Array.isArray(choices) ? choices : []
}
