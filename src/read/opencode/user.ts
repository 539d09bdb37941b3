import { stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Extra, Json, TextPart, UserMessage, UserPart } from '../../model/session.ts'
import { timeAt } from '../iso-time.ts'
import type { Report } from '../report.ts'
import type { Row } from '../tables.ts'
import { filePart, mimeOf } from './media.ts'
import { isNote } from './notes.ts'
import { providerSlots } from './provider-metadata.ts'
import type { StoredMessage } from './stored.ts'

type Told = Omit<UserMessage, 'role'>

interface Found {
  readonly part: UserPart
  /** Written by the program, not by the user. */
  readonly injected: boolean
}

type PartReader = (part: Row, message: StoredMessage, report: Report) => Found | undefined

/** What the program sends of each kind of part. Those that are not here are its own notes. */
const PARTS: { readonly [type: string]: PartReader } = {
  text(part, _message, report) {
    const text = stringAt(part, 'text')
    if (text === undefined) report('part-invalid', { before: part })
    else if (text === '') report('text-empty')
    else if (part.ignored === true) report('part-left-out', { message: IGNORED, before: text })
    else return { part: withSlot(text, part), injected: part.synthetic === true }
    return undefined
  },
  file(part, message, report) {
    const media = filePart(part)
    if (media === undefined) report('part-invalid', { before: part })
    else if (standsAsText(part, message)) report('part-left-out', { message: AS_TEXT, before: media.name })
    else return { part: media, injected: false }
    return undefined
  },
  compaction: (part) => ({ part: marked('What did we do so far?', part), injected: true }),
  subtask: (part) => ({ part: marked('The following tool was executed by the user', part), injected: true }),
}

const IGNORED = 'A text that is shown to the user only was left out.'
const AS_TEXT = 'A file whose content stands as a text beside it was left out.'

/** The user message; undefined when nothing of it is sent. */
export function userMessage(message: StoredMessage, report: Report): Told | undefined {
  const parts: UserPart[] = []
  let injected = true
  for (const stored of message.parts) {
    const read = own(PARTS, stored.type)
    if (isNote(stored) && stored.text !== undefined) report('part-left-out', { before: stored })
    if (read === undefined && !isNote(stored)) report('record-unknown', { before: stored.type })
    const found = read?.(stored, message, report)
    if (found === undefined) continue
    parts.push(found.part)
    if (!found.injected) injected = false
  }
  if (parts.length === 0) return undefined
  return {
    parts,
    ...(injected ? { kind: 'injected' } : {}),
    ...(message.id === '' ? {} : { id: message.id }),
    ...timeAt(valueAt(message.info.time, 'created') ?? message.created),
    ...headSlot(message.info),
  }
}

/** Text files and folders were read when they were named: their content is a synthetic text of the same message. */
function standsAsText(part: Row, message: StoredMessage): boolean {
  const mime = mimeOf(part)
  if (mime === 'application/x-directory') return true
  return mime === 'text/plain' && message.parts.some((other) => other.synthetic === true)
}

function withSlot(text: string, part: Row): TextPart {
  const slots = providerSlots(part.metadata, 'text')
  const extra: Extra | undefined =
    part.synthetic === true ? { ...slots, opencode: { ...(slots?.opencode as object), synthetic: true } } : slots
  return { type: 'text', text, ...(extra === undefined ? {} : { extra }) }
}

/** A text that the program sends for a part without one. */
function marked(text: string, { id: _id, sessionID: _session, messageID: _message, ...part }: Row): TextPart {
  return { type: 'text', text, extra: { opencode: { part: part as Json } } }
}

/** A system prompt that was given for this message alone. */
function headSlot(info: Row): { readonly extra?: Extra } {
  const system = stringAt(info, 'system')
  return system === undefined || system === '' ? {} : { extra: { opencode: { system } } }
}
