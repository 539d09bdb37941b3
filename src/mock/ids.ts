/** The shape of a vendor's ids: a prefix and a number of digits. */
export interface IdShape {
  readonly prefix: string
  readonly digits: number
}

/** Counts ids by shape, so that the same requests get the same ids. */
export class Ids {
  readonly #counts = new Map<string, number>()

  /** The next id that does not occur in the request: a history from an earlier run may hold the same numbers. */
  next(shape: IdShape, request = ''): string {
    let count = (this.#counts.get(shape.prefix) ?? 0) + 1
    if (request.includes(idOf(shape, count))) {
      const taken = numbersIn(request, shape)
      while (taken.has(count)) count += 1
    }
    this.#counts.set(shape.prefix, count)
    return idOf(shape, count)
  }

  reset(): void {
    this.#counts.clear()
  }
}

function idOf({ prefix, digits }: IdShape, count: number): string {
  return prefix + String(count).padStart(digits, '0')
}

/** All numbers of ids of a shape, in one look at the text: it may hold as many as there were answers. */
function numbersIn(text: string, { prefix, digits }: IdShape): ReadonlySet<number> {
  const numbers = new Set<number>()
  for (let at = text.indexOf(prefix); at !== -1; at = text.indexOf(prefix, at + 1)) {
    const number = text.slice(at + prefix.length, at + prefix.length + digits)
    if (/^[0-9]+$/.test(number)) numbers.add(Number(number))
  }
  return numbers
}
