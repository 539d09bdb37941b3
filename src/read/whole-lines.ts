const NEWLINE = 10

/** Bytes of whole lines, or of one line over the limit, which is passed by. */
export type LineBytes = { readonly bytes: Uint8Array; readonly last: boolean } | { readonly skippedBytes: number }

/**
 * Cuts pieces of a source at the ends of lines: what is given holds whole lines only, and no more of the source is held
 * than a piece and the line that is not at its end yet. `last`: nothing follows but blank space.
 */
export function* wholeLines(pieces: Iterable<Uint8Array>, maxLineBytes: number): Generator<LineBytes> {
  const open = new OpenLine(maxLineBytes)
  let held: Uint8Array | undefined
  for (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE) + 1
    let start = 0
    if (end > 0 && !open.isEmpty) {
      start = piece.indexOf(NEWLINE) + 1
      open.add(piece.subarray(0, start))
      if (held !== undefined) yield { bytes: held, last: false }
      held = undefined
      const line = open.close()
      if ('skippedBytes' in line) yield line
      else held = line.bytes
    }
    if (start < end) {
      if (held !== undefined) yield { bytes: held, last: false }
      held = piece.subarray(start, end)
    }
    open.add(piece.subarray(Math.max(start, end)))
  }
  yield* ending(held, open)
}

/** A blank rest belongs to the line before it, which so is known to be the last one. */
function* ending(held: Uint8Array | undefined, open: OpenLine): Generator<LineBytes> {
  const rest = open.isEmpty ? undefined : open.close()
  const isBlank = rest === undefined || ('bytes' in rest && rest.bytes.every(isSpace))
  if (held !== undefined) yield { bytes: held, last: isBlank }
  if (rest === undefined || (isBlank && held !== undefined)) return
  yield 'bytes' in rest ? { bytes: rest.bytes, last: true } : rest
}

const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13)

/** A line of which more may come. */
class OpenLine {
  readonly #maxBytes: number
  #pieces: Uint8Array[] = []
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get isEmpty(): boolean {
    return this.#size === 0
  }

  add(piece: Uint8Array): void {
    if (piece.length === 0) return
    this.#size += piece.length
    if (this.#contentSize(piece) > this.#maxBytes) this.#pieces = []
    else this.#pieces.push(piece)
  }

  close(): { readonly bytes: Uint8Array } | { readonly skippedBytes: number } {
    const [pieces, size] = [this.#pieces, this.#size]
    this.#pieces = []
    this.#size = 0
    if (pieces.reduce((sum, piece) => sum + piece.length, 0) < size) return { skippedBytes: size }
    const bytes = new Uint8Array(size)
    let at = 0
    for (const piece of pieces) {
      bytes.set(piece, at)
      at += piece.length
    }
    return { bytes }
  }

  /** Without the newline at its end. */
  #contentSize(lastPiece: Uint8Array): number {
    return this.#size - (lastPiece.at(-1) === NEWLINE ? 1 : 0)
  }
}
