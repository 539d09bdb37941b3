/** A stretch of zstd data that is unpacked by itself. */
export interface Frame {
  readonly bytes: Uint8Array
  /** How far back its data may refer, in bytes. */
  readonly window: number
  readonly blocks: number
}

const MAGIC = 0xfd2fb528
const SKIPPABLE = 0x184d2a50

/**
 * The frames of zstd data, without those that hold none. The last one may be cut off. Ends where no frame begins.
 * @see https://www.rfc-editor.org/rfc/rfc8878#section-3
 */
export function* zstdFrames(bytes: Uint8Array): Generator<Frame> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let start = 0
  while (start + 8 < bytes.length) {
    const magic = view.getUint32(start, true)
    if (magic === MAGIC) {
      const { end, ...frame } = frameAt(view, start)
      yield { bytes: bytes.subarray(start, end), ...frame }
      start = end
    } else if ((magic & ~0xf) >>> 0 === SKIPPABLE) start += 8 + view.getUint32(start + 4, true)
    else return
  }
}

/** Bytes of the dictionary's id and of the size of the content, by their flags. */
const DICTIONARY = [0, 1, 2, 4]
const CONTENT = [0, 2, 4, 8]

interface Extent {
  readonly end: number
  readonly window: number
  readonly blocks: number
}

function frameAt(view: DataView, start: number): Extent {
  const flags = view.getUint8(start + 4)
  const isSingle = (flags & 0x20) !== 0
  const dictionary = DICTIONARY[flags & 3]!
  const content = isSingle ? Math.max(1, CONTENT[flags >> 6]!) : CONTENT[flags >> 6]!
  const sizes = start + (isSingle ? 5 : 6) + dictionary
  const window = isSingle ? sizeAt(view, sizes, content) : windowOf(view.getUint8(start + 5))
  const { end, blocks } = blocksAt(view, sizes + content)
  const checksum = (flags & 4) === 0 ? 0 : 4
  return { end: Math.min(end + checksum, view.byteLength), window, blocks }
}

function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3))
  return base + (base / 8) * (descriptor & 7)
}

function sizeAt(view: DataView, at: number, bytes: number): number {
  if (at + bytes > view.byteLength) return 0
  if (bytes === 1) return view.getUint8(at)
  if (bytes === 2) return view.getUint16(at, true) + 256
  return bytes === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true))
}

const REPEATED = 1

function blocksAt(view: DataView, first: number): { readonly end: number; readonly blocks: number } {
  let at = first
  let blocks = 0
  while (at + 3 <= view.byteLength) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
    const isRepeated = ((header >> 1) & 3) === REPEATED
    at += 3 + (isRepeated ? 1 : header >> 3)
    blocks++
    if ((header & 1) !== 0) return { end: at, blocks }
  }
  return { end: view.byteLength, blocks }
}
