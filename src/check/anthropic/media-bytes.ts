export interface Sniffed {
  readonly mediaType: string
  /** Absent where the header does not tell. */
  readonly width?: number
  readonly height?: number
}

/** Enough for the headers of all but odd JPEG files. */
const HEAD = 64 * 1024

/** The first bytes of base64 text; undefined when it is none. */
export function headBytes(base64: string, count: number = HEAD): Uint8Array | undefined {
  const length = Math.min(base64.length, Math.ceil(count / 3) * 4)
  const whole = length === base64.length ? base64 : base64.slice(0, length - (length % 4))
  try {
    return Uint8Array.from(atob(whole), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Without white space, and without a data URL in front. */
export function isBase64(text: string): boolean {
  return BASE64.test(text)
}

const startsWith = (bytes: Uint8Array, signature: readonly number[], at = 0): boolean =>
  signature.every((byte, index) => bytes[at + index] === byte)

const ascii = (text: string): readonly number[] => [...text].map((char) => char.charCodeAt(0))

const PNG = [0x89, 0x50, 0x4e, 0x47]
const JPEG = [0xff, 0xd8, 0xff]
const GIF = ascii('GIF8')
const RIFF = ascii('RIFF')
const WEBP = ascii('WEBP')
const PDF = ascii('%PDF-')

/** What the bytes say they are; undefined when they are none of the four types. */
export function sniffImage(bytes: Uint8Array): Sniffed | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (startsWith(bytes, PNG)) return { mediaType: 'image/png', ...pngSize(view) }
  if (startsWith(bytes, JPEG)) return { mediaType: 'image/jpeg', ...jpegSize(view) }
  if (startsWith(bytes, GIF)) return { mediaType: 'image/gif', ...gifSize(view) }
  if (startsWith(bytes, RIFF) && startsWith(bytes, WEBP, 8)) return { mediaType: 'image/webp', ...webpSize(view) }
  return undefined
}

/** A PDF may have other bytes in front of its header, up to 1,024 of them. */
export function isPdf(bytes: Uint8Array): boolean {
  for (let at = 0; at < Math.min(bytes.length, 1024); at++) if (startsWith(bytes, PDF, at)) return true
  return false
}

type Size = Pick<Sniffed, 'width' | 'height'>

const pngSize = (view: DataView): Size =>
  view.byteLength < 24 ? {} : { width: view.getUint32(16), height: view.getUint32(20) }

const gifSize = (view: DataView): Size =>
  view.byteLength < 10 ? {} : { width: view.getUint16(6, true), height: view.getUint16(8, true) }

/** The size stands in the start-of-frame segment: markers C0 to CF, but for C4, C8 and CC. */
function jpegSize(view: DataView): Size {
  let at = 2
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    at += 2 + Math.max(view.getUint16(at + 2), 2)
  }
  return {}
}

/** @see https://developers.google.com/speed/webp/docs/riff_container */
function webpSize(view: DataView): Size {
  if (view.byteLength < 30) return {}
  const chunk = view.getUint8(15)
  if (chunk === 0x58) return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) }
  if (chunk === 0x4c) {
    const bits = view.getUint32(21, true)
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
  }
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
}

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16)
