import type { MediaPart, MediaSource } from '../model/session.ts'

const KINDS: ReadonlyMap<string, MediaPart['kind']> = new Map([
  ['image', 'image'],
  ['audio', 'audio'],
  ['video', 'video'],
])

/** A media part whose kind is told by its type. */
export function mediaOf(source: MediaSource, mediaType: string, name?: string): MediaPart {
  const kind = KINDS.get(mediaType.slice(0, mediaType.indexOf('/'))) ?? 'file'
  return { type: 'media', kind, mediaType, source, ...(name === undefined || name === '' ? {} : { name }) }
}

/** Content that stands in base64: of a text type it is the text. */
export function inlineMedia(base64: string, mediaType: string, name?: string): MediaPart {
  const text = mediaType.startsWith('text/') ? decodedText(base64) : undefined
  return mediaOf(text === undefined ? { base64 } : { text }, mediaType, name)
}

/** The text behind base64; undefined when it is no base64. */
export function decodedText(base64: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)))
  } catch {
    return undefined
  }
}
