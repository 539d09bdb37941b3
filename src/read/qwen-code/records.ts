import { type ChangeCode, change } from '../../model/change.ts'
import { isObject, sameJson, stringAt } from '../../model/json.ts'
import type { Change } from '../../model/session.ts'
import { type Entry, recordsOf } from '../body.ts'
import type { Source } from '../reader.ts'

export type JsonRecord = { readonly [key: string]: unknown }

/** What stands on one line. */
export interface Piece {
  readonly record: JsonRecord
  readonly line?: number | undefined
}

/** The records of one id: they are parts of one message, and the first says where it hangs. */
export interface Node {
  readonly uuid: string
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

  take({ value, line }: Entry): void {
    const uuid = stringAt(value, 'uuid')
    const place = this.#place++
    if (uuid === undefined || !isObject(value)) this.#report('record-invalid', line, value)
    else if (this.byUuid.has(uuid)) this.#further(this.byUuid.get(uuid)!, { record: value, line }, place)
    else {
      const node: Node = { uuid, pieces: [{ record: value, line }], place, up: undefined, gap: false }
      this.nodes.push(node)
      this.byUuid.set(uuid, node)
    }
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

export const head = (node: Node): JsonRecord => node.pieces[0].record

export const lineOf = (node: Node): { readonly line?: number } => {
  const { line } = node.pieces[0]
  return line === undefined ? {} : { line }
}
