/** The head of a base64 data URL; its bytes are only looked at where they say what they are. */
export interface DataUrl {
  /** Lower case, without parameters; '' when none is given. */
  readonly mediaType: string
  readonly base64: boolean
  /** Where the data begins. */
  readonly start: number
}

/** Media types and their parameters are short; a comma further on belongs to no head. */
const MAX_HEAD = 256

export function parseDataUrl(url: string): DataUrl | undefined {
  if (url.slice(0, 5).toLowerCase() !== 'data:') return undefined
  const comma = url.slice(0, MAX_HEAD).indexOf(',')
  if (comma < 0) return undefined
  const [mediaType = '', ...parameters] = url.slice(5, comma).toLowerCase().split(';')
  return { mediaType, base64: parameters.includes('base64'), start: comma + 1 }
}

export const IMAGE_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/jpg',
  'image/gif',
  'image/webp',
])

/** How the base64 of each format begins; WebP says `RIFF`, four bytes of length, `WEBP`. */
const HEADS: readonly RegExp[] = [/^iVBORw0KGg/, /^\/9j\//, /^R0lGOD/, /^UklGR.{6}XRUJQ/]

/** Whether base64 text begins like a PNG, JPEG, GIF or WebP. Only the head is read: images are large. */
export function looksLikeImage(url: string, start: number): boolean {
  const head = url.slice(start, start + 24)
  return HEADS.some((pattern) => pattern.test(head))
}
