import { change } from '../model/change.ts'
import { type Fields, sameJson } from '../model/json.ts'
import type { Change } from '../model/session.ts'
import { branchesOf, type LeftOut } from './branches.ts'
import { CIRCLE } from './circle.ts'
import { ANOTHER } from './copies.ts'
import type { SourceRecord } from './reader.ts'

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

/** `ordered`: the file was written in order, so that behind a circle the path goes on at the record before. */
export function pathTo(leaf: Entry | undefined, entries: readonly Entry[], ordered: boolean): Path {
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
    if (isCircle) before = ordered ? entries[entry.index - 1] : undefined
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

/** What records say. */
export interface Speech {
  /** The text of a record when it is a message, else undefined. */
  said(entry: Entry): string | undefined
  isResult(entry: Entry): boolean
}

/** The records off a path. */
export interface Aside {
  readonly branches: readonly LeftOut<Entry>[]
  readonly changes: readonly Change[]
}

/** The branches that a path leaves out, and the records whose id stands on it once more. */
export function aside(
  { entries, byId }: { readonly entries: readonly Entry[]; readonly byId: ReadonlyMap<string, Entry> },
  { entries: path, marks }: Path,
  { said, isResult }: Speech,
): Aside {
  const isNamed = (entry: Entry): boolean => entry.id !== undefined && byId.get(entry.id) === entry
  const followed = followedIn(entries, isNamed)
  const ends = entries.filter((entry) => followed[entry.index] === 0 && isNamed(entry))
  const branches = branchesOf({
    leaves: ends,
    nodes: entries.filter(isNamed),
    before: ({ up }) => up,
    isTaken: ({ index }) => marks[index] === 1,
    idOf: ({ id }) => id,
    messageOf: (entry) => (said(entry) === undefined ? undefined : entry),
    isResult,
    textOf: said,
  })
  const copied = copiesOf(branches, path)
  return {
    branches: branches.filter(({ leaf }) => !copied.has(leaf)),
    changes: [
      ...branches.flatMap(({ node, leaf }) => {
        const taken = copied.get(leaf)
        return taken === undefined ? [] : [copyLeftOut(node, taken)]
      }),
      ...entries
        .filter((entry) => !isNamed(entry) && marks[entry.index] === 0 && followed[entry.index] === 0)
        .filter((entry) => said(entry) !== undefined || isResult(entry))
        .map((entry) => leftOut(entry, entry.id === undefined ? undefined : byId.get(entry.id))),
    ],
  }
}

function leftOut(entry: Entry, named: Entry | undefined): Change {
  if (named !== undefined) return copyLeftOut(entry, named)
  return change('record-invalid', { line: entry.line }, { message: NAMELESS, before: entry.record })
}

const NAMELESS = 'A record without an id, off the conversation, was left out.'

/** By index: 1 for records that one follows which can be asked for: no branch ends with those. */
function followedIn(entries: readonly Entry[], isNamed: (entry: Entry) => boolean): Uint8Array {
  const followed = new Uint8Array(entries.length)
  for (const entry of entries) {
    if (!isNamed(entry)) continue
    let before = entry.up
    while (before !== undefined && followed[before.index] === 0) {
      followed[before.index] = 1
      before = isNamed(before) ? undefined : before.up
    }
  }
  return followed
}

/** Of branches of one record whose id stands on the path, too, the record there: such a copy cannot be asked for. */
function copiesOf(branches: readonly LeftOut<Entry>[], path: readonly Entry[]): ReadonlyMap<string, Entry> {
  const leaves = new Set(branches.filter(({ leaf, root }) => leaf === root).map(({ leaf }) => leaf))
  const copied = new Map<string, Entry>()
  for (const entry of path) if (entry.id !== undefined && leaves.has(entry.id)) copied.set(entry.id, entry)
  return copied
}

function copyLeftOut(copy: Entry, taken: Entry): Change {
  const at = { line: copy.line }
  const [left, kept] = [copy.record, taken.record]
  if (sameJson(left.message ?? left, kept.message ?? kept)) return change('record-duplicate', at, { before: copy.id })
  return change('record-invalid', at, { message: ANOTHER, before: left })
}
