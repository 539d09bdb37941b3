import { ReadError } from '../../model/error.ts'
import { type Fields, stringAt } from '../../model/json.ts'
import type { TextPart } from '../../model/session.ts'
import type { Entry } from '../body.ts'
import { isoTime } from '../iso-time.ts'
import { Narrator } from '../narrator.ts'
import type { Reader, ReadResult, Source } from '../reader.ts'
import { detect } from './detect.ts'
import { ModelMessages } from './model-messages.ts'
import { bodyIn, isUI } from './shape.ts'
import { UIMessages } from './ui-messages.ts'

/** Messages of the Vercel AI SDK: those of screens (`UIMessage`, versions 4 and later) and those for models (`ModelMessage`). */
export const reader: Reader = { format: 'ai-sdk', detect, read }

function read(source: Source): Omit<ReadResult, 'format'> {
  const body = bodyIn(source)
  if (body === undefined) throw new ReadError('there is no list of messages', { format: 'ai-sdk' })
  const to = new Narrator()
  const instructions = tell(body.list, to)
  const { messages, changes } = to.finish()
  return {
    session: {
      version: 1,
      source: { format: 'ai-sdk' },
      ...chatFields(body.fields),
      ...(instructions === undefined ? {} : { instructions }),
      messages,
    },
    changes,
    branches: [],
  }
}

function tell(list: readonly Entry[], to: Narrator): readonly TextPart[] | undefined {
  if (!isUI(list)) {
    const messages = new ModelMessages(to, list)
    for (const entry of list) messages.add(entry)
    return messages.instructions
  }
  const messages = new UIMessages(to)
  const last = list.length - 1
  for (const [index, entry] of list.entries()) messages.add(entry, index === last)
  return messages.instructions
}

/** A chat that holds its messages. */
function chatFields(chat: Fields) {
  const [id, title] = [stringAt(chat, 'id') ?? stringAt(chat, 'chatId'), stringAt(chat, 'title')]
  const createdAt = isoTime(chat.createdAt)
  return {
    ...(id === undefined ? {} : { id }),
    ...(title === undefined ? {} : { title }),
    ...(createdAt === undefined ? {} : { createdAt }),
  }
}
