import { isObject, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { StopReason } from '../../model/session.ts'
import { STOPS, USAGE } from '../anthropic/ending.ts'
import type { StoredAssistant } from '../assemble.ts'
import { authorOf } from '../author.ts'
import type { ReadOptions } from '../reader.ts'
import { usageFrom } from '../usage.ts'
import type { Group } from './conversation.ts'
import type { JsonRecord, Link } from './records.ts'
import { timeOf } from './user.ts'

export type Head = Omit<StoredAssistant, 'parts'>

/** What the lines of a message say about it. */
export function headOf(group: Group, options: ReadOptions): Head {
  const first = group.members[0]
  const messages = group.members.map(messageOf)
  const by = authorOf('anthropic', options, firstText(messages, 'model'))
  const id = firstText(messages, 'id') ?? first?.uuid
  const stop = stopOf(messages)
  const usage = usageOf(messages)
  return {
    ...(by === undefined ? {} : { by }),
    ...(stop === undefined ? {} : { stop }),
    ...(usage === undefined ? {} : { usage }),
    ...(id === undefined ? {} : { id }),
    ...(first === undefined ? {} : timeOf(first)),
  }
}

const NONE: JsonRecord = {}

function messageOf(link: Link): JsonRecord {
  const message = link.record.message
  return isObject(message) ? message : NONE
}

function firstText(messages: readonly JsonRecord[], key: string): string | undefined {
  for (const message of messages) {
    const text = stringAt(message, key)
    if (text !== undefined && text !== '') return text
  }
  return undefined
}

/** Only the last line of a message has it, if any. */
function stopOf(messages: readonly JsonRecord[]): StopReason | undefined {
  const last = messages.findLast((message) => typeof message.stop_reason === 'string')
  return last === undefined ? undefined : own(STOPS, last.stop_reason)
}

/** Each line repeats the counts; those of the first lines were taken while the answer still streamed. */
function usageOf(messages: readonly JsonRecord[]): ReturnType<typeof usageFrom> {
  const last = messages.findLast((message) => isObject(message.usage))
  return last === undefined ? undefined : usageFrom('anthropic', last.usage, USAGE)
}
