import { preview } from '../../model/json.ts'
import type { Fields } from '../entries/shapes.ts'
import type { Branch, SourceRecord } from '../reader.ts'

interface Place {
  /** Place among the entries, in file order. */
  readonly index: number
  /** Place among all records, the header and those that could not be read included. */
  readonly place: number
  readonly id: string | undefined
  readonly type: string
  /** The id of the one before it; null: it is a root; undefined: the one before it in the file. */
  readonly parent: string | null | undefined
}

/** A record of a tree that is stored line by line. It holds what the tree is made of, not what the record says. */
export class Entry {
  readonly index: number
  readonly place: number
  readonly id: string | undefined
  readonly type: string
  readonly parent: string | null | undefined
  /** The record before it; set by `connect`. */
  up: Entry | undefined
  /** It names a parent that is not stored. */
  gap: boolean
  readonly #source: SourceRecord
  readonly #within: (value: unknown) => Fields

  /** `within`: what of the stored value is the record. */
  constructor(source: SourceRecord, within: (value: unknown) => Fields, { index, place, id, type, parent }: Place) {
    this.#source = source
    this.#within = within
    this.index = index
    this.place = place
    this.id = id
    this.type = type
    this.parent = parent
    this.up = undefined
    this.gap = false
  }

  get line(): number {
    return this.#source.line
  }

  get record(): Fields {
    return this.#within(this.#source.value)
  }
}

export type ById = ReadonlyMap<string, Entry>

/**
 * Gives each record the one before it, and gives back the records by id, of several the last one.
 * An id is looked for among the earlier records first, so that an id used twice makes no circle. In a file that was
 * written in order (`ordered`), a parent that was never written is replaced by the record before: ending there would
 * lose the beginning of the conversation.
 */
export function connect(entries: readonly Entry[], { ordered }: { readonly ordered: boolean }): ById {
  const byId = new Map<string, Entry>()
  const waiting: { readonly entry: Entry; readonly parent: string }[] = []
  for (const entry of entries) {
    const { parent } = entry
    if (parent === undefined) entry.up = entries[entry.index - 1]
    else if (parent !== null) {
      entry.up = byId.get(parent)
      if (entry.up === undefined) waiting.push({ entry, parent })
    }
    if (entry.id !== undefined) byId.set(entry.id, entry)
  }
  for (const { entry, parent } of waiting) {
    const later = byId.get(parent)
    entry.gap = later === undefined || later === entry
    if (!entry.gap) entry.up = later
    else if (ordered) entry.up = entries[entry.index - 1]
  }
  return byId
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
    if (entry.gap || isCircle) broken.push(entry)
    if (isCircle) before = entries[entry.index - 1]
    entry = before
  }
  return { entries: path.reverse(), broken: broken.reverse(), marks }
}

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
  const taken = new Set(path.map((entry) => entry.id))
  const found: Branch[] = []
  for (const leaf of entries) {
    // A record that is stored twice hangs beside its copy.
    if (leaf.id === undefined || followed[leaf.index] === 1 || taken.has(leaf.id)) continue
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
