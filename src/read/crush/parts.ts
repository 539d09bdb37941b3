import { isObject } from '../../model/json.ts'
import type { Report } from '../report.ts'
import { type Structure, shallow } from '../shallow.ts'
import { jsonAt, type Row } from '../tables.ts'

/** A part: its kind, and its fields beside it. */
export interface StoredPart {
  readonly type: string
  readonly data: Row
}

export interface StoredMessage {
  readonly id: string
  readonly row: Row
  readonly parts: readonly StoredPart[]
  /** It stands for what came before it. */
  readonly isSummary?: boolean
}

/** The parts of a message, which are JSON text in one column; undefined, and reported, when they cannot be read. */
export function partsOf(row: Row, report: Report): readonly StoredPart[] | undefined {
  const stored = jsonAt(row, 'parts')
  if (!Array.isArray(stored)) {
    report('record-invalid', { before: row.parts ?? row })
    return undefined
  }
  const parts: StoredPart[] = []
  for (const part of stored as readonly unknown[]) {
    if (!isObject(part) || typeof part.type !== 'string' || !isObject(part.data))
      report('part-invalid', { before: part })
    else
      parts.push({
        type: part.type,
        data: shallow(part.data, DATA, (before) => report('value-too-deep', { before })) as Row,
      })
  }
  return parts
}

const DATA: Structure = { keys: new Set(), levels: 1 }

/** Parts that are no content of their message: how it ended, and results, which belong to calls. */
export const isApart = (type: string): boolean => type === 'finish' || type === 'tool_result'
