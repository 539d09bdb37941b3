import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Json, ToolCallState } from '../../model/session.ts'
import { idAt } from '../anthropic/calls.ts'
import type { OpenCall, StoredPart } from '../assemble.ts'
import type { Report } from '../report.ts'
import { slotsOf } from './metadata.ts'
import { completedState, DENIED, outputOf } from './output.ts'
import { searchBlocks } from './provider-run.ts'

/** A call and what became of it, in any version's form. */
export interface ToolPart {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly stored: Fields
  /** Version 4 counts the steps of an answer on its calls. */
  readonly step: number | undefined
}

/** `tool-NAME`, `dynamic-tool` or, of version 4, `tool-invocation`; undefined where it is none of them. */
export function toolPart(part: Fields): ToolPart | undefined {
  const type = stringAt(part, 'type') ?? ''
  if (type === 'tool-invocation') return isObject(part.toolInvocation) ? invocation(part.toolInvocation) : undefined
  const name =
    type === 'dynamic-tool' ? stringAt(part, 'toolName') : type.startsWith('tool-') ? type.slice(5) : undefined
  const state = stringAt(part, 'state')
  if (name === undefined || state === undefined) return undefined
  return { id: idAt(part, 'toolCallId'), name, state, stored: part, step: undefined }
}

const V4_STATES: { readonly [state: string]: string } = {
  'partial-call': 'input-streaming',
  call: 'input-available',
  result: 'output-available',
}

function invocation(stored: Fields): ToolPart | undefined {
  const name = stringAt(stored, 'toolName')
  const state = stringAt(stored, 'state')
  if (name === undefined || state === undefined) return undefined
  const { args, result, step, ...rest } = stored
  return {
    id: idAt(stored, 'toolCallId'),
    name,
    state: own(V4_STATES, state) ?? state,
    stored: { ...rest, input: args, output: result },
    step: typeof step === 'number' ? step : undefined,
  }
}

/** Undefined: nothing is known, the call is open. */
type Outcome = (part: ToolPart, isLast: boolean) => ToolCallState | undefined

const STATES: { readonly [state: string]: Outcome } = {
  // What came of the arguments is cut off, so that the tool cannot have run.
  'input-streaming': () => ({ status: 'interrupted', dispatched: false, reason: 'its arguments were cut off' }),
  'input-available': (_part, isLast) => (isLast ? { status: 'pending' } : undefined),
  'approval-requested': (_part, isLast) => (isLast ? { status: 'pending', reason: 'approval' } : NOT_RUN),
  'approval-responded': ({ stored }, isLast) => {
    const approved = valueAt(stored.approval, 'approved')
    if (isLast) return { status: 'pending', reason: 'approval', ...(typeof approved === 'boolean' ? { approved } : {}) }
    return approved === false ? denied(stored) : undefined
  },
  'output-available': ({ stored }) =>
    stored.preliminary === true
      ? { status: 'interrupted', partial: outputOf(stored.output) }
      : completedState(stored.output),
  'output-error': ({ stored }) => ({
    status: 'failed',
    error: stringAt(stored, 'errorText') ?? outputOf(stored.output),
  }),
  'output-denied': ({ stored }) => denied(stored),
}

/** Asked for, never answered, and the conversation went on without it. */
const NOT_RUN: ToolCallState = { status: 'interrupted', dispatched: false }

function denied(stored: Fields): ToolCallState {
  return { status: 'failed', error: stringAt(stored.approval, 'reason') ?? DENIED, denied: true }
}

/** `isLast`: it stands in the last message, whose calls may still be answered. */
export function callOf(part: ToolPart, isLast: boolean, report: Report): StoredPart {
  const { id, name, stored } = part
  const outcome = own(STATES, part.state)
  if (outcome === undefined) report('record-unknown', { callId: id, message: UNKNOWN_STATE, before: part.state })
  const state = outcome?.(part, isLast)
  reportUnused(part, report)
  if (state?.status === 'interrupted') report('call-unfinished', { callId: id })
  const call: OpenCall = {
    type: 'tool-call',
    id,
    name,
    ...argsOf(stored),
    ...(stored.providerExecuted === true ? { executor: 'provider' as const } : {}),
    ...slotsOf('call', stored.callProviderMetadata ?? stored.providerMetadata),
  }
  const raw = call.executor === 'provider' ? searchBlocks(call, stored.output) : undefined
  const placed = raw === undefined ? call : { ...call, extra: { ...call.extra, anthropic: raw } }
  return state === undefined ? placed : { ...placed, state }
}

/** What a state of its kind does not hold, and what one of its kind lacks. */
function reportUnused({ id, state, stored }: ToolPart, report: Report): void {
  const { output, errorText } = stored
  const isError = state === 'output-error'
  const callId = { callId: id, message: UNUSED }
  if (output !== undefined && state !== 'output-available' && !(isError && errorText === undefined))
    report('part-invalid', { ...callId, before: output })
  if (errorText !== undefined && !isError) report('part-invalid', { ...callId, before: errorText })
  const isBare = isError ? errorText === undefined && output === undefined : output === undefined
  if (isBare && (isError || state === 'output-available'))
    report('part-invalid', { callId: id, message: NO_OUTPUT, before: stored })
}

const UNUSED = 'An outcome that does not go with the state of its call was left out.'
const NO_OUTPUT = 'A tool part that tells of an outcome is stored without it.'

const UNKNOWN_STATE = 'A tool part of an unknown state was read as a call without a result.'

/** A failed call may have only the input that could not be parsed. */
export function argsOf(stored: Fields): Pick<OpenCall, 'args' | 'argsText'> {
  const input = valueAt(stored, 'input') ?? valueAt(stored, 'args')
  if (input !== undefined && input !== null) return { args: input as Json }
  const raw = valueAt(stored, 'rawInput')
  if (typeof raw === 'string') return { args: raw, argsText: raw }
  return { args: raw === undefined || raw === null ? {} : (raw as Json) }
}
