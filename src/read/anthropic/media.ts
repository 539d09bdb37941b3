import { type JsonObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { MediaPart, MediaSource } from '../../model/session.ts'
import { picked, slot } from '../slots.ts'

export type Block = { readonly [key: string]: unknown }

const SLOT = ['cache_control', 'citations', 'context', 'transformations']

/** The source of a block and the media type it implies; undefined where a field is missing. */
type SourceReader = (source: unknown) => { readonly source: MediaSource; readonly mediaType: string } | undefined

const SOURCES: { readonly [type: string]: SourceReader } = {
  base64: (from) => {
    const base64 = stringAt(from, 'data')
    return base64 === undefined ? undefined : { source: { base64 }, mediaType: stringAt(from, 'media_type') ?? '' }
  },
  url: (from) => {
    const url = stringAt(from, 'url')
    return url === undefined ? undefined : { source: { url }, mediaType: '' }
  },
  file: (from) => {
    const fileId = stringAt(from, 'file_id')
    return fileId === undefined ? undefined : { source: { api: 'anthropic', fileId }, mediaType: '' }
  },
  text: (from) => {
    const text = stringAt(from, 'data')
    return text === undefined
      ? undefined
      : { source: { text }, mediaType: stringAt(from, 'media_type') ?? 'text/plain' }
  },
}

/** Whether the source of an image or document block is of a kind that a media part can hold. */
export function hasMediaSource(block: Block): boolean {
  return own(SOURCES, stringAt(valueAt(block, 'source'), 'type')) !== undefined
}

/** An image or document block; undefined where its source lacks its data. */
export function mediaPart(block: Block): MediaPart | undefined {
  const from = valueAt(block, 'source')
  const found = own(SOURCES, stringAt(from, 'type'))?.(from)
  if (found === undefined) return undefined
  const kind = block.type === 'image' ? 'image' : 'file'
  const title = stringAt(block, 'title')
  return {
    type: 'media',
    kind,
    // A document behind a URL is a PDF: the API takes no other.
    mediaType: kind === 'file' && 'url' in found.source ? 'application/pdf' : found.mediaType,
    source: found.source,
    ...(title === undefined ? {} : { name: title }),
    ...slot('anthropic', picked(block, SLOT) as JsonObject | undefined),
  }
}
