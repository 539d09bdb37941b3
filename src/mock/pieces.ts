const SMALLEST = 8
const MOST = 64

/** A text as it comes in a stream: at most 64 pieces, never cut inside a surrogate pair; no piece for an empty text. */
export function piecesOf(text: string): readonly string[] {
  const size = Math.max(SMALLEST, Math.ceil(text.length / MOST))
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = start + size
    const last = text.charCodeAt(end - 1)
    const cut = last >= 0xd800 && last <= 0xdbff ? end + 1 : end
    pieces.push(text.slice(start, cut))
    start = cut
  }
  return pieces
}
