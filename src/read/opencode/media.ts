import { stringAt } from '../../model/json.ts'
import type { MediaPart } from '../../model/session.ts'
import { fromDataUrl } from '../data-url.ts'
import { inlineMedia, mediaOf } from '../inline-media.ts'
import type { Row } from '../tables.ts'

/**
 * A file of a message or a result. What a `file://` URL names is not opened: the URL stands for it, and no API fetches it.
 * Undefined when there is no URL.
 */
export function filePart(stored: Row): MediaPart | undefined {
  const url = stringAt(stored, 'url') ?? stringAt(stored, 'uri')
  if (url === undefined || url === '') return undefined
  const data = fromDataUrl(url)
  const mime = mimeOf(stored)
  if (data === undefined) return mediaOf({ url }, mime, nameOf(stored))
  return inlineMedia(data.base64, mime === '' ? data.mediaType : mime, nameOf(stored))
}

/** `mediaType` in the first generation, `mime` since. */
export const mimeOf = (stored: Row): string => stringAt(stored, 'mime') ?? stringAt(stored, 'mediaType') ?? ''

export const nameOf = (stored: Row): string | undefined => stringAt(stored, 'filename') ?? stringAt(stored, 'name')
