import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { MediaPart } from '../../model/session.ts'
import { hasMediaSource, mediaPart } from '../anthropic/media.ts'
import { fromDataUrl } from '../data-url.ts'
import { audioPart, filePart, imagePart } from '../openai-chat/media.ts'

type Read = (block: Fields) => MediaPart | undefined

/** Media in the words of each provider, and in the library's own, of which there are three generations. */
export const MEDIA: { readonly [type: string]: Read } = {
  image_url: imagePart,
  input_audio: audioPart,
  image: (block) => (hasMediaSource(block) ? mediaPart(block) : standard(block, 'image')),
  document: (block) => (hasMediaSource(block) ? mediaPart(block) : standard(block, 'file')),
  audio: (block) => standard(block, 'audio'),
  video: (block) => standard(block, 'video'),
  file: (block) => (isObject(block.file) ? filePart(block) : standard(block, 'file')),
  'text-plain': (block) => standard(block, 'file'),
  media: (block) => standard(block, undefined),
}

const KINDS: { readonly [kind: string]: MediaPart['kind'] } = { image: 'image', audio: 'audio', video: 'video' }

function standard(block: Fields, kind: MediaPart['kind'] | undefined): MediaPart | undefined {
  const stored = stringAt(block, 'mime_type') ?? stringAt(block, 'mimeType')
  const found = sourceOf(block)
  if (found === undefined) return undefined
  const mediaType = found.mediaType ?? stored ?? ''
  const metadata = isObject(block.metadata) ? block.metadata : block.extras
  const name = [
    stringAt(block, 'filename'),
    stringAt(block, 'title'),
    stringAt(metadata, 'filename'),
    stringAt(metadata, 'name'),
  ]
  const named = name.find((text) => text !== undefined && text !== '')
  return {
    type: 'media',
    kind: kind ?? own(KINDS, mediaType.split('/')[0]) ?? 'file',
    mediaType,
    source: found.source,
    ...(named === undefined ? {} : { name: named }),
  }
}

function sourceOf(block: Fields): { readonly source: MediaPart['source']; readonly mediaType?: string } | undefined {
  const url = stringAt(block, 'url')
  const data = url === undefined ? undefined : fromDataUrl(url)
  if (data !== undefined) return { source: { base64: data.base64 }, mediaType: data.mediaType }
  if (url !== undefined) return { source: { url } }
  if (block.type === 'text-plain' || valueAt(block, 'source_type') === 'text') {
    const text = stringAt(block, 'text')
    return text === undefined
      ? undefined
      : { source: { text }, mediaType: stringAt(block, 'mime_type') ?? 'text/plain' }
  }
  // An id alone does not say whose it is.
  const base64 = stringAt(block, 'base64') ?? stringAt(block, 'data')
  return base64 === undefined ? undefined : { source: { base64 } }
}
