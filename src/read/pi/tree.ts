import { change } from '../../model/change.ts'
import type { Change } from '../../model/session.ts'
import { branchesOf, type LeftOut } from '../branches.ts'
import type { Fields } from '../entries/shapes.ts'
import type { SourceRecord } from '../reader.ts'

interface Named {
  /** Place among all records, the header and those that could not be read included. */
  readonly place: number
  readonly id: string | undefined
  readonly type: string
}

/** A record of a tree that is stored line by line. It holds what the tree is made of, not what the record says. */
export class Entry {
  /** Place among the entries, in file order. */
  readonly index: number
  readonly place: number
  readonly id: string | undefined
  readonly type: string
  /** The record before it. */
  up: Entry | undefined
  /** The parent that it names and that is not stored. */
  missing: string | undefined
  readonly #source: SourceRecord
  readonly #within: (value: unknown) => Fields

  constructor(source: SourceRecord, within: (value: unknown) => Fields, index: number, { place, id, type }: Named) {
    this.#source = source
    this.#within = within
    this.index = index
    this.place = place
    this.id = id
    this.type = type
    this.up = undefined
    this.missing = undefined
  }

  get line(): number {
    return this.#source.line
  }

  get record(): Fields {
    return this.#within(this.#source.value)
  }
}

/** The records of a file, each hung on the one before it. */
export class Tree {
  readonly entries: Entry[] = []
  /** Of several of one id the last one. */
  readonly byId: Map<string, Entry> = new Map()
  /** What of a stored value is the record. */
  readonly #within: (value: unknown) => Fields
  readonly #waiting: { readonly entry: Entry; readonly parent: string }[] = []

  constructor(within: (value: unknown) => Fields) {
    this.#within = within
  }

  /**
   * `parent`: the id of the one before it; null: it is a root; undefined: the one before it in the file. An id is looked for
   * among the earlier records first, so that an id used twice makes no circle.
   */
  add(source: SourceRecord, named: Named, parent: string | null | undefined): void {
    const { entries, byId } = this
    const entry = new Entry(source, this.#within, entries.length, named)
    if (parent === undefined) entry.up = entries.at(-1)
    else if (parent !== null) {
      entry.up = byId.get(parent)
      if (entry.up === undefined) this.#waiting.push({ entry, parent })
    }
    entries.push(entry)
    if (entry.id !== undefined) byId.set(entry.id, entry)
  }

  /**
   * When all are there. In a file that was written in order (`ordered`), a parent that was never written is replaced by the
   * record before: ending there would lose the beginning of the conversation.
   */
  complete({ ordered }: { readonly ordered: boolean }): void {
    for (const { entry, parent } of this.#waiting) {
      const later = this.byId.get(parent)
      if (later !== undefined && later !== entry) entry.up = later
      else {
        entry.missing = parent
        if (ordered) entry.up = this.entries[entry.index - 1]
      }
    }
  }
}

export interface Path {
  /** From the root to the leaf. */
  readonly entries: readonly Entry[]
  /** Records on the path whose parent is not stored, or closes a circle. */
  readonly broken: readonly Entry[]
  /** By index: 1 for the records on the path. */
  readonly marks: Uint8Array
}

export function pathTo(leaf: Entry | undefined, entries: readonly Entry[]): Path {
  const marks = new Uint8Array(entries.length)
  const path: Entry[] = []
  const broken: Entry[] = []
  let entry = leaf
  while (entry !== undefined && marks[entry.index] === 0) {
    marks[entry.index] = 1
    path.push(entry)
    let before: Entry | undefined = entry.up
    const isCircle = before !== undefined && marks[before.index] === 1
    if (entry.missing !== undefined || isCircle) broken.push(entry)
    if (isCircle) before = entries[entry.index - 1]
    entry = before
  }
  return { entries: path.reverse(), broken: broken.reverse(), marks }
}

/** Where a path does not begin, or does not go on, as it is stored. */
export function breaksOf({ broken }: Path): Change[] {
  return broken.map(({ missing, line }) =>
    change('history-truncated', { line }, missing === undefined ? { message: CIRCLE } : { before: missing }),
  )
}

const CIRCLE = 'The parents of the records form a circle; it was cut before this record.'

/** The text of a record when it is a message, else undefined. */
export type Said = (entry: Entry) => string | undefined

/** The branches that a path leaves out. */
export function otherBranches(
  entries: readonly Entry[],
  { entries: path, marks }: Path,
  said: Said,
): readonly LeftOut<Entry>[] {
  const followed = new Uint8Array(entries.length)
  for (const { up } of entries) if (up !== undefined) followed[up.index] = 1
  const ends = entries.filter((entry) => followed[entry.index] === 0 && entry.id !== undefined)
  const ids = new Set(ends.map(({ id }) => id))
  // A record that is stored twice hangs beside its copy.
  for (const { id } of path) ids.delete(id)
  return branchesOf({
    leaves: ends.filter(({ id }) => ids.has(id)),
    before: ({ up }) => up,
    isTaken: ({ index }) => marks[index] === 1,
    idOf: ({ id }) => id,
    messageOf: (entry) => (said(entry) === undefined ? undefined : entry),
    textOf: said,
  })
}
