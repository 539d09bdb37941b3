import { shortHash } from '../model/hash.ts'

interface Shape {
  /** A character that may not stand in the text. */
  readonly foreign?: RegExp | undefined
  readonly maxLength: number
}

/** Whether no character is foreign and the length is within bounds; '' never fits. */
export function fits(text: string, { foreign, maxLength }: Shape): boolean {
  return text !== '' && text.length <= maxLength && (foreign === undefined || !foreign.test(text))
}

/**
 * A text of that shape which `taken` does not know, made from `wanted` and a seed: the same for the same input, and
 * different for different seeds (two ids that look alike once shortened stay two).
 */
export function unused(wanted: string, seed: string, shape: Shape, taken: (text: string) => boolean): string {
  const clean = shape.foreign === undefined ? wanted : wanted.replaceAll(new RegExp(shape.foreign, 'g'), '_')
  if (clean.length <= shape.maxLength && !taken(clean)) return clean
  for (let round = 0; ; round++) {
    const hash = shortHash(round === 0 ? seed : `${seed}\n${round}`)
    const made = `${clean.slice(0, Math.max(0, Math.min(shape.maxLength, 64) - hash.length - 1))}_${hash}`
    if (!taken(made)) return made
  }
}
