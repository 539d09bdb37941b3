import { SAMPLE } from '../evidence.ts'
import type { Source } from '../reader.ts'
import { isOfJournal } from './record-guard.ts'

/** Each line says that it is of a journal; lines of others among them are damage. */
export function detect({ records }: Source): number {
  if (records === undefined) return 0
  const sample = records.slice(0, SAMPLE)
  const found = sample.filter(({ value }) => isOfJournal(value)).length
  return found * 2 > sample.length ? 1 : 0
}
