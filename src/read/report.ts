import { type ChangeCode, type ChangeDetail, change } from '../model/change.ts'
import type { Change, ChangePlace } from '../model/session.ts'

/** Tells of a change at the place that is being read. */
export type Report = (code: ChangeCode, detail?: ChangeDetail & { readonly callId?: string }) => void

/** `place` is asked at each change, since reading goes on. */
export function reporter(add: (change: Change) => void, place: () => ChangePlace): Report {
  return (code, detail = {}) => {
    const { callId, ...rest } = detail
    add(change(code, callId === undefined ? place() : { ...place(), callId }, rest))
  }
}

/** Where nobody listens: an answer is read for its content alone. */
export const unheard: Report = () => {}
