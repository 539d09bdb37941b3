import { isObject, stringAt } from '../../model/json.ts'
import type { Report } from '../report.ts'
import { SUMMARY_LEFT_OUT } from '../summary-left-out.ts'
import type { Row } from '../tables.ts'
import type { StoredMessage } from './stored.ts'

type Messages = readonly StoredMessage[]

/** The messages without those that the user undid: the program deletes them with the next prompt, and not before. */
export function withoutReverted(messages: Messages, revert: unknown, report: Report): Messages {
  const messageId = stringAt(revert, 'messageID')
  const place = messageId === undefined ? -1 : messages.findIndex(({ id }) => id === messageId)
  const message = messages[place]
  if (message === undefined) return messages
  const partId = stringAt(revert, 'partID')
  const partPlace = partId === undefined ? -1 : message.parts.findIndex((part) => part.id === partId)
  const kept = partPlace > 0 ? [{ ...message, parts: message.parts.slice(0, partPlace) }] : []
  report('message-left-out', { message: UNDONE, before: `${messages.length - place} stored messages` })
  return [...messages.slice(0, place), ...kept]
}

const UNDONE = 'Messages that the user undid were left out.'

/**
 * What the program sends: from the last successful compaction on, its summary first, then the tail that it kept, then the rest.
 * A compaction without a finished summary changes nothing.
 */
export function activeWindow(messages: Messages, report: Report): Messages {
  const summarised = new Set(messages.filter(isSummary).flatMap(({ info }) => stringAt(info, 'parentID') ?? []))
  const cut = messages.findLastIndex((message) => summarised.has(message.id) && compactionOf(message) !== undefined)
  const tailId = stringAt(compactionOf(messages[cut]), 'tail_start_id')
  if (cut < 0) return messages
  if (tailId === undefined) return applied(messages, messages.slice(cut), report)
  // A tail that is not stored keeps everything, since the program never finds where to stop.
  const tail = Math.max(
    messages.findIndex(({ id }) => id === tailId),
    0,
  )
  const id = messages[cut]!.id
  const summary = messages.findIndex(
    (message, place) => place > cut && isSummary(message) && message.info.parentID === id,
  )
  const kept =
    summary < 0 || tail > cut
      ? messages.slice(Math.min(tail, cut))
      : [...messages.slice(cut, summary + 1), ...messages.slice(tail, cut), ...messages.slice(summary + 1)]
  return applied(messages, kept, report)
}

function applied(messages: Messages, kept: Messages, report: Report): Messages {
  report('compaction-applied', { before: `${messages.length - kept.length} stored messages` })
  return kept
}

/** Every message of the conversation, without compactions and their summaries. */
export function withoutCompactions(messages: Messages, report: Report): Messages {
  const kept: StoredMessage[] = []
  for (const message of messages) {
    const parts = message.parts.filter((part) => part.type !== 'compaction')
    if (message.info.role === 'assistant' && message.info.summary === true) {
      report('message-left-out', { message: SUMMARY_LEFT_OUT })
    } else if (parts.length === message.parts.length) kept.push(message)
    else if (parts.length > 0) kept.push({ ...message, parts })
  }
  return kept
}

function isSummary({ info }: StoredMessage): boolean {
  return info.role === 'assistant' && info.summary === true && Boolean(info.finish) && !isObject(info.error)
}

function compactionOf(message: StoredMessage | undefined): Row | undefined {
  return message?.info.role === 'user' ? message.parts.find((part) => part.type === 'compaction') : undefined
}
