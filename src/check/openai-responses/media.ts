import { valueAt } from '../../model/json.ts'
import { IMAGE_TYPES, looksLikeImage, parseDataUrl } from '../openai/data-url.ts'
import { type Fault, missing, mutuallyExclusive } from '../openai/templates.ts'
import type { Walk } from '../openai/verify.ts'
import type { ResponsesRule } from './rules.ts'

/** An `image_url` is a web address or an inline image, which must begin like a PNG, JPEG, GIF or WebP. */
export function imageUrl(value: unknown, walk: Walk<ResponsesRule>): void {
  if (typeof value !== 'string') return
  const fault = inlineImageFault(value, walk.place.path())
  if (fault !== undefined) walk.report.raise(fault.rule, fault)
}

function inlineImageFault(url: string, path: string): (Fault & { readonly rule: ResponsesRule }) | undefined {
  const data = parseDataUrl(url)
  if (data === undefined) {
    return /^https?:/i.test(url) ? undefined : imageUrlFault(path, "a value without the 'data:' prefix")
  }
  if (!IMAGE_TYPES.has(data.mediaType)) return imageUrlFault(path, `unsupported MIME type '${data.mediaType}'`)
  if (data.start >= url.length) return imageUrlFault(path, 'empty base64-encoded bytes')
  return data.base64 && looksLikeImage(url, data.start) ? undefined : imageBytesFault(path)
}

function imageUrlFault(path: string, got: string): Fault & { readonly rule: ResponsesRule } {
  const message = `Invalid '${path}'. Expected a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got ${got}.`
  return { rule: 'image-url-invalid', message, code: 'invalid_value', param: path, path }
}

function imageBytesFault(path: string): Fault & { readonly rule: ResponsesRule } {
  const message =
    "The image data you provided does not represent a valid image. Please check your input and try again with one of the supported image formats: ['image/jpeg', 'image/png', 'image/gif', 'image/webp']."
  return { rule: 'image-bytes-invalid', message, code: 'invalid_value', param: 'input', path }
}

/** `file_data` is a base64 data URL; sound and film are no files (recorded of audio). */
export function fileData(value: unknown, walk: Walk<ResponsesRule>): void {
  if (typeof value !== 'string') return
  const data = parseDataUrl(value)
  const readable = data?.base64 === true
  if (readable && !/^(?:audio|video)\//.test(data.mediaType)) return
  const got = readable ? `unsupported MIME type '${data.mediaType}'` : 'an invalid base64-encoded value'
  const path = walk.place.path()
  const message = `Invalid file data: '${path}'. Expected a base64-encoded data URL with a valid file MIME type (e.g. 'data:text/plain;base64,SGVsbG8sIFdvcmxkIQ=='), but got ${got}. Please see https://platform.openai.com/docs/assistants/tools/file-search#supported-files for supported file types.`
  walk.report.raise('file-data-mime', { message, code: 'invalid_value', param: path, path })
}

/** An image part names one image: a file or a URL. */
export function imageSource(part: unknown, walk: Walk<ResponsesRule>): void {
  oneSource(part, ['image_url', 'file_id'], walk)
}

/** A file part has one source. The code of a URL with a name beside it was seen, its text was not. */
export function fileSource(part: unknown, walk: Walk<ResponsesRule>): void {
  oneSource(part, ['file_url', 'file_data', 'file_id'], walk)
  if (!isGiven(part, 'file_url') || !isGiven(part, 'filename')) return
  const path = walk.place.path()
  walk.report.raise('file-url-with-filename', mutuallyExclusive('file_url', 'filename', path, path))
}

function oneSource(part: unknown, sources: readonly string[], walk: Walk<ResponsesRule>): void {
  const given = sources.filter((source) => isGiven(part, source))
  const [first, second] = given
  if (first === undefined) walk.report.raise('file-one-source', missing(walk.place.at('file_id')))
  if (first === undefined || second === undefined) return
  const path = walk.place.path()
  const rule = first === 'file_url' ? 'file-url-with-filename' : 'file-one-source'
  walk.report.raise(rule, mutuallyExclusive(first, second, path, path))
}

function isGiven(part: unknown, key: string): boolean {
  const value = valueAt(part, key)
  return value !== undefined && value !== null
}
