import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Extra, Json, OutputPart, ToolCallState, ToolOutput } from '../../model/session.ts'
import type { Report } from '../report.ts'
import type { Row } from '../tables.ts'
import { filePart } from './media.ts'

/** Whether a call is over, and how. */
export interface Outcome {
  readonly state: ToolCallState
  /** Nothing was stored of how it went on. */
  readonly isUnfinished: boolean
}

type OutcomeReader = (state: Row, report: Report) => Outcome

const OUTCOMES: { readonly [status: string]: OutcomeReader } = {
  completed: (state, report) => over({ status: 'completed', result: outputOf(state, report), ...slotOf(state) }),
  error: (state, report) => over(failureOf(state, report)),
  running: (state) => ({ state: interrupted(state, {}), isUnfinished: true }),
  pending: (state) => ({ state: interrupted(state, { dispatched: false, reason: STREAMING }), isUnfinished: true }),
}

const STREAMING = 'its arguments were still streaming'

/** The outcome of a tool part. One that still runs never ended; a status that is not known is no success either. */
export function outcomeOf(state: Row, report: Report): Outcome {
  const read = own(OUTCOMES, state.status)
  if (read !== undefined) {
    const besides = state.status === 'error' ? state.output : state.error
    if (besides !== undefined && besides !== null) report('part-invalid', { message: UNUSED, before: besides })
    return read(state, report)
  }
  report('part-invalid', { message: UNKNOWN, before: state })
  return { state: interrupted(state, {}), isUnfinished: true }
}

const UNUSED = 'An outcome that does not go with the state of its call was left out.'
const UNKNOWN = 'The state of a call is of no known kind; what it holds besides input and output was left out.'

const over = (state: ToolCallState): Outcome => ({ state, isUnfinished: false })

type Why = Pick<Extract<ToolCallState, { status: 'interrupted' }>, 'dispatched' | 'reason'>

function interrupted(state: Row, why: Why): ToolCallState {
  return { status: 'interrupted', ...partial(state), ...why, ...slotOf(state) }
}

/** What a shell had printed so far; what stands in the place of an output counts, too. */
function partial(state: Row): { readonly partial?: ToolOutput } {
  const output = valueAt(state.metadata, 'output') || state.output || undefined
  if (output === undefined) return {}
  return { partial: typeof output === 'string' ? output : [{ type: 'json', value: output as Json }] }
}

/** What the program writes for a call that it gave up. */
const ABORTED: ReadonlySet<string> = new Set([
  'Tool execution aborted',
  'Tool execution interrupted',
  '[Tool execution was interrupted]',
])

/** How the texts begin by which the program says that the user or a rule refused a call, so that it did not run. */
const DENIALS: readonly string[] = [
  'The user rejected permission to use this',
  'The user has specified a rule which prevents you from using this',
]

function failureOf(state: Row, report: Report): ToolCallState {
  if (state.error !== undefined && typeof state.error !== 'string') report('part-invalid', { before: state.error })
  const error = stringAt(state, 'error') ?? ''
  if (valueAt(valueAt(state, 'metadata'), 'interrupted') === true || ABORTED.has(error)) {
    // Only calls whose arguments had not ended keep the text of the arguments.
    const neverRan = typeof state.raw === 'string' ? { dispatched: false } : {}
    return interrupted(state, { ...neverRan, ...(error === '' ? {} : { reason: error }) })
  }
  const text = error.startsWith('Error: ') ? error.slice('Error: '.length) : error
  const isDenied = DENIALS.some((begin) => text.startsWith(begin))
  return { status: 'failed', error, ...(isDenied ? { denied: true } : {}), ...slotOf(state) }
}

/** When the output was cleared to save room: the stored text is still whole. */
function slotOf(state: Row): { readonly extra?: Extra } {
  const compacted = valueAt(valueAt(state, 'time'), 'compacted')
  return typeof compacted === 'number' ? { extra: { opencode: { compacted } } } : {}
}

const NO_OUTPUT = 'The output of a call that ended is not stored.'

/** The output text, and the files beside it. */
function outputOf(state: Row, report: Report): ToolOutput {
  const { output } = state
  if (output === undefined) report('part-invalid', { message: NO_OUTPUT, before: state })
  const text = typeof output === 'string' ? output : output === undefined || output === null ? '' : undefined
  const first: OutputPart = text === undefined ? { type: 'json', value: output as Json } : { type: 'text', text }
  const files: OutputPart[] = []
  for (const attachment of Array.isArray(state.attachments) ? (state.attachments as unknown[]) : []) {
    const file = isObject(attachment) ? filePart(attachment) : undefined
    if (file === undefined) report('part-invalid', { before: attachment })
    else files.push(file)
  }
  if (text !== undefined && files.length === 0) return text
  return text === '' ? files : [first, ...files]
}
