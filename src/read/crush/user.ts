import { stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { MediaPart, UserMessage, UserPart } from '../../model/session.ts'
import { fromDataUrl } from '../data-url.ts'
import { inlineMedia, mediaOf } from '../inline-media.ts'
import { timeAt } from '../iso-time.ts'
import type { Report } from '../report.ts'
import type { Row } from '../tables.ts'
import { isApart, type StoredMessage } from './parts.ts'

type PartReader = (data: Row, report: Report) => UserPart | undefined

/** What the program sends of each kind of part; a `finish` is its own note. */
const PARTS: { readonly [type: string]: PartReader } = {
  text(data, report) {
    const text = stringAt(data, 'text')
    if (text === undefined) report('part-invalid', { before: data })
    else if (text === '') report('text-empty')
    else return { type: 'text', text }
    return undefined
  },
  image_url(data, report) {
    const url = stringAt(data, 'url')
    if (url === undefined) report('part-invalid', { before: data })
    return url === undefined ? undefined : imageOf(url)
  },
  binary(data, report) {
    const base64 = stringAt(data, 'Data')
    if (base64 !== undefined) return inlineMedia(base64, stringAt(data, 'MIMEType') ?? '', stringAt(data, 'Path'))
    report('part-invalid', { before: data })
    return undefined
  },
  shell_command(data, report) {
    for (const key of ['command', 'output'])
      if (data[key] !== undefined && typeof data[key] !== 'string') report('part-invalid', { before: data[key] })
    if (data.command === undefined) report('part-invalid', { message: NO_COMMAND, before: data })
    const [command, output] = [stringAt(data, 'command') ?? '', stringAt(data, 'output') ?? '']
    const exit = typeof data.exit_code === 'number' ? data.exit_code : 0
    return { type: 'text', text: `$ ${command}\n${output}\n(exit code ${exit})` }
  },
}

const NO_COMMAND = 'A shell command is stored without its text.'

/** The user message; undefined when nothing of it is sent. */
export function userMessage(message: StoredMessage, report: Report): Omit<UserMessage, 'role'> | undefined {
  const parts: UserPart[] = []
  for (const { type, data } of message.parts) {
    const read = own(PARTS, type)
    if (read === undefined && !isApart(type)) report('record-unknown', { before: type })
    const part = read?.(data, report)
    if (part !== undefined) parts.push(part)
  }
  if (parts.length === 0) return undefined
  const kind = message.isSummary === true ? 'summary' : isHidden(message) ? 'injected' : undefined
  return {
    parts,
    ...(kind === undefined ? {} : { kind }),
    ...(message.id === '' ? {} : { id: message.id }),
    ...timeAt(message.row.created_at),
  }
}

/** A continuation that the program wrote in the user's name. */
function isHidden({ parts }: StoredMessage): boolean {
  const texts = parts.filter(({ type }) => type === 'text')
  return texts.length > 0 && texts.every(({ data }) => data.hidden === true)
}

function imageOf(url: string): MediaPart {
  const data = fromDataUrl(url)
  return data === undefined
    ? { ...mediaOf({ url }, ''), kind: 'image' }
    : mediaOf({ base64: data.base64 }, data.mediaType)
}
