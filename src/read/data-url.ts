const PREFIX = 'data:'
const ENCODING = ';base64,'

/**
 * The media type and base64 text of a plain data URL; undefined for any other URL, and for data URLs with parameters or
 * another encoding, which could not be written back as they were.
 */
export function fromDataUrl(url: string): { readonly mediaType: string; readonly base64: string } | undefined {
  if (!url.startsWith(PREFIX)) return undefined
  const comma = url.indexOf(',')
  const head = url.slice(PREFIX.length, comma + 1)
  const mediaType = head.slice(0, -ENCODING.length)
  if (comma === -1 || !head.endsWith(ENCODING) || mediaType.includes(';')) return undefined
  return { mediaType, base64: url.slice(comma + 1) }
}
