import { change } from '../../model/change.ts'
import { preview } from '../../model/json.ts'
import type { Change } from '../../model/session.ts'
import type { Fields } from '../entries/shapes.ts'
import type { Branch, SourceRecord } from '../reader.ts'

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

/** What is known of a record off the path, from where it leaves the path. */
interface Trail {
  readonly root: Entry
  readonly parent: Entry | undefined
  readonly messages: number
  readonly text: string
}

/** The text of a record when it is a message, else undefined. */
export type Said = (entry: Entry) => string | undefined

/** The branches that a path leaves out and that say anything, each record worked out once. */
export function branchesOf(entries: readonly Entry[], { entries: path, marks }: Path, said: Said): Branch[] {
  const followed = new Uint8Array(entries.length)
  for (const { up } of entries) if (up !== undefined) followed[up.index] = 1
  const trails: (Trail | undefined)[] = new Array(entries.length)
  const leaves = entries.filter((entry) => followed[entry.index] === 0 && entry.id !== undefined)
  const ids = new Set(leaves.map(({ id }) => id))
  // A record that is stored twice hangs beside its copy.
  for (const { id } of path) ids.delete(id)
  const found: Branch[] = []
  for (const leaf of leaves) {
    if (leaf.id === undefined || !ids.has(leaf.id)) continue
    const trail = trailOf(leaf, marks, trails, said)
    if (trail === undefined || trail.messages === 0) continue
    const { root, parent, messages, text } = trail
    const above = parent?.id === undefined ? {} : { parent: parent.id }
    found.push({ leaf: leaf.id, root: root.id ?? leaf.id, ...above, messages, preview: preview(text) })
  }
  return found
}

/** From the top down, without recursion. */
function trailOf(leaf: Entry, marks: Uint8Array, trails: (Trail | undefined)[], said: Said): Trail | undefined {
  const steps = new Set<Entry>()
  let entry: Entry | undefined = leaf
  while (entry !== undefined && marks[entry.index] === 0 && trails[entry.index] === undefined && !steps.has(entry)) {
    steps.add(entry)
    entry = entry.up
  }
  let trail = entry === undefined ? undefined : trails[entry.index]
  const parent = entry !== undefined && marks[entry.index] === 1 ? entry : undefined
  for (const step of [...steps].reverse()) {
    trail = extended(trail ?? { root: step, parent, messages: 0, text: '' }, said(step))
    trails[step.index] = trail
  }
  return trail
}

function extended(trail: Trail, text: string | undefined): Trail {
  return text === undefined ? trail : { ...trail, messages: trail.messages + 1, text: trail.text || text }
}
