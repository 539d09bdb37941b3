import type { SourceRecord } from '../reader.ts'
import type { JournalRecord, RepairEntry } from './record.ts'
import { isOfJournal, isRecord } from './record-guard.ts'

/** A repair that names what a crash left of records. What comes next takes the numbers of all that it names. */
export function isRepairOfEnd(value: unknown): value is JournalRecord & RepairEntry {
  return isRecord(value) && value.type === 'repair' && value.torn !== undefined
}

/**
 * Which records stand between the holes that a crash of the machine left: a repair behind them begins with their numbers, or
 * lower ones, once more. In one look at all records.
 */
export function unacknowledgedIn(records: readonly SourceRecord[]): (value: unknown, index: number) => boolean {
  const repairs: { readonly index: number; seq: number }[] = []
  records.forEach(({ value }, index) => {
    if (isRepairOfEnd(value)) repairs.push({ index, seq: value.seq })
  })
  // From the end: the lowest number that a repair from here on begins with.
  for (let at = repairs.length - 2; at >= 0; at--) {
    const [repair, next] = [repairs[at], repairs[at + 1]]
    if (repair !== undefined && next !== undefined) repair.seq = Math.min(repair.seq, next.seq)
  }
  let behind = 0
  return (value, index) => {
    while (behind < repairs.length && (repairs[behind]?.index ?? 0) <= index) behind++
    const repair = repairs[behind]
    return repair !== undefined && isOfJournal(value) && (value.seq as number) >= repair.seq
  }
}
