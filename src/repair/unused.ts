import { shortHash } from '../model/hash.ts'

interface Shape {
  /** One character. */
  readonly charset?: RegExp | undefined
  readonly maxLength: number
}

/** Whether every character fits and the length is within bounds; '' never fits. */
export function fits(text: string, shape: Shape): boolean {
  return (
    text !== '' && text.length <= shape.maxLength && (shape.charset === undefined || foreign(text, shape.charset) < 0)
  )
}

/** Index of the first character outside the set, -1 if there is none. */
function foreign(text: string, charset: RegExp): number {
  for (let index = 0; index < text.length; index++) if (!charset.test(text.charAt(index))) return index
  return -1
}

/**
 * A text of that shape which `taken` does not know, made from `wanted` and a seed: the same for the same input, and
 * different for different seeds (two ids that look alike once shortened stay two).
 */
export function unused(wanted: string, seed: string, shape: Shape, taken: (text: string) => boolean): string {
  const clean = replaceForeign(wanted, shape.charset)
  if (clean.length <= shape.maxLength && !taken(clean)) return clean
  for (let round = 0; ; round++) {
    const hash = shortHash(round === 0 ? seed : `${seed}\n${round}`)
    const made = `${clean.slice(0, Math.max(0, Math.min(shape.maxLength, 64) - hash.length - 1))}_${hash}`
    if (!taken(made)) return made
  }
}

function replaceForeign(text: string, charset: RegExp | undefined): string {
  if (charset === undefined) return text
  let clean = ''
  for (let index = 0; index < text.length; index++) clean += charset.test(text.charAt(index)) ? text.charAt(index) : '_'
  return clean
}
