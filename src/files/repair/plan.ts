import type { Change, FormatId, Session } from '../../model/session.ts'
import type { Tail } from './stored-lines.ts'

/** A call whose outcome is not known. */
export interface OpenCall {
  readonly id: string
  readonly name: string
  /** False: known never to have started. Absent: not known. */
  readonly dispatched?: boolean | undefined
}

/** A file of a known tool, as it was read. */
export interface StoredFile {
  readonly format: FormatId
  readonly bytes: Uint8Array
}

/** A place of a file that gets another text. */
export interface Replaced {
  /** Such as `messages[3].tool_calls[0].state`, or `line 7`. */
  readonly place: string
  /** Absent where something is put in between. */
  readonly before?: string | undefined
  /** Absent where something is taken out. */
  readonly after?: string | undefined
}

/** What makes a file one that its tool loads without an open call. Nothing is done when there is neither a line nor a replacement. */
export interface Plan {
  /** What the file holds now. */
  readonly session: Session
  readonly closed: readonly OpenCall[]
  /** Open calls that the tool itself closes when it loads the file, where a closer at the end would be one too many. */
  readonly leftToTool?: readonly OpenCall[] | undefined
  /** JSON lines to be appended. */
  readonly lines?: readonly string[] | undefined
  /** How the file ends that is appended to. */
  readonly tail?: Tail | undefined
  /** Whether the tool passes over a last line that lacks its newline, so that the newline alone is worth writing. */
  readonly needsNewline?: boolean | undefined
  /** The whole file anew, for formats that are not appended to. */
  readonly replacement?: { readonly bytes: Uint8Array; readonly edits: readonly Replaced[] } | undefined
  /** What is done besides closing calls. */
  readonly changes?: readonly Change[] | undefined
  /** What the tool sends, where the file says it word for word. */
  readonly asSent?: { readonly before: object; readonly after: object } | undefined
  /** What the file holds then. */
  after(): Session
}

/** How the files of a tool are repaired. */
export type Planner = (file: StoredFile, now: Date) => Plan
