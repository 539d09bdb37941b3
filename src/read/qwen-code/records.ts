import { type ChangeCode, change } from '../../model/change.ts'
import { isObject, sameJson, stringAt } from '../../model/json.ts'
import type { Change } from '../../model/session.ts'
import { type Entry, recordsOf } from '../body.ts'
import type { Source } from '../reader.ts'

export type JsonRecord = { readonly [key: string]: unknown }

/** What stands on one line. */
export class Piece {
  readonly #entry: Entry

  constructor(entry: Entry) {
    this.#entry = entry
  }

  get record(): JsonRecord {
    return this.#entry.value as JsonRecord
  }

  get line(): number | undefined {
    return this.#entry.line
  }
}

/**
 * The records of one id: they are parts of one message, and the first says where it hangs. It holds what the tree is made
 * of, not what the records say.
 */
export interface Node {
  readonly uuid: string
  readonly type: unknown
  readonly subtype: unknown
  readonly isSide: boolean
  readonly parent: unknown
  readonly pieces: [Piece, ...Piece[]]
  /** Place of its last record in the file. */
  place: number
  /** The node before it; set by `connect`. */
  up: Node | undefined
  /** It names a parent that is not stored. */
  gap: boolean
}

export interface Records {
  /** In the order of their first records. */
  readonly nodes: readonly Node[]
  readonly byUuid: ReadonlyMap<string, Node>
  readonly changes: readonly Change[]
}

/** The records of a file, by id. */
export function sortRecords(source: Source): Records {
  const sorter = new Sorter()
  for (const entry of recordsOf(source)) sorter.take(entry)
  return sorter
}

class Sorter implements Records {
  readonly nodes: Node[] = []
  readonly byUuid = new Map<string, Node>()
  readonly changes: Change[] = []
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
      this.#further(known, new Piece(entry), place)
      return
    }
    const node = nodeOf(value, uuid, place, new Piece(entry))
    this.nodes.push(node)
    this.byUuid.set(uuid, node)
  }

  /** A line that says just what the one before it of its id said is no further part. */
  #further(node: Node, piece: Piece, place: number): void {
    const last = node.pieces.at(-1)
    node.place = place
    if (sameJson(last?.record.message, piece.record.message) && last?.record.type === piece.record.type)
      this.#report('record-duplicate', piece.line, node.uuid)
    else node.pieces.push(piece)
  }

  #report(code: ChangeCode, line: number | undefined, before: unknown): void {
    this.changes.push(change(code, line === undefined ? {} : { line }, { before }))
  }
}

function nodeOf(record: JsonRecord, uuid: string, place: number, piece: Piece): Node {
  const { type, subtype, parentUuid: parent } = record
  const isSide = record.isSidechain === true
  return { uuid, type, subtype, isSide, parent, pieces: [piece], place, up: undefined, gap: false }
}

export const head = (node: Node): JsonRecord => node.pieces[0].record

export const lineOf = (node: Node): { readonly line?: number } => {
  const { line } = node.pieces[0]
  return line === undefined ? {} : { line }
}
