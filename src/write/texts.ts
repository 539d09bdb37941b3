import { isBlank } from '../model/blank.ts'
import { NEVER_STARTED, OUTCOME_UNKNOWN, PARTIAL_HEAD } from '../model/closing.ts'
import type { ToolCallEntry, ToolOutput } from '../model/session.ts'
import type { ClosingTexts } from '../rules/options.ts'

/** What is said in the place of a result: a wire contract, as its parts in the model are. */
export const CLOSING_TEXTS: ClosingTexts = {
  interrupted(call) {
    const { state } = call
    if (state.status !== 'interrupted') return ''
    const reason = state.reason === undefined || state.reason === '' ? '' : ` Reason given: ${state.reason}.`
    return (state.dispatched === false ? NEVER_STARTED : OUTCOME_UNKNOWN) + reason
  },
  failed(call) {
    const { state } = call
    if (state.status !== 'failed') return ''
    const told = asText(state.error)
    const head = state.denied === true ? 'This tool call was refused and not run' : 'This tool call failed'
    return told === '' ? `${head}.` : `${head}: ${told}`
  },
  pending(call) {
    const { state } = call
    if (state.status !== 'pending') return ''
    if (state.reason !== 'approval') return 'This tool call has not finished; there is no result yet.'
    return state.approved === undefined
      ? 'This tool call is waiting for approval; it has not been run and there is no result yet.'
      : `This tool call was ${state.approved ? 'approved' : 'not approved'}; it has not been run and there is no result yet.`
  },
}

/** The texts of an output, without its media and native blocks. */
export function asText(output: ToolOutput): string {
  if (typeof output === 'string') return output
  return output
    .map((part) => (part.type === 'text' ? part.text : part.type === 'json' ? JSON.stringify(part.value) : ''))
    .filter((text) => text !== '')
    .join('\n')
}

/** Whether an output says anything at all. */
export function saysNothing(output: ToolOutput): boolean {
  return typeof output === 'string'
    ? isBlank(output)
    : output.every((part) => part.type === 'text' && isBlank(part.text))
}

/** What the caller wants said instead. */
type OwnTexts = Partial<ClosingTexts> | undefined

export type Outcome = { readonly output: ToolOutput; readonly error: boolean }

/** `flag`: the API has an error flag on results, so that an error text goes verbatim. */
export function outcomeOf(call: ToolCallEntry, texts: OwnTexts, flag: boolean): Outcome {
  const { state } = call
  if (state.status === 'completed') return { output: state.result, error: false }
  if (state.status === 'pending') return { output: said('pending', call, texts), error: false }
  if (state.status === 'failed') return { output: failedOutput(call, state.error, texts, flag), error: true }
  return { output: withPartial(said('interrupted', call, texts), state.partial), error: true }
}

/** @throws {TypeError} when the caller's own text is none. */
function said(status: keyof ClosingTexts, call: ToolCallEntry, texts: OwnTexts): string {
  const text: unknown = (texts?.[status] ?? CLOSING_TEXTS[status])(call)
  if (typeof text === 'string') return text
  throw new TypeError(`The function ${status} of the option texts must return a text.`)
}

function failedOutput(call: ToolCallEntry, error: ToolOutput, texts: OwnTexts, flag: boolean): ToolOutput {
  if (texts?.failed !== undefined) return said('failed', call, texts)
  if (flag && !saysNothing(error)) return error
  const text = CLOSING_TEXTS.failed(call)
  const rest = typeof error === 'string' ? [] : error.filter((part) => part.type === 'media' || part.type === 'native')
  return rest.length === 0 ? text : [{ type: 'text', text }, ...rest]
}

function withPartial(text: string, partial: ToolOutput | undefined): ToolOutput {
  if (partial === undefined || saysNothing(partial)) return text
  if (typeof partial === 'string') return `${text}\n\n${PARTIAL_HEAD}\n${partial}`
  return [{ type: 'text', text: `${text}\n\n${PARTIAL_HEAD}` }, ...partial]
}
