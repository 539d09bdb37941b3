import type { ChangeCode } from '../model/change.ts'
import { own } from '../model/own.ts'
import type { ToolCallEntry } from '../model/session.ts'
import type { Output, Repaired } from './writer.ts'

const CODES: { readonly [status: string]: ChangeCode } = {
  failed: 'error-flag-as-text',
  interrupted: 'call-closed',
  pending: 'call-pending',
}

/** Reports what a result says that was no result; `flag`: the API has an error flag, so that a failure goes verbatim. */
export function reportOutcome(
  call: ToolCallEntry,
  from: Repaired,
  position: number,
  output: Output<never>,
  flag: boolean,
): void {
  if (call.state.status === 'completed') return
  const code = own(CODES, call.state.status)
  if (code !== undefined && !(flag && code === 'error-flag-as-text')) output.report(code, from, position, call.id)
}
