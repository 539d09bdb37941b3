const CHUNK = 0x8000

/** Without Node's Buffer: readers run in browsers too. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += CHUNK) pieces.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)))
  return btoa(pieces.join(''))
}
