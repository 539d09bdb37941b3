import { type Fields, isObject } from '../model/json.ts'
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
    if (typeof value === 'string') tokens += tokensOf(value)
    else if (Array.isArray(value)) for (const inner of value) open.push(inner)
    else if (isObject(value)) tokens += take(value, open)
    else if (value !== undefined) tokens += 1
  }
  return tokens
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}

/** The tokens of the texts that an object holds itself; what else it holds stays open. */
function take(value: Fields, open: unknown[]): number {
  let tokens = 0
  for (const key in value) {
    const inner = value[key]
    if (typeof inner === 'string') tokens += own(MEDIA, key) ?? tokensOf(inner)
    else open.push(inner)
  }
  return tokens
}
