import type { Source, SourceRecord } from './reader.ts'

/** The records of a source; a file of one line is one JSON value, and some tools store the lines as one array. */
export function lineRecordsOf(source: Source): readonly SourceRecord[] {
  if (source.records !== undefined) return source.records
  const values = Array.isArray(source.value) ? source.value : [source.value]
  return values.map((value, index) => ({ line: index + 1, value }))
}
