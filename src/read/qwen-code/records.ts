import { type ChangeCode, change } from '../../model/change.ts'
import { type Fields, isObject, sameJson, stringAt } from '../../model/json.ts'
import type { Change } from '../../model/session.ts'
import { type Entry, recordsOf } from '../body.ts'
import type { Source } from '../reader.ts'

/**
 * The records of one id: they are parts of one message, and the first says where it hangs. It holds what the tree is made
 * of, not what the records say.
 */
export class Node {
  /** In the order of the first records. */
  readonly index: number
  readonly uuid: string
  readonly type: unknown
  readonly subtype: unknown
  readonly isSide: boolean
  /** Place of its last record in the file. */
  place: number
  /** The node before it. */
  up: Node | undefined
  /** It names a parent that is not stored. */
  gap: boolean
  readonly #first: Entry
  #further: Entry[] | undefined

  constructor(first: Entry, { uuid, index, place }: Pick<Node, 'uuid' | 'index' | 'place'>) {
    const record = first.value as Fields
    this.#first = first
    this.index = index
    this.uuid = uuid
    this.type = record.type
    this.subtype = record.subtype
    this.isSide = record.isSidechain === true
    this.place = place
    this.up = undefined
    this.gap = false
  }

  /** The first of its records. */
  get head(): Fields {
    return this.#first.value as Fields
  }

  get line(): number | undefined {
    return this.#first.line
  }

  get pieces(): readonly Entry[] {
    return this.#further === undefined ? [this.#first] : [this.#first, ...this.#further]
  }

  get last(): Fields {
    return (this.#further?.at(-1) ?? this.#first).value as Fields
  }

  add(further: Entry): void {
    this.#further ??= []
    this.#further.push(further)
  }
}

export interface Records {
  /** In the order of their first records. */
  readonly nodes: readonly Node[]
  readonly byUuid: ReadonlyMap<string, Node>
  readonly changes: readonly Change[]
}

/** The records of a file, by id, each hung on the one before it as stored. */
export function sortRecords(source: Source): Records {
  const sorter = new Sorter()
  for (const entry of recordsOf(source)) sorter.take(entry)
  sorter.complete()
  return sorter
}

class Sorter implements Records {
  readonly nodes: Node[] = []
  readonly byUuid = new Map<string, Node>()
  readonly changes: Change[] = []
  /** Nodes whose parent does not stand before them. */
  readonly #orphans: { readonly node: Node; readonly parent: string }[] = []
  #place = 0

  take(entry: Entry): void {
    const { value, line } = entry
    const uuid = stringAt(value, 'uuid')
    const place = this.#place++
    if (uuid === undefined || !isObject(value)) {
      this.#report('record-invalid', line, value)
      return
    }
    const known = this.byUuid.get(uuid)
    if (known !== undefined) {
      this.#further(known, value, entry, place)
      return
    }
    const node = new Node(entry, { uuid, index: this.nodes.length, place })
    this.#hang(node, value.parentUuid)
    this.nodes.push(node)
    this.byUuid.set(uuid, node)
  }

  complete(): void {
    for (const { node, parent } of this.#orphans) {
      const stored = this.byUuid.get(parent)
      node.gap = stored === undefined || stored === node
      node.up = node.gap ? undefined : stored
    }
  }

  #hang(node: Node, parent: unknown): void {
    if (parent === null || parent === undefined || parent === '') return
    if (typeof parent !== 'string') {
      node.gap = true
      return
    }
    node.up = this.byUuid.get(parent)
    if (node.up === undefined) this.#orphans.push({ node, parent })
  }

  /** A line that says just what the one before it of its id said is no further part. */
  #further(node: Node, record: Fields, entry: Entry, place: number): void {
    const { last } = node
    node.place = place
    const isSame = sameJson(last.message, record.message) && sameJson(last.systemPayload, record.systemPayload)
    if (isSame && last.type === record.type) this.#report('record-duplicate', entry.line, node.uuid)
    // Only messages are stored in parts.
    else if (node.type === 'system') this.#report('record-invalid', entry.line, record)
    else node.add(entry)
  }

  #report(code: ChangeCode, line: number | undefined, before: unknown): void {
    this.changes.push(change(code, line === undefined ? {} : { line }, { before }))
  }
}

export const lineOf = ({ line }: Node): { readonly line?: number } => (line === undefined ? {} : { line })
