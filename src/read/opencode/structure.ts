import type { Report } from '../report.ts'
import { type Structure, shallow } from '../shallow.ts'

export const PART: Structure = { keys: new Set(['state', 'attachments']), levels: 4 }
export const INFO: Structure = { keys: new Set(['time', 'error']), levels: 2 }
export const FIRST: Structure = { keys: new Set(['parts', 'toolInvocation', 'metadata']), levels: 4 }
export const FLAT: Structure = { keys: new Set(['content', 'state', 'files']), levels: 5 }

/** What is nested too deeply is text. */
export function bounded(value: unknown, structure: Structure, report: Report): unknown {
  return shallow(value, structure, (before) => report('value-too-deep', { before }))
}
