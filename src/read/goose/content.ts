import { stringAt } from '../../model/json.ts'
import type { MediaPart, TextPart } from '../../model/session.ts'
import { mediaOf } from '../inline-media.ts'
import type { Report } from '../report.ts'
import type { Row } from '../tables.ts'

/** A text or an image; undefined, and reported, when it lacks what it needs. */
export function openPart(block: Row, report: Report): TextPart | MediaPart | undefined {
  if (block.type === 'image') return imagePart(block, report)
  const text = stringAt(block, 'text')
  if (text === undefined) report('part-invalid', { before: block })
  else if (text === '') report('text-empty')
  else return { type: 'text', text }
  return undefined
}

function imagePart(block: Row, report: Report): MediaPart | undefined {
  const base64 = stringAt(block, 'data')
  if (base64 === undefined) report('part-invalid', { before: block })
  return base64 === undefined ? undefined : mediaOf({ base64 }, stringAt(block, 'mimeType') ?? '')
}

/** Blocks that the model neither gets nor gives: what the screen asks and shows. Results are told apart from their message. */
const APART: ReadonlySet<string> = new Set([
  'toolResponse',
  'toolConfirmationRequest',
  'actionRequired',
  'frontendToolRequest',
  'systemNotification',
  'conversationCompacted',
])

/** Reports a block that is of no kind that its message may hold. */
export function reportUnknown(type: string, report: Report): void {
  if (!APART.has(type)) report('record-unknown', { before: type })
}
