/** How a body may be compressed; names of the header, and of the decoder. */
const DECODERS: ReadonlyMap<string, CompressionFormat> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
])

/** Twice what the largest API takes: a small body may stand for one that fills the memory. */
const MOST_BYTES = 64 * 1024 * 1024

/** The text of a request, decoded as its header says. What cannot be decoded stays as it came, which is no JSON. */
export async function bodyText(request: Request): Promise<string> {
  const format = DECODERS.get((request.headers.get('content-encoding') ?? '').trim().toLowerCase())
  if (format === undefined) return request.text()
  const encoded = await request.blob()
  try {
    return await text(encoded.stream().pipeThrough(new DecompressionStream(format)))
  } catch {
    return encoded.text()
  }
}

/** The rest of a text that is too long is cut off. */
async function text(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  const pieces: string[] = []
  let bytes = 0
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.length
    pieces.push(decoder.decode(value, { stream: true }))
    if (bytes <= MOST_BYTES) continue
    await reader.cancel()
    break
  }
  return pieces.join('') + decoder.decode()
}
