import { own } from '../../model/own.ts'
import type { UserMessage, UserPart } from '../../model/session.ts'
import { timeAt } from '../iso-time.ts'
import type { Narrator } from '../narrator.ts'
import type { Report } from '../report.ts'
import { openPart, reportUnknown } from './content.ts'
import { tellResults } from './results.ts'
import type { Block, StoredMessage } from './stored.ts'

/** What a user says. */
const BLOCKS: { readonly [type: string]: (block: Block, report: Report) => UserPart | undefined } = {
  text: openPart,
  image: openPart,
}

/** Results stand in messages of the user, mostly alone. */
export function tellUser(message: StoredMessage, narrator: Narrator): void {
  const hasResults = tellResults(message, narrator)
  const parts: UserPart[] = []
  for (const block of message.content) {
    const read = own(BLOCKS, block.type)
    if (read === undefined) reportUnknown(block.type, narrator.report)
    const part = read?.(block, narrator.report)
    if (part !== undefined) parts.push(part)
  }
  if (parts.length > 0) narrator.user(userMessage(message, parts))
  else if (!hasResults) narrator.report('message-empty', { before: message.id })
}

function userMessage(message: StoredMessage, parts: readonly UserPart[]): Omit<UserMessage, 'role'> {
  const kind = message.isSummary === true ? 'summary' : message.userVisible ? undefined : 'injected'
  return {
    parts,
    ...(kind === undefined ? {} : { kind }),
    ...(message.id === '' ? {} : { id: message.id }),
    ...timeAt(message.created),
  }
}
