import type { Fields } from '../../model/json.ts'
import type { Report } from '../report.ts'
import { others } from '../slots.ts'

/** What only answers have. */
export const OF_ANSWERS: readonly string[] = [
  'tool_calls',
  'function_call',
  'refusal',
  'audio',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
]

/** What is read of a message. */
const READ = new Set(['role', 'content', 'name', 'id', 'tool_call_id', ...OF_ANSWERS])

/** Servers add fields of their own to what they answer; those that say something are named when they are left out. */
export function reportFurtherFields(message: Fields, report: Report): void {
  const further = others(message, READ)
  if (further === undefined || Object.values(further).every(saysNothing)) return
  report('extra-left-out', { before: further })
}

const saysNothing = (value: unknown): boolean =>
  value === false || value === '' || (Array.isArray(value) && value.length === 0)
