/** Undefined when the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null

/** White space. NUL bytes are not: a crashed disk leaves them where a record was. */
const isInvisible = (unit: number): boolean => unit === 32 || (unit >= 9 && unit <= 13)

export function firstVisible(text: string, from: number): number {
  let position = from
  while (position < text.length && isInvisible(text.charCodeAt(position))) position++
  return position
}

/** Behind the last visible character. */
export function lastVisible(text: string): number {
  let position = text.length
  while (position > 0 && isInvisible(text.charCodeAt(position - 1))) position--
  return position
}
