import { ReadError } from '../model/error.ts'
import type { Pieces } from './pieces.ts'
import type { SourceRecord } from './reader.ts'
import { lineDecoder } from './text.ts'

/** A record whose value is not held: it is read again each time, so that a reader decides what of a source stays. */
export class StoredRecord implements SourceRecord {
  readonly line: number
  readonly #lines: StoredLines
  readonly #start: number
  readonly #length: number

  constructor(lines: StoredLines, line: number, start: number, length: number) {
    this.line = line
    this.#lines = lines
    this.#start = start
    this.#length = length
  }

  /** @throws {ReadError} when no value stands there any more, since the source was changed. */
  get value(): unknown {
    return this.#lines.at(this.#start, this.#length, this.line)
  }
}

/** The lines of a source, by their places in bytes. */
export class StoredLines {
  readonly #source: Pieces
  /** The line that was asked for last: a reader asks for several things of one record. */
  #start = -1
  #value: unknown

  constructor(source: Pieces) {
    this.#source = source
  }

  at(start: number, length: number, line: number): unknown {
    if (start === this.#start) return this.#value
    this.#value = this.#parsed(start, length, line)
    this.#start = start
    return this.#value
  }

  #parsed(start: number, length: number, line: number): unknown {
    const bytes = this.#source.at(start, length)
    try {
      return JSON.parse(lineDecoder(start).decode(bytes))
    } catch {
      throw new ReadError('the source was changed while it was read', { line })
    }
  }
}
