import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import type { ToolCallState } from '../../model/session.ts'
import { idAt } from '../anthropic/calls.ts'
import { type Report, unheard } from '../report.ts'
import { listAt } from './agent.ts'
import { returnState } from './returns.ts'

/** What somebody said about a call that had to be asked for. */
export interface Verdict {
  readonly callId: string
  readonly approved: boolean
  readonly reason: string | undefined
}

/** What an approval response answers. */
export interface Answers {
  readonly results: readonly { readonly callId: string; readonly state: ToolCallState }[]
  readonly verdicts: readonly Verdict[]
}

/** The answers in an approval response; those to a call that the client then ran hold its result. */
export function answersIn(
  message: Fields,
  asked: ReadonlyMap<string, readonly string[]>,
  report: Report = unheard,
): Answers {
  const results: { readonly callId: string; readonly state: ToolCallState }[] = []
  const verdicts: Verdict[] = []
  for (const answer of listAt(message, 'approvals')) {
    if (!isObject(answer)) {
      report('part-invalid', { before: answer })
      continue
    }
    const callId = idAt(answer, 'tool_call_id')
    if (answer.type === 'tool' || Object.hasOwn(answer, 'tool_return'))
      results.push({ callId, state: returnState(answer) })
    else if (typeof answer.approve === 'boolean')
      verdicts.push({ callId, approved: answer.approve, reason: stringAt(answer, 'reason') })
  }
  if (results.length + verdicts.length > 0) return { results, verdicts }
  return { results, verdicts: olderVerdicts(message, asked, report) }
}

/** Older ones answer for all calls of the request that they name. */
function olderVerdicts(
  message: Fields,
  asked: ReadonlyMap<string, readonly string[]>,
  report: Report,
): readonly Verdict[] {
  const approved = valueAt(message, 'approve')
  if (typeof approved !== 'boolean') return []
  const stored = valueAt(message, 'denial_reason') ?? undefined
  const reason = typeof stored === 'string' ? stored : undefined
  if (stored !== undefined && (approved || reason === undefined)) report('part-left-out', { before: stored })
  const request = stringAt(message, 'approval_request_id') ?? ''
  return (asked.get(request) ?? []).map((callId) => ({ callId, approved, reason }))
}

const REFUSED = 'The request to call the tool was denied.'

export const deniedState = (reason: string | undefined): ToolCallState => ({
  status: 'failed',
  error: reason === undefined || reason === '' ? REFUSED : reason,
  denied: true,
})
