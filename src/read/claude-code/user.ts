import { append } from '../../model/append.ts'
import { isObject, stringAt } from '../../model/json.ts'
import type { UserMessage, UserPart } from '../../model/session.ts'
import { openPart, sideOf } from '../anthropic/blocks.ts'
import type { Report } from '../report.ts'
import type { Writable } from '../slots.ts'
import { blockOf, isBlank } from './block.ts'
import { isSummary } from './compaction.ts'
import type { Link } from './link.ts'
import { blocksOf } from './messages.ts'

type Told = Omit<UserMessage, 'role'>

/** The user message of a record; undefined when nothing of it can be sent. */
export function userMessage(link: Link, blocks: readonly unknown[], report: Report): Told | undefined {
  const parts = userParts(blocks, report)
  if (parts.length === 0) return undefined
  return told(link, parts, kindOf(link, parts))
}

/** Text that was typed while the model worked, or the news of a background task. */
export function queuedMessage(link: Link, report: Report): Told | undefined {
  const attachment = link.record.attachment
  const blocks = isObject(attachment) ? blocksOf(attachment.prompt) : undefined
  if (blocks === undefined) {
    report('record-invalid', { before: attachment })
    return undefined
  }
  const parts = userParts(blocks, report)
  if (parts.length === 0) return undefined
  const typed = stringAt(attachment, 'commandMode') !== 'task-notification'
  return told(link, parts, typed ? noise(parts) : 'injected')
}

/** The content of a file that the user named, as the model saw it; undefined when it is no text. */
export function fileMessage(link: Link): Told | undefined {
  const attachment = link.record.attachment
  const content = isObject(attachment) ? attachment.content : undefined
  const file = isObject(content) && content.type === 'text' ? content.file : undefined
  const text = stringAt(file, 'content')
  if (text === undefined || text.trim() === '') return undefined
  const name = stringAt(attachment, 'filename') ?? stringAt(file, 'filePath')
  const parts: readonly UserPart[] = [{ type: 'text', text: name === undefined ? text : `${name}:\n\n${text}` }]
  return told(link, parts, 'injected')
}

function told(link: Link, parts: readonly UserPart[], kind: Kind): Told {
  const message: Writable<Told> = { parts, id: link.uuid }
  if (kind !== undefined) message.kind = kind
  const at = link.record.timestamp
  if (typeof at === 'string' && at !== '') message.at = at
  return message
}

function userParts(blocks: readonly unknown[], report: Report): readonly UserPart[] {
  if (blocks.length === 0) report('message-empty')
  let parts: UserPart[] = []
  for (const block of blocks) {
    const part = userPart(block, report)
    if (part !== undefined) parts = append(parts, part)
  }
  return parts
}

function userPart(raw: unknown, report: Report): UserPart | undefined {
  const block = blockOf(raw, report)
  if (block === undefined) return undefined
  if (isBlank(block)) report('text-empty')
  else if (sideOf(block) === 'any') return openPart(block, report)
  else report('part-invalid', { before: block })
  return undefined
}

type Kind = UserMessage['kind']

function kindOf(link: Link, parts: readonly UserPart[]): Kind {
  if (isSummary(link)) return 'summary'
  return link.record.isMeta === true ? 'injected' : noise(parts)
}

/**
 * How texts begin that the tool puts in: what a command printed, what the editor shows, that the user pressed escape. Commands
 * (`<command-name>`, `<bash-input>`) were typed.
 */
const NOISE: readonly string[] = [
  '[Request interrupted by user',
  '<bash-stderr>',
  '<bash-stdout>',
  '<ide_opened_file>',
  '<ide_selection>',
  '<local-command-caveat>',
  '<local-command-stderr>',
  '<local-command-stdout>',
  '<system-reminder>',
  '<task-notification>',
]

/** `injected` when all of a message is such text; prose behind a tag makes it a prompt. */
function noise(parts: readonly UserPart[]): Kind {
  return parts.every((part) => part.type === 'text' && isNoise(part.text)) ? 'injected' : undefined
}

function isNoise(text: string): boolean {
  const visible = text.trimStart()
  const begin = NOISE.find((candidate) => visible.startsWith(candidate))
  return begin !== undefined && text.trimEnd().endsWith(begin.startsWith('[') ? ']' : '>')
}
