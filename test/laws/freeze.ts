/** Freezes a JSON value all through, without recursion: values may be nested deeply. */
export function frozen<T>(value: T): T {
  const open: unknown[] = [value]
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one !== 'object' || one === null || Object.isFrozen(one)) continue
    Object.freeze(one)
    open.push(...Object.values(one))
  }
  return value
}
