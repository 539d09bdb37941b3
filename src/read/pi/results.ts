import { type Fields, isObject, stringAt } from '../../model/json.ts'
import type { ToolCallState, ToolOutput } from '../../model/session.ts'
import { soleText } from '../../model/sole-text.ts'
import type { StoredResult } from '../assemble.ts'
import { CONTENT_MISSING } from '../content-missing.ts'
import type { Report } from '../report.ts'
import { outputOf } from './content.ts'

/** The text of a result that says nothing about the outcome. */
const UNKNOWN = 'No result provided'

/** What pi itself writes for calls that it did not run: a result that was written besides is the truth. */
const NOT_RUN: ReadonlySet<string> = new Set(['Operation aborted', 'Skipped due to queued user message.'])
const CUT_OFF = 'was not executed: the response hit the output token limit'

/** `isRepair`: a record of the file says that this result was put there when the session was opened again. */
export function resultOf(
  message: Fields,
  place: { readonly line: number; readonly isRepair: boolean },
  report: Report,
): StoredResult {
  const callId = stringAt(message, 'toolCallId') ?? ''
  const name = stringAt(message, 'toolName')
  const content = message.content ?? message.output
  if (content === undefined) report('part-invalid', { message: CONTENT_MISSING, before: message })
  const output = outputOf(content, report)
  const isError = message.isError === true
  const text = isError ? soleText(output) : undefined
  const isUnknown = place.isRepair || text === UNKNOWN || (isError && saysRepaired(message.details))
  const synthetic = isUnknown || (text !== undefined && isNotRun(text))
  return {
    callId,
    ...(name === undefined ? {} : { name }),
    state: isUnknown ? { status: 'interrupted' } : stateOf(output, isError),
    ...(synthetic ? { synthetic } : {}),
    line: place.line,
  }
}

const stateOf = (output: ToolOutput, isError: boolean): ToolCallState =>
  isError ? { status: 'failed', error: output } : { status: 'completed', result: output }

const isNotRun = (text: string): boolean => NOT_RUN.has(text) || (text.length < 1000 && text.includes(CUT_OFF))

/** Writers that close calls of their own accord say so in the details, which the model does not see. */
const saysRepaired = (details: unknown): boolean =>
  isObject(details) && ['synthetic', 'repaired', 'interrupted'].some((key) => details[key] === true)
