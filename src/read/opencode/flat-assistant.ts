import { isObject, type JsonObject, parseOrText, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type {
  Extra,
  Json,
  OutputPart,
  StopReason,
  ToolCallEntry,
  ToolCallState,
  ToolOutput,
} from '../../model/session.ts'
import { agentAuthor } from '../agent-author.ts'
import type { StoredAssistant, StoredPart } from '../assemble.ts'
import { pushPart } from '../item-parts.ts'
import type { Report } from '../report.ts'
import type { Row } from '../tables.ts'
import { countsOf } from './assistant.ts'
import { filePart } from './media.ts'
import { nativeSlots, reasoningPart } from './provider-metadata.ts'

/** An answer as opencode 2 stores it: its content is a list of texts, reasoning and calls with their state. */
export function flatAssistant(message: Row, report: Report): StoredAssistant {
  const parts: StoredPart[] = []
  const content = Array.isArray(message.content) ? (message.content as readonly unknown[]) : []
  for (const part of content) {
    const add = isObject(part) ? own(CONTENT, part.type) : undefined
    if (add === undefined || !isObject(part)) report('part-invalid', { before: part })
    else add(part, parts, report)
  }
  const by = agentAuthor(stringAt(message.model, 'providerID'), stringAt(message.model, 'id'), parts)
  const stop = isObject(message.error) ? stopOfError(message.error) : own(STOPS, message.finish)
  const usage = countsOf(message.tokens)
  return {
    parts,
    ...(by === undefined ? {} : { by }),
    ...(stop === undefined ? {} : { stop }),
    ...(usage === undefined ? {} : { usage }),
    ...(isObject(message.error) ? { extra: { opencode: { error: message.error } as JsonObject } } : {}),
  }
}

const STOPS: { readonly [finish: string]: StopReason } = {
  stop: 'end',
  'tool-calls': 'tool-calls',
  length: 'length',
  'content-filter': 'filtered',
  error: 'error',
}

const ABORTS: ReadonlySet<string> = new Set(['aborted', 'interrupted'])

const stopOfError = (error: Row): StopReason => (ABORTS.has(stringAt(error, 'type') ?? '') ? 'aborted' : 'error')

const CONTENT: { readonly [type: string]: (part: Row, parts: StoredPart[], report: Report) => void } = {
  text(part, parts, report) {
    const text = stringAt(part, 'text')
    if (text === undefined) report('part-invalid', { before: part })
    else if (text === '') report('text-empty')
    else pushPart(parts, { type: 'text', text, ...extraOf(slotsOf(part, 'text', text)) })
  },
  reasoning(part, parts, report) {
    const text = stringAt(part, 'text')
    const extra = slotsOf(part, 'reasoning', text)
    if (text === undefined) report('part-invalid', { before: part })
    else if (text === '' && extra === undefined) report('text-empty')
    else pushPart(parts, reasoningPart(text, extra))
  },
  tool(part, parts, report) {
    const call = toolCall(part, report)
    if (call !== undefined) parts.push(call)
  },
}

/** `native` had other names in earlier versions. */
function slotsOf(part: Row, kind: 'text' | 'reasoning' | 'call', text?: string): Extra | undefined {
  return nativeSlots(part.native ?? part.providerState ?? (kind === 'call' ? undefined : part.state), kind, text)
}

const extraOf = (extra: Extra | undefined): { readonly extra?: Extra } => (extra === undefined ? {} : { extra })

function toolCall(part: Row, report: Report): ToolCallEntry | undefined {
  const id = stringAt(part, 'id') ?? ''
  const name = stringAt(part, 'name')
  if (name === undefined || !isObject(part.state)) {
    report('part-invalid', { before: part, ...(id === '' ? {} : { callId: id }) })
    return undefined
  }
  const read = own(STATES, part.state.status)
  if (read === undefined) report('part-invalid', { message: UNKNOWN_STATE, before: part.state })
  if (read === undefined || NEVER_ENDED.has(read)) report('call-unfinished', id === '' ? {} : { callId: id })
  const isHosted = part.executed === true || valueAt(part.provider, 'executed') === true
  const extra = slotsOf(part, 'call')
  return {
    type: 'tool-call',
    id,
    name,
    ...argsOf(part.state.input),
    ...(isHosted ? { executor: 'provider' } : {}),
    state: (read ?? running)(part.state, report),
    ...(extra === undefined ? {} : { extra }),
  }
}

const NO_ERROR = 'The error of a call that failed is not stored.'
const UNKNOWN_STATE = 'The state of a call is of no known kind; what it holds besides its input was left out.'

/** While the arguments stream they are text. */
function argsOf(input: unknown): { readonly args: Json; readonly argsText?: string } {
  if (typeof input === 'string') return input === '' ? { args: {} } : { args: parseOrText(input), argsText: input }
  return { args: input === undefined || input === null ? {} : (input as Json) }
}

type StateReader = (state: Row, report: Report) => ToolCallState

const streaming: StateReader = () => ({
  status: 'interrupted',
  dispatched: false,
  reason: 'its arguments were still streaming',
})

const running: StateReader = (state) => {
  const output = stringAt(state.metadata, 'output')
  return { status: 'interrupted', ...(output === undefined || output === '' ? {} : { partial: output }) }
}

const STATES: { readonly [status: string]: StateReader } = {
  streaming,
  pending: streaming,
  running,
  completed: (state, report) => ({ status: 'completed', result: outputOf(state, report) }),
  error(state, report) {
    const error = stringAt(state.error, 'message') ?? stringAt(state, 'error') ?? ''
    const content = Array.isArray(state.content) ? outputOf(state, report) : ''
    if (error === '' && content.length === 0) report('part-invalid', { message: NO_ERROR, before: state })
    if (error === 'Tool execution interrupted') {
      return { status: 'interrupted', reason: error, ...(content.length === 0 ? {} : { partial: content }) }
    }
    return { status: 'failed', error: withError(error, content) }
  },
}

const NEVER_ENDED: ReadonlySet<StateReader> = new Set([streaming, running])

function withError(error: string, content: ToolOutput): ToolOutput {
  if (content.length === 0) return error
  const parts: readonly OutputPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return error === '' ? content : [{ type: 'text', text: error }, ...parts]
}

/** A list of texts and files; a lone text is what the model saw. Earlier versions had the value in `result` or `structured`. */
function outputOf(state: Row, report: Report): ToolOutput {
  if (!Array.isArray(state.content)) {
    if (state.content !== undefined && state.content !== null) report('part-invalid', { before: state.content })
    const value = state.result ?? state.structured
    if (typeof value === 'string') return value
    return value === undefined || value === null ? '' : [{ type: 'json', value: value as Json }]
  }
  const parts: OutputPart[] = []
  for (const item of state.content as readonly unknown[]) {
    const part = isObject(item) ? contentPart(item) : undefined
    if (part === undefined) report('part-invalid', { before: item })
    else parts.push(part)
  }
  const [first] = parts
  return parts.length === 1 && first?.type === 'text' ? first.text : parts
}

function contentPart(item: Row): OutputPart | undefined {
  if (item.type === 'file') return filePart(item)
  const text = item.type === 'text' ? stringAt(item, 'text') : undefined
  return text === undefined ? undefined : { type: 'text', text }
}
