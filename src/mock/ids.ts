/** The shape of a vendor's ids: a prefix and a number of digits. */
export interface IdShape {
  readonly prefix: string
  readonly digits: number
}

/** Counts ids by shape, so that the same requests get the same ids. */
export class Ids {
  readonly #counts = new Map<string, number>()

  /** The next id that does not occur in the request: a history from an earlier run may hold the same numbers. */
  next({ prefix, digits }: IdShape, request = ''): string {
    let count = this.#counts.get(prefix) ?? 0
    let id: string
    do {
      count += 1
      id = prefix + String(count).padStart(digits, '0')
    } while (request.includes(id))
    this.#counts.set(prefix, count)
    return id
  }

  reset(): void {
    this.#counts.clear()
  }
}
