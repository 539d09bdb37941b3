import { own } from '../model/own.ts'

const CHARACTERS_PER_TOKEN = 4

/** Keys under which media stand, which cost by their size in pixels and not by the length of their text. */
const MEDIA: { readonly [key: string]: number } = { data: 1500, image_url: 1500, file_data: 1500, url: 1500 }

/** Roughly how many tokens these values have. Does not recurse, since a request may be nested deeper than the stack. */
export function roughTokens(...values: readonly unknown[]): number {
  const open: unknown[] = [...values]
  let tokens = 0
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') tokens += Math.ceil(value.length / CHARACTERS_PER_TOKEN)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        const media = typeof inner === 'string' ? own(MEDIA, key) : undefined
        if (media === undefined) open.push(inner)
        else tokens += media
      }
    } else if (value !== undefined) tokens += 1
  }
  return tokens
}
