/**
 * Where records are kept. A store keeps lines of text, and says nothing about what stands in them. One that is written for another
 * place is opened by `openJournal` as those of this package are.
 */
export interface JournalStore {
  /**
   * Whether calls and turns that an earlier process left open are closed when the store is opened. Not where no process
   * can have died before this one.
   */
  readonly repairs: boolean
  /**
   * Takes the lease, before anything is read. `owner` is a name for people. Longer lines than `maxLineBytes`, in bytes of
   * UTF-8, are told without their text.
   * @throws {LockedError} while another owner holds it.
   */
  open(owner: string | undefined, maxLineBytes: number): Promise<OpenStore>
}

/** A store that is held by its lease: `read` is called first and once, then `append`, one after the other, then `close`. */
export interface OpenStore {
  /**
   * Hands out all stored lines, from the first. What `take` throws, it throws.
   * @throws {JournalError} when the store fails.
   */
  read(take: (line: StoredLine) => void): Promise<void>
  /** What was last read is what a crash left of records: the next append ends it in a way that says so. */
  endTorn(): void
  /**
   * Adds lines in this order, all or, after a crash, a beginning of them. Resolves when they are written; with `sync`,
   * when they and all before them are durable.
   * @throws {JournalError} when the store fails or the lease is lost. Then what is stored is not known.
   */
  append(lines: readonly string[], sync: boolean): Promise<void>
  /** Gives the lease back. Called once, also after a failure. @throws {JournalError} when the store fails. */
  close(): Promise<void>
}

/** A line as it is stored, and where. */
export interface StoredLine {
  /** Without what ends the line. Undefined when it is longer than `maxLineBytes` or no text. */
  readonly text: string | undefined
  /** Counted from 1. */
  readonly number: number
  /**
   * Of a line without text: some of its bytes are zero, as where a crash of the machine kept a piece of a file from the disk
   * and not what stands behind it. No text of a record has such a byte.
   */
  readonly hasHole?: boolean | undefined
  /** Where its first byte stands, counted from 0. */
  readonly offset: number
  /** In bytes, without what ends the line. */
  readonly length: number
  readonly end: LineEnd
}

/**
 * What ends a stored line. `whole`: a newline, behind a record that was durable before the next one was written. `unsynced`: whole, and the next line was written before this one was durable. `torn`: ended by a repair. `lost`: one of
 * these, but which one is lost in a hole. `none`: the store ends here, without an end of the line.
 */
export type LineEnd = 'whole' | 'unsynced' | 'torn' | 'lost' | 'none'
