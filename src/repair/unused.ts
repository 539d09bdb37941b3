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

/** For each ASCII character whether it may stand in a text. Rules are few and constant, conversions are many. */
const TABLES = new WeakMap<RegExp, Uint8Array>()
const ANY = new Uint8Array(128).fill(1)

function tableOf(foreign: RegExp | undefined): Uint8Array {
  if (foreign === undefined) return ANY
  const known = TABLES.get(foreign)
  if (known !== undefined) return known
  const table = ANY.map((_, code) => (foreign.test(String.fromCharCode(code)) ? 0 : 1))
  TABLES.set(foreign, table)
  return table
}

export function shaper({ foreign, maxLength }: Shape): Shaper {
  const allowed = tableOf(foreign)
  return {
    fits(text) {
      if (text === '' || text.length > maxLength) return false
      for (let index = 0; index < text.length; index++) {
        if (allowed[text.charCodeAt(index)] !== 1) return foreign?.test(text) !== true
      }
      return true
    },
    unused(wanted, seed, taken) {
      const clean = foreign === undefined ? wanted : wanted.replaceAll(new RegExp(foreign, 'g'), '_')
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
