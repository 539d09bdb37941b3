import { shortHash } from '../model/hash.ts'

interface Shape {
  /** A character that may not stand in the text. */
  readonly foreign?: RegExp | undefined
  readonly maxLength: number
}

/** Tests and makes texts of one shape. */
export interface Shaper {
  /** Whether no character is foreign and the length is within bounds; '' never fits. */
  fits(text: string): boolean
  /**
   * A text of that shape which `taken` does not know, made from `wanted` and a seed: the same for the same input, and
   * different for different seeds (two ids that look alike once shortened stay two).
   */
  unused(wanted: string, seed: string, taken: (text: string) => boolean): string
}

export function shaper({ foreign, maxLength }: Shape): Shaper {
  const every = foreign === undefined ? undefined : new RegExp(foreign, 'g')
  const allowed = Uint8Array.from({ length: 128 }, (_, code) => (foreign?.test(String.fromCharCode(code)) ? 0 : 1))
  return {
    fits(text) {
      if (text === '' || text.length > maxLength) return false
      for (let index = 0; index < text.length; index++) {
        if (allowed[text.charCodeAt(index)] !== 1) return foreign?.test(text) !== true
      }
      return true
    },
    unused(wanted, seed, taken) {
      const clean = every === undefined ? wanted : wanted.replace(every, '_')
      if (clean.length <= maxLength && !taken(clean)) return clean
      for (let round = 0; ; round++) {
        const hash = shortHash(round === 0 ? seed : `${seed}\n${round}`)
        const made = `${clean.slice(0, Math.min(maxLength, MADE_LENGTH) - hash.length - 1)}_${hash}`
        if (!taken(made)) return made
      }
    },
  }
}

/** Made-up ids and names are no longer than any API takes. */
const MADE_LENGTH = 64
