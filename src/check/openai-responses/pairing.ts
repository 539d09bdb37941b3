import { type Fields, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { type Fault, missing, semantic } from '../openai/templates.ts'
import type { ResponsesRequest } from './request.ts'
import type { ResponsesRule } from './rules.ts'

interface CallKind {
  /** The type as the API names it in its messages. */
  readonly words: string
  readonly answeredBy: readonly string[]
  readonly missing: ResponsesRule
}

/** Calls that the client runs. A function output may answer a local shell call and a search (Codex, recorded). */
const CALLS: { readonly [type: string]: CallKind } = {
  function_call: {
    words: 'function call',
    answeredBy: ['function_call_output'],
    missing: 'function-call-output-missing',
  },
  custom_tool_call: {
    words: 'custom tool call',
    answeredBy: ['custom_tool_call_output'],
    missing: 'custom-tool-call-output-missing',
  },
  shell_call: { words: 'shell call', answeredBy: ['shell_call_output'], missing: 'shell-call-output-missing' },
  local_shell_call: {
    words: 'local shell call',
    answeredBy: ['local_shell_call_output', 'function_call_output'],
    missing: 'local-shell-call-output-missing',
  },
  apply_patch_call: {
    words: 'apply patch call',
    answeredBy: ['apply_patch_call_output'],
    missing: 'apply-patch-call-output-missing',
  },
  computer_call: {
    words: 'computer call',
    answeredBy: ['computer_call_output'],
    missing: 'computer-call-output-missing',
  },
  tool_search_call: {
    words: 'tool search',
    answeredBy: ['tool_search_output', 'function_call_output'],
    missing: 'tool-search-output-missing',
  },
  /** The API itself ends a program, so one without an end is still running. */
  program: { words: 'program', answeredBy: ['program_output'], missing: 'hosted-tool-replay' },
}

interface OutputKind {
  readonly words: string
  readonly orphan: ResponsesRule
}

const OUTPUTS: { readonly [type: string]: OutputKind } = {
  function_call_output: { words: 'function call output', orphan: 'function-call-output-orphan' },
  custom_tool_call_output: { words: 'custom tool call output', orphan: 'custom-tool-call-output-orphan' },
  shell_call_output: { words: 'shell call output', orphan: 'other-output-orphan' },
  local_shell_call_output: { words: 'local shell call output', orphan: 'other-output-orphan' },
  apply_patch_call_output: { words: 'apply patch call output', orphan: 'other-output-orphan' },
  computer_call_output: { words: 'computer call output', orphan: 'other-output-orphan' },
  tool_search_output: { words: 'tool search output', orphan: 'other-output-orphan' },
  program_output: { words: 'program output', orphan: 'program-roundtrip' },
}

interface Call {
  readonly item: Fields
  readonly kind: CallKind
  readonly index: number
  answered: boolean
}

/** The state of the scan: outputs bind to calls one to one, in the order of the list (Codex, context_manager/normalize). */
export interface Calls {
  readonly byId: Map<string, Call>
  /** A local shell output may name the item instead of the call. */
  readonly byItemId: Map<string, Call>
  /** Where the last call of each id stands in the whole list; made when the first orphan asks. */
  lastCalls?: ReadonlyMap<string, number> | undefined
  /** Index of the last message: for servers that want no text between a call and its output. */
  lastBreak: number
}

export function newCalls(): Calls {
  return { byId: new Map(), byItemId: new Map(), lastBreak: -1 }
}

/** One item of the scan. `referenced`: an earlier item stands for one of the server's, which may be a call. */
export function pair(
  item: Fields,
  type: string,
  index: number,
  calls: Calls,
  request: ResponsesRequest,
  referenced: boolean,
): void {
  const kind = own(CALLS, type)
  if (kind !== undefined) {
    openCall(item, kind, index, calls, request)
    return
  }
  const output = own(OUTPUTS, type)
  if (output !== undefined) bindOutput({ item, type, output, index }, calls, request, referenced)
  else if (type === 'message') calls.lastBreak = index
}

function openCall(item: Fields, kind: CallKind, index: number, calls: Calls, { report }: ResponsesRequest): void {
  const id = stringAt(item, 'call_id')
  if (id === undefined) return
  const earlier = calls.byId.get(id)
  if (earlier?.answered === false) {
    report.raise('duplicate-call-output', orphanFault('function call output', id, index))
  } else if (earlier !== undefined) {
    report.raise('call-id-reused', orphanFault('function call output', id, index))
  }
  const call = { item, kind, index, answered: false }
  // Set anew, so that the map keeps the order of the calls that are open.
  calls.byId.delete(id)
  calls.byId.set(id, call)
  const itemId = stringAt(item, 'id')
  if (itemId !== undefined && kind === CALLS.local_shell_call) calls.byItemId.set(itemId, call)
}

interface Output {
  readonly item: Fields
  readonly type: string
  readonly output: OutputKind
  readonly index: number
}

function bindOutput(from: Output, calls: Calls, request: ResponsesRequest, referenced: boolean): void {
  const { item, type, output, index } = from
  const id = outputId(from, request)
  if (id === undefined) return
  const call = calls.byId.get(id) ?? (type === 'local_shell_call_output' ? calls.byItemId.get(id) : undefined)
  if (call === undefined) {
    if (!request.continues && !referenced)
      request.report.raise(orphanRule(id, from, calls, request), orphanFault(output.words, id, index))
  } else if (!call.kind.answeredBy.includes(type)) {
    request.report.raise(output.orphan, orphanFault(output.words, id, index))
  } else if (call.answered) {
    request.report.raise('duplicate-call-output', orphanFault(output.words, id, index))
  } else {
    call.answered = true
    callerCopied(call, item, index, request)
    adjacent(call, id, index, calls, request)
  }
}

/** Outside programs an output without a call id is allowed by the types alone; hosted searches carry null. */
function outputId({ item, type, index }: Output, { report }: ResponsesRequest): string | undefined {
  const id = stringAt(item, 'call_id')
  if (id !== undefined) return id
  if (type === 'local_shell_call_output') return stringAt(item, 'id')
  if (type === 'function_call_output' && report.strict)
    report.raise('call-id-missing', missing(`input[${index}].call_id`))
  return undefined
}

function orphanRule(id: string, { output, index }: Output, calls: Calls, request: ResponsesRequest): ResponsesRule {
  calls.lastCalls ??= lastCalls(request)
  return (calls.lastCalls.get(id) ?? -1) > index ? 'output-before-call' : output.orphan
}

function lastCalls({ items }: ResponsesRequest): ReadonlyMap<string, number> {
  const last = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const id = own(CALLS, valueAt(item, 'type')) === undefined ? undefined : stringAt(item, 'call_id')
    if (id !== undefined) last.set(id, index)
  }
  return last
}

