/** White space as JavaScript sees it, or nothing; the first character tells most texts apart. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0)
  return !(first > 0x20 && first < 0x7f) && !/\S/.test(text)
}
