import { isObject, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { MediaPart, MediaSource } from '../../model/session.ts'
import { toBase64 } from '../base64.ts'
import { fromDataUrl } from '../data-url.ts'

const KINDS: { readonly [kind: string]: MediaPart['kind'] } = { image: 'image', audio: 'audio', video: 'video' }

/** Media of any form that versions of the SDK store; undefined where there is no data. */
export function dataMedia(data: unknown, mediaType: string | undefined, name?: string): MediaPart | undefined {
  const found = sourceOf(data)
  if (found === undefined) return undefined
  // `image/*` is a type that the SDK makes up where it knows none.
  const type = found.mediaType ?? (mediaType?.endsWith('/*') === true ? '' : (mediaType ?? ''))
  return {
    type: 'media',
    kind: own(KINDS, (found.mediaType ?? mediaType ?? '').split('/')[0]) ?? 'file',
    mediaType: type,
    source: found.source,
    ...(name === undefined || name === '' ? {} : { name }),
  }
}

interface Found {
  readonly source: MediaSource
  readonly mediaType?: string
}

function sourceOf(data: unknown): Found | undefined {
  if (typeof data === 'string') return fromText(data)
  if (data instanceof URL) return fromText(data.href)
  if (data instanceof Uint8Array) return { source: { base64: toBase64(data) } }
  if (!isObject(data)) return undefined
  // What JSON makes of bytes of Node.
  if (data.type === 'Buffer' && Array.isArray(data.data)) return fromBytes(data.data)
  const inner = own(TAGGED, data.type)
  return inner === undefined ? undefined : sourceOfText(stringAt(data, inner), inner)
}

/** Version 7 says of data what it is. */
const TAGGED: { readonly [type: string]: string } = { data: 'data', url: 'url', text: 'text' }

function sourceOfText(text: string | undefined, key: string): Found | undefined {
  if (text === undefined) return undefined
  return key === 'text' ? { source: { text }, mediaType: 'text/plain' } : fromText(text)
}

function fromText(text: string): Found {
  const data = fromDataUrl(text)
  if (data !== undefined) return { source: { base64: data.base64 }, mediaType: data.mediaType }
  return { source: /^[a-z][a-z0-9+.-]{0,20}:/i.test(text.slice(0, 24)) ? { url: text } : { base64: text } }
}

function fromBytes(list: readonly unknown[]): Found | undefined {
  if (!list.every((byte) => typeof byte === 'number')) return undefined
  return { source: { base64: toBase64(Uint8Array.from(list as readonly number[])) } }
}
