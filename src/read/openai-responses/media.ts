import { stringAt } from '../../model/json.ts'
import type { MediaPart, MediaSource } from '../../model/session.ts'
import { fromDataUrl } from '../data-url.ts'
import { picked, slot } from '../slots.ts'

export type Item = { readonly [key: string]: unknown }

interface Found {
  readonly source: MediaSource
  readonly mediaType: string
}

/** An input_image, or a computer screenshot; undefined unless it has exactly one source. */
export function imagePart(part: Item): MediaPart | undefined {
  const url = stringAt(part, 'image_url')
  const found = only([url === undefined ? undefined : fromUrl(url), fromFile(part)])
  return found === undefined ? undefined : { type: 'media', kind: 'image', ...found, ...kept(part) }
}

/** An input_file; undefined unless it has exactly one source, and where its data is no plain data URL. */
export function filePart(part: Item): MediaPart | undefined {
  const url = stringAt(part, 'file_url')
  const text = stringAt(part, 'file_data')
  const data = text === undefined ? undefined : fromDataUrl(text)
  if (text !== undefined && data === undefined) return undefined
  const found = only([
    data === undefined ? undefined : { source: { base64: data.base64 }, mediaType: data.mediaType },
    url === undefined ? undefined : { source: { url }, mediaType: '' },
    fromFile(part),
  ])
  if (found === undefined) return undefined
  const name = stringAt(part, 'filename')
  return { type: 'media', kind: 'file', ...found, ...(name === undefined ? {} : { name }), ...kept(part) }
}

function fromUrl(url: string): Found {
  const data = fromDataUrl(url)
  return data === undefined
    ? { source: { url }, mediaType: '' }
    : { source: { base64: data.base64 }, mediaType: data.mediaType }
}

function fromFile(part: Item): Found | undefined {
  const fileId = stringAt(part, 'file_id')
  return fileId === undefined ? undefined : { source: { api: 'openai-responses', fileId }, mediaType: '' }
}

function only(candidates: readonly (Found | undefined)[]): Found | undefined {
  const found = candidates.filter((candidate) => candidate !== undefined)
  return found.length === 1 ? found[0] : undefined
}

const kept = (part: Item) => slot('openai-responses', picked(part, ['detail', 'prompt_cache_breakpoint']))
