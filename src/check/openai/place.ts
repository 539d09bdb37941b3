/** Where a walk stands. Only a fault prints it, so that a clean body costs no path text. */
export class Place {
  readonly #keys: (string | number)[] = []
  #depth = 0

  enter(key: string | number): void {
    this.#keys[this.#depth++] = key
  }

  leave(): void {
    this.#depth--
  }

  /** The bracket path of the schema validator: `input[3].content[1].image_url`. */
  path(): string {
    return bracketPath(this.#keys.slice(0, this.#depth))
  }

  /** The path of a field of the place. */
  at(key: string): string {
    return bracketPath([...this.#keys.slice(0, this.#depth), key])
  }
}

export function bracketPath(keys: readonly (string | number)[]): string {
  let path = ''
  for (const key of keys) {
    if (typeof key === 'number') path += `[${key}]`
    else path += path === '' ? key : `.${key}`
  }
  return path
}
