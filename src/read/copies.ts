import { sameJson } from '../model/json.ts'
import type { Report } from './report.ts'

/** Tells of a record that is left out since another one has its id: a copy, or one that says something else. */
export function reportCopy(report: Report, id: string, left: unknown, kept: unknown): void {
  if (sameJson(left, kept)) report('record-duplicate', { before: id })
  else report('record-invalid', { message: ANOTHER, before: left })
}

export const ANOTHER = 'A record with the id of another one that says something else was left out.'
