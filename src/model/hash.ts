const PRIME = 16777619

/** FNV-1a over UTF-16 units. */
function fnv1a(text: string, seed: number): number {
  let hash = seed
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), PRIME)
  return hash >>> 0
}

/** A deterministic hash of 12 characters `[0-9a-z]`: for made-up ids and names, never for security. */
export function shortHash(text: string): string {
  const head = fnv1a(text, 2166136261).toString(36).padStart(7, '0')
  const tail = fnv1a(text, 3339451269).toString(36).padStart(7, '0')
  return head.slice(-6) + tail.slice(-6)
}
