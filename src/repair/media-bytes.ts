import type { MediaPart } from '../model/session.ts'

/** How the base64 of each format begins (its magic bytes). */
const MAGIC: readonly (readonly [string, string])[] = [
  ['/9j/', 'image/jpeg'],
  ['iVBORw0KGgo', 'image/png'],
  ['R0lGOD', 'image/gif'],
  ['JVBERi0', 'application/pdf'],
]

/** Enough for the head of a data URL and the magic bytes behind it. */
const HEAD = 256

/** Other names of one media type. */
const ALIASES: { readonly [name: string]: string } = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'application/x-pdf': 'application/pdf',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/mpeg': 'audio/mp3',
}

/** The media type that the bytes say, else the declared one by its usual name, without parameters. */
export function mediaTypeOf(part: MediaPart): string {
  const declared = bare(part.mediaType)
  if (!('base64' in part.source)) return declared
  const data = plainBase64(part.source.base64.slice(0, HEAD))
  const magic = MAGIC.find(([head]) => data.startsWith(head))
  if (magic !== undefined) return magic[1]
  // RIFF, four bytes of length, WEBP.
  return data.startsWith('UklGR') && isWebp(data) ? 'image/webp' : declared
}

/** Bytes 8 to 11 of a RIFF file name its kind; they stand in characters 10 to 15 of the base64. */
function isWebp(data: string): boolean {
  try {
    return atob(data.slice(0, 16)).slice(8, 12) === 'WEBP'
  } catch {
    return false
  }
}

function bare(mediaType: string): string {
  const end = mediaType.indexOf(';')
  const name = (end < 0 ? mediaType : mediaType.slice(0, end)).trim().toLowerCase()
  return Object.hasOwn(ALIASES, name) ? ALIASES[name]! : name
}

/** Base64 without the head of a data URL and without white space. */
export function plainBase64(data: string): string {
  const body = data.startsWith('data:') ? data.slice(data.indexOf(',') + 1) : data
  return /\s/.test(body) ? body.replace(/\s/g, '') : body
}

/** The text of base64 bytes that are UTF-8, else undefined. */
export function bytesAsText(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
