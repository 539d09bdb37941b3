import { isJson } from '../../model/is-json.ts'
import { deeperThan, type Fields, isObject, MAX_DEPTH, parseOrText } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { FormatId, Json, ToolCallEntry, ToolCallState, ToolOutput } from '../../model/session.ts'
import type { OpenCall } from '../assemble.ts'
import type { Report } from '../report.ts'
import { deepText } from '../shallow.ts'
import { headOf } from './head.ts'
import { OUTPUT_PARTS, partsOf } from './parts.ts'
import { CALL, fieldLost, fitted, STATES } from './shapes.ts'

/** A call of the canonical form: the value itself when it is clean. */
export function canonicalCall(value: Fields, report: Report): ToolCallEntry | undefined {
  const call = fitted(value, CALL, report)
  if (call === undefined) return undefined
  const fixed = { id: idOf(call.id, report), args: argsOf(call.args, report), state: stateOf(call.state, report) }
  const state = fixed.state ?? { status: 'interrupted' }
  const clean = fixed.id === call.id && fixed.args === call.args && state === call.state
  return (clean ? call : { ...call, ...fixed, state }) as unknown as ToolCallEntry
}

/**
 * A call that carries its outcome: the state may be tagged by `status` or `kind`, be one word, or stand beside the call as
 * `result` or `error`; without one the call is open. `argsText`: a string of arguments is their JSON text.
 */
export function statedCall(
  value: unknown,
  report: Report,
  { slot, argsText }: { readonly slot: FormatId; readonly argsText: boolean },
): OpenCall | ToolCallEntry | undefined {
  const name = isObject(value) ? value.name : undefined
  if (!isObject(value) || typeof name !== 'string') {
    report('part-invalid', { before: value })
    return undefined
  }
  const head = headOf(value, CALL, report, { apart: APART, slot })
  const call = { type: 'tool-call', id: idOf(value.id, report), name } as const
  const isText = argsText && head.kind !== 'custom' && head.argsText === undefined
  const args = isText ? parsedArgs(value.args, report) : { args: argsOf(value.args, report) }
  const state = stateOf(value.state ?? besides(value.result, value.error), report)
  return { ...call, ...head, ...args, ...(state === undefined ? {} : { state }) }
}

function parsedArgs(args: unknown, report: Report): { args: Json; argsText?: string } {
  return typeof args === 'string' ? { args: parseOrText(args), argsText: args } : { args: argsOf(args, report) }
}

const APART = new Set(['type', 'id', 'name', 'args', 'state', 'result', 'error'])

function besides(result: unknown, error: unknown): unknown {
  if (error !== undefined && error !== null) return { status: 'failed', error }
  return result === undefined ? undefined : { status: 'completed', result }
}

function idOf(id: unknown, report: Report): string {
  if (typeof id === 'string') return id
  if (id !== undefined && id !== null) report('part-invalid', { message: fieldLost('id'), before: id })
  return ''
}

function argsOf(args: unknown, report: Report): Json {
  if (isJson(args)) return args as Json
  if (args === undefined) return {}
  if (deeperThan(args, MAX_DEPTH)) {
    const text = deepText(args)
    report('value-too-deep', { before: text })
    return text
  }
  report('part-invalid', { message: fieldLost('args'), before: args })
  return {}
}

/** Undefined when none is stored. One that is not understood says at least that the outcome is not known. */
function stateOf(stored: unknown, report: Report): ToolCallState | undefined {
  if (stored === undefined || stored === null) return undefined
  const state: unknown = typeof stored === 'string' ? { status: stored } : stored
  const fields = isObject(state) ? state : {}
  const status = fields.status ?? fields.kind
  const shape = own(STATES, status)
  if (shape === undefined) {
    report('part-invalid', {
      message: 'The state of a call is not known; it is taken for interrupted.',
      before: stored,
    })
    return { status: 'interrupted' }
  }
  const known = fitted(fields, shape, report) ?? fields
  return OUTPUTS[status as ToolCallState['status']](known, report)
}

/** Which field holds the output of a state, and whether it must. */
const OUTPUTS: { readonly [S in ToolCallState['status']]: (state: Fields, report: Report) => ToolCallState } = {
  completed: (state, report) => withOutput(state, 'completed', 'result', report),
  failed: (state, report) => withOutput(state, 'failed', 'error', report),
  interrupted: (state, report) =>
    state.partial === undefined
      ? asState(state, { status: 'interrupted' })
      : withOutput(state, 'interrupted', 'partial', report),
  pending: (state) => asState(state, { status: 'pending' }),
}

function withOutput(state: Fields, status: ToolCallState['status'], key: string, report: Report): ToolCallState {
  return asState(state, { status, [key]: outputOf(state[key], report) })
}

/** The stored state itself when nothing had to be changed. */
function asState(state: Fields, fixed: Fields): ToolCallState {
  if (Object.keys(fixed).every((key) => fixed[key] === state[key])) return state as unknown as ToolCallState
  const { kind: _kind, ...rest } = state
  return { ...rest, ...fixed } as unknown as ToolCallState
}

const isOutputPart = (part: unknown): boolean => isObject(part) && own(OUTPUT_PARTS, part.type) !== undefined

/** Any JSON is an output when it is stored by hand. */
export function outputOf(output: unknown, report: Report): ToolOutput {
  if (typeof output === 'string') return output
  if (Array.isArray(output) && (output.length === 0 || output.some(isOutputPart))) {
    return partsOf(output, OUTPUT_PARTS, report)
  }
  if (output === undefined || output === null) return ''
  return [{ type: 'json', value: argsOf(output, report) }]
}