function orphanFault(words: string, id: string, index: number): Fault {
  return semantic(`No tool call found for ${words} with call_id ${id}.`, 'input', `input[${index}]`)
}

/** A call made by a program gets its output with the same caller. No text is known: in the words for a missing field. */
function callerCopied(call: Call, output: Fields, index: number, { report }: ResponsesRequest): void {
  const caller = valueAt(call.item, 'caller')
  if (valueAt(caller, 'type') !== 'program') return
  if (valueAt(valueAt(output, 'caller'), 'caller_id') === valueAt(caller, 'caller_id')) return
  report.raise('program-roundtrip', missing(`input[${index}].caller`))
}

/** The words of DeepSeek's endpoint, which wants nothing said between a call and its output. */
function adjacent(call: Call, id: string, index: number, calls: Calls, { report }: ResponsesRequest): void {
  if (!report.strict || calls.lastBreak < call.index) return
  const message = `No tool output found for tool call ${id}.`
  report.raise('output-not-adjacent', { message, code: 'invalid_request_error', param: null, path: `input[${index}]` })
}

/** At the end of the list: the calls that nothing answered, the first one first. */
export function unanswered(calls: Calls, { report }: ResponsesRequest): void {
  for (const [id, { kind, index, item, answered }] of calls.byId) {
    // A search that the server ran needs no output.
    if (answered || (kind === CALLS.tool_search_call && valueAt(item, 'execution') !== 'client')) continue
    report.raise(kind.missing, semantic(`No tool output found for ${kind.words} ${id}.`, 'input', `input[${index}]`))
  }
}
