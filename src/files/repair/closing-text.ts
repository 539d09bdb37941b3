import { PARTIAL_HEAD } from '../../model/closing.ts'
import { CLOSING_TEXTS } from '../../write/texts.ts'
import type { OpenCall } from './plan.ts'

/** What a closer says, in the words of requests and journals: the outcome is unknown, or the call never started. */
export function closingText({ id, name, dispatched }: OpenCall, partial?: string): string {
  const text = CLOSING_TEXTS.interrupted({
    type: 'tool-call',
    id,
    name,
    args: {},
    state: { status: 'interrupted', ...(dispatched === undefined ? {} : { dispatched }) },
  })
  return partial === undefined || partial === '' ? text : `${text}\n\n${PARTIAL_HEAD}\n${partial}`
}
