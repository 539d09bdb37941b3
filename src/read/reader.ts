import type { Change, FormatId, Session } from '../model/session.ts'

export interface ReadOptions {
  readonly format?: FormatId | undefined
  /** The server, where several speak one API: 'deepseek', 'mistral', 'llamacpp' ... */
  readonly dialect?: string | undefined
  /** Another branch, by the id of its last record. Refused where the format has no branches, or none that ends so. */
  readonly leaf?: string | undefined
  /**
   * `active`: what the tool itself would send (default). `full`: without compactions. `portable`: as `active`, but where
   * a summary is opaque to other APIs, the messages that it replaced.
   */
  readonly history?: 'active' | 'full' | 'portable' | undefined
  /** Default 2 GiB. */
  readonly maxBytes?: number | undefined
  /** Default 512 MiB. */
  readonly maxLineBytes?: number | undefined
}

/** A branch that was not taken, by the ids of its records. */
export interface Branch {
  /** Its last record: what the option `leaf` takes. */
  readonly leaf: string
  /** Its first record that is not of the conversation. */
  readonly root: string
  /** The record of the conversation from which it parts; absent: from none. */
  readonly parent?: string | undefined
  /** Its messages behind that. */
  readonly messages: number
  /** At most 200 characters. */
  readonly preview: string
}

export interface ReadResult {
  readonly session: Session
  readonly format: FormatId
  readonly changes: readonly Change[]
  /** Branches that were not taken. */
  readonly branches: readonly Branch[]
}

/** What a source looks like before a reader is chosen: parsed once, whichever reader takes it. */
export interface Source {
  /** The one JSON value of the source; absent when it is JSON lines. */
  readonly value?: unknown
  /** The records of JSON lines, with their 1-based lines; absent when the source is one JSON value. */
  readonly records?: readonly SourceRecord[]
  /** What was found wrong with lines while splitting. */
  readonly changes: readonly Change[]
}

/**
 * A record of JSON lines. Behind the first 32 MiB the values of a large source are not held: each look at one reads it
 * again, as a value of its own. So readers keep records, and values only of what goes into the conversation, or for as long as they look at it.
 */
export interface SourceRecord {
  readonly line: number
  readonly value: unknown
}

export interface Reader {
  readonly format: FormatId
  /** It follows `leaf`; without, a `leaf` is refused. */
  readonly hasBranches?: boolean
  /** 0: not this format; higher is surer. Looks at no more than the first 50 records. */
  detect(source: Source): number
  /** @throws {ReadError} when nothing can be read. */
  read(source: Source, options: ReadOptions): Omit<ReadResult, 'format'>
}
