import { ReadError } from '../../model/error.ts'
import { stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { Narrator } from '../narrator.ts'
import type { Reader, ReadOptions, ReadResult, Source } from '../reader.ts'
import { assistantMessages } from './assistant.ts'
import { detect } from './detect.ts'
import { tellFlat } from './flat.ts'
import { sessionFields } from './session.ts'
import { type StoredMessage, storedSession } from './stored.ts'
import { userMessage } from './user.ts'
import { activeWindow, withoutCompactions, withoutReverted } from './window.ts'

/** Sessions of opencode of every generation: exports, shared sessions, storage trees and databases as rows. */
export const reader: Reader = { format: 'opencode', detect, read }

function read(source: Source, options: ReadOptions): Omit<ReadResult, 'format'> {
  const narrator = new Narrator()
  const stored = storedSession(source, narrator.reportAside)
  if (stored === undefined) throw new ReadError('there are no messages of opencode in it', { format: 'opencode' })
  const { info, messages = [], flat, callId } = stored
  if (flat === undefined) tellAll(conversation(messages, info.revert, options, narrator), narrator)
  else tellFlat(flat, info.revert, options, narrator)
  const told = narrator.finish()
  const session = { ...sessionFields(info, callId, lastAgent(messages)), messages: told.messages }
  return { session, changes: told.changes, branches: [] }
}

function conversation(
  messages: readonly StoredMessage[],
  revert: unknown,
  { history }: ReadOptions,
  { report }: Narrator,
): readonly StoredMessage[] {
  const done = withoutReverted(messages, revert, report)
  return history === 'full' ? withoutCompactions(done, report) : activeWindow(done, report)
}

type Teller = (message: StoredMessage, narrator: Narrator) => void

const ROLES: { readonly [role: string]: Teller } = {
  user(message, narrator) {
    const told = userMessage(message, narrator.report)
    if (told === undefined) narrator.report('message-empty', { before: message.id })
    else narrator.user(told)
  },
  assistant(message, narrator) {
    const told = assistantMessages(message, narrator.report)
    const { error } = message.info
    if (told.length === 0) narrator.report('message-empty', { before: error ?? message.id })
    for (const step of told) narrator.assistant(step)
  },
}

function tellAll(messages: readonly StoredMessage[], narrator: Narrator): void {
  for (const message of messages) {
    const tell = own(ROLES, message.info.role)
    if (tell === undefined) narrator.report('record-unknown', { before: message.info.role ?? message })
    else tell(message, narrator)
  }
}

/** Versions before sessions had an agent name it on each answer; a compaction's agent is not the user's choice. */
function lastAgent(messages: readonly StoredMessage[]): string | undefined {
  const last = messages.findLast(({ info }) => info.summary !== true && stringAt(info, 'agent') !== undefined)
  return stringAt(last?.info, 'agent')
}
