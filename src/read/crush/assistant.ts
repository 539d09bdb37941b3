import { isObject, type JsonObject, parseOrText, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Extra, Json, ReasoningPart, StopReason, ToolCallEntry } from '../../model/session.ts'
import { agentAuthor } from '../agent-author.ts'
import type { StoredAssistant, StoredPart } from '../assemble.ts'
import { timeAt } from '../iso-time.ts'
import type { OpenCall } from '../open-calls.ts'
import type { Report } from '../report.ts'
import type { Row } from '../tables.ts'
import { isApart, type StoredMessage } from './parts.ts'

interface Context {
  readonly report: Report
  /** Ids of the calls that have a result. */
  readonly answered: ReadonlySet<string>
}

type PartReader = (data: Row, context: Context) => StoredPart | undefined

const PARTS: { readonly [type: string]: PartReader } = {
  text(data, { report }) {
    const text = stringAt(data, 'text')
    if (text === undefined) report('part-invalid', { before: data })
    else if (text === '') report('text-empty')
    else return { type: 'text', text }
    return undefined
  },
  reasoning: reasoningPart,
  tool_call: toolCall,
}

/** The answer; undefined when it holds nothing, as when it was cut off before its first word. */
export function assistantMessage({ id, row, parts }: StoredMessage, context: Context): StoredAssistant | undefined {
  const read: StoredPart[] = []
  let finish: Row | undefined
  for (const { type, data } of parts) {
    const add = own(PARTS, type)
    if (add === undefined && !isApart(type)) context.report('record-unknown', { before: type })
    const part = add?.(data, context)
    if (part !== undefined) read.push(part)
    if (type !== 'finish') continue
    if (finish?.message !== undefined) context.report('part-left-out', { before: finish })
    finish = data
  }
  if (read.length === 0) return undefined
  const by = agentAuthor(stringAt(row, 'provider'), stringAt(row, 'model'), read)
  const stop = own(STOPS, finish?.reason)
  const message = stringAt(finish, 'message')
  return {
    parts: read,
    ...(id === '' ? {} : { id }),
    ...(by === undefined ? {} : { by }),
    ...(stop === undefined ? {} : { stop }),
    ...timeAt(row.created_at),
    ...(message === undefined || message === '' ? {} : { extra: { crush: { finish: finish as JsonObject } } }),
  }
}

const STOPS: { readonly [reason: string]: StopReason } = {
  end_turn: 'end',
  max_tokens: 'length',
  tool_use: 'tool-calls',
  canceled: 'aborted',
  error: 'error',
  content_filter: 'filtered',
}

const NO_THOUGHT = 'A reasoning part is stored without its text.'

function reasoningPart(data: Row, { report }: Context): ReasoningPart | undefined {
  if (typeof data.thinking !== 'string') report('part-invalid', { message: NO_THOUGHT, before: data })
  const text = stringAt(data, 'thinking') ?? ''
  const extra = slotsOf(data, text)
  if (text === '' && extra === undefined) return undefined
  const isRedacted = text === '' && extra?.['openai-responses'] !== undefined
  return {
    type: 'reasoning',
    text,
    ...(isRedacted ? { redacted: true } : {}),
    ...(extra === undefined ? {} : { extra }),
  }
}

/** One reasoning part may carry what any of three APIs wants back. */
function slotsOf(data: Row, text: string): Extra | undefined {
  const signature = stringAt(data, 'signature')
  const thoughtSignature = stringAt(data, 'thought_signature')
  const item = itemOf(data.responses_data, text)
  const extra: Extra = {
    ...(signature ? { anthropic: { signature } } : {}),
    ...(thoughtSignature ? { gemini: { thoughtSignature } } : {}),
    ...(item === undefined ? {} : { 'openai-responses': { item } }),
  }
  return Object.keys(extra).length === 0 ? undefined : extra
}

/** The item of Responses; some versions wrap it in its kind. */
function itemOf(stored: unknown, text: string): JsonObject | undefined {
  const data = valueAt(stored, 'data')
  const item = isObject(data) ? data : stored
  const [id, encrypted] = [stringAt(item, 'item_id'), stringAt(item, 'encrypted_content')]
  if (!id && !encrypted) return undefined
  const summary = valueAt(item, 'summary')
  const texts = Array.isArray(summary) ? summary.filter((part) => typeof part === 'string') : text === '' ? [] : [text]
  return {
    ...(id ? { id } : {}),
    summary: texts.map((part) => ({ type: 'summary_text', text: part })),
    ...(encrypted ? { encrypted_content: encrypted } : {}),
  }
}

/** The arguments are text; of a call that was cut off they are the beginning of a text, and it never ran. */
function toolCall(data: Row, { report, answered }: Context): OpenCall | ToolCallEntry | undefined {
  const name = stringAt(data, 'name')
  const id = stringAt(data, 'id') ?? ''
  if (name === undefined) {
    report('part-invalid', { before: data })
    return undefined
  }
  const isHosted = data.provider_executed === true
  const call: OpenCall = {
    type: 'tool-call',
    id,
    name,
    ...argsOf(data.input),
    ...(isHosted ? { executor: 'provider' } : {}),
  }
  if (data.finished !== false || answered.has(id)) return call
  report('call-unfinished', id === '' ? {} : { callId: id })
  return { ...call, state: { status: 'interrupted', dispatched: false } }
}

function argsOf(input: unknown): { readonly args: Json; readonly argsText?: string } {
  if (typeof input === 'string' && input !== '') return { args: parseOrText(input), argsText: input }
  return { args: input === undefined || input === null || input === '' ? {} : (input as Json) }
}
