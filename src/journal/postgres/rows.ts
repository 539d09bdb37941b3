import type { Link } from './link.ts'
import { sqlStateOf } from './passing.ts'
import type { Statements } from './sql.ts'

export interface Row {
  readonly seq: number
  /** Undefined when it is longer than asked for. */
  readonly record: string | undefined
  /** In bytes of the database's encoding. */
  readonly length: number
}

/** Of records that are held in memory at once, about. */
const PAGE_BYTES = 8 * 1024 * 1024

/** The records of a session behind `seq`, in their order, by `read` or `follow`; none when there is no table. */
export async function* rowsAfter(
  link: Link,
  statement: Statements['read' | 'follow'],
  { key, seq, maxBytes }: { readonly key: string; readonly seq: number; readonly maxBytes: number },
): AsyncGenerator<Row> {
  let last = seq
  for (;;) {
    const rows = await page(link, statement, [key, last, maxBytes, PAGE_BYTES])
    if (rows.length === 0) return
    for (const row of rows) {
      // `pg` gives bigints as texts.
      last = Number(row.seq)
      yield { seq: last, record: row.record ?? undefined, length: Number(row.length) }
    }
  }
}

interface StoredRow {
  readonly seq: string | number
  readonly record: string | null
  readonly length: string | number
}

async function page(link: Link, read: string, values: unknown[]): Promise<readonly StoredRow[]> {
  try {
    return (await link.query(read, values)) as readonly StoredRow[]
  } catch (error) {
    if (sqlStateOf(error) === UNDEFINED_TABLE) return []
    throw error
  }
}

const UNDEFINED_TABLE = '42P01'
