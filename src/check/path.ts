export type Segment = string | number

/** Where a walk stands in a body. Nothing is built until a violation asks for the text, so a clean body costs no strings. */
export class Path {
  readonly #segments: Segment[] = []

  enter(segment: Segment): void {
    this.#segments.push(segment)
  }

  leave(): void {
    this.#segments.pop()
  }

  /** The first `count` segments, or all but the last `-count`. */
  head(count: number): readonly Segment[] {
    return this.#segments.slice(0, count)
  }

  /** In the dotted grammar, such as `messages.3.content.0`. */
  toString(): string {
    return this.#segments.join('.')
  }
}
