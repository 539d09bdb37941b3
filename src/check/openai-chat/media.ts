import { stringAt, valueAt } from '../../model/json.ts'
import { IMAGE_TYPES, looksLikeImage, parseDataUrl } from '../openai/data-url.ts'
import type { Shape } from '../openai/shape.ts'
import { text } from '../openai/shape.ts'
import type { Fault } from '../openai/templates.ts'
import type { Walk } from '../openai/verify.ts'
import type { ChatRule } from './rules.ts'

/** `file_data` is a base64 data URL of a PDF. */
export function fileData(): Shape<ChatRule> {
  return { ...text(), also: pdfOnly }
}

function pdfOnly(value: unknown, walk: Walk<ChatRule>): void {
  const url = parseDataUrl(String(value))
  if (url?.base64 === true && url.mediaType === 'application/pdf') return
  const got = url?.base64 === true ? `unsupported MIME type '${url.mediaType}'` : 'an invalid base64-encoded value'
  walk.report.raise('file-part-mime', fileFault(walk.place.path(), got))
}

function fileFault(path: string, got: string): Fault {
  const message = `Invalid file data: '${path}'. Expected a base64-encoded data URL with an application/pdf MIME type (e.g. 'data:application/pdf;base64,SGVsbG8sIFdvcmxkIQ=='), but got ${got}.`
  return { message, code: 'invalid_value', param: path, path }
}

const UNSUPPORTED =
  "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp']."

/**
 * An inline image must say that it is one, and begin like a PNG, JPEG, GIF or WebP. What stands behind a URL is not in the
 * body. The param of the first fault was not seen.
 */
export function imageFault(part: unknown, walk: Walk<ChatRule>): void {
  const url = stringAt(valueAt(part, 'image_url'), 'url')
  const data = url === undefined ? undefined : parseDataUrl(url)
  if (url === undefined || data === undefined) return
  const path = walk.place.at('image_url')
  const fault = { code: 'invalid_image_format', param: null, path }
  if (!data.mediaType.startsWith('image/')) {
    walk.report.raise('image-bad-mime', { ...fault, message: 'Invalid MIME type. Only image types are supported.' })
  } else if (!data.base64 || !IMAGE_TYPES.has(data.mediaType) || !looksLikeImage(url, data.start)) {
    walk.report.raise('image-unsupported', { ...fault, message: UNSUPPORTED })
  }
}
