import type { Row } from '../read/tables.ts'

/** Of the parts of a parent session those that name a session which they started: the call stands in one of them. */
export function parentCalls(parts: readonly Row[], child: string): readonly Row[] {
  return parts.filter(({ data }) => typeof data === 'string' && data.includes(child))
}
