import { isObject, type JsonObject, parseOrText, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Extra, Json, StopReason, ToolCallEntry, Usage } from '../../model/session.ts'
import { agentAuthor } from '../agent-author.ts'
import { detailsOf } from '../ai-sdk/metadata.ts'
import type { StoredAssistant, StoredPart } from '../assemble.ts'
import { timeAt } from '../iso-time.ts'
import { pushPart } from '../item-parts.ts'
import type { Report } from '../report.ts'
import type { Row } from '../tables.ts'
import { type UsageTable, usageFrom } from '../usage.ts'
import { filePart } from './media.ts'
import { isNote } from './notes.ts'
import { outcomeOf } from './outcome.ts'
import { providerSlots, reasoningPart } from './provider-metadata.ts'
import type { StoredMessage } from './stored.ts'

/** One request of a message: earlier versions stored several steps in one. */
interface Step {
  readonly id: string
  readonly parts: StoredPart[]
  readonly details: Json[]
  finish: Row | undefined
}

/** The messages of a stored assistant message: one for each step that holds something. */
export function assistantMessages(message: StoredMessage, report: Report): readonly StoredAssistant[] {
  const steps = stepsOf(message, report)
  const told = steps.filter(({ parts }) => parts.length > 0)
  return told.map((step, index) => ({
    ...headOf(message, step, index === told.length - 1),
    ...(index === 0 ? idOf(message.id) : idOf(step.id)),
    parts: step.parts,
  }))
}

const idOf = (id: string): { readonly id?: string } => (id === '' ? {} : { id })

function stepsOf(message: StoredMessage, report: Report): readonly Step[] {
  const steps: Step[] = [{ id: '', parts: [], details: [], finish: undefined }]
  for (const [place, part] of message.parts.entries()) {
    const step = steps.at(-1)!
    if (isNote(part) && (part.text !== undefined || part.callID !== undefined))
      report('part-left-out', { before: part })
    if (part.type === 'step-start') {
      if (step.parts.length > 0)
        steps.push({ id: stringAt(part, 'id') ?? '', parts: [], details: [], finish: undefined })
    } else if (part.type === 'step-finish') step.finish = part
    else addPart(part, step, { report, next: message.parts[place + 1] })
  }
  return steps
}

function addPart(part: Row, step: Step, context: Context): void {
  const add = own(PARTS, part.type)
  if (add !== undefined) add(part, step, context)
  else if (!isNote(part)) context.report('record-unknown', { before: part.type })
}

interface Context {
  readonly report: Report
  readonly next: Row | undefined
}

const PARTS: { readonly [type: string]: (part: Row, step: Step, context: Context) => void } = {
  text(part, { parts }, { report, next }) {
    const text = stringAt(part, 'text')
    if (text === undefined) report('part-invalid', { before: part })
    else if (text === '' && !(isSigned(parts.at(-1)) && next?.type === 'reasoning')) report('text-empty')
    else pushPart(parts, { type: 'text', text, ...extraOf(providerSlots(part.metadata, 'text')) })
  },
  reasoning(part, step, { report }) {
    const text = stringAt(part, 'text')
    const extra = providerSlots(part.metadata, 'reasoning', text)
    for (const detail of detailsOf(part.metadata)) step.details.push(detail)
    if (text === undefined) report('part-invalid', { before: part })
    else if (text === '' && extra === undefined) report('text-empty')
    else pushPart(step.parts, reasoningPart(text, extra))
  },
  tool(part, { parts }, { report }) {
    const call = toolCall(part, report)
    if (call !== undefined) parts.push(call)
  },
  /** The program does not send what a model drew; it is content all the same. */
  file(part, { parts }, { report }) {
    const media = filePart(part)
    if (media === undefined) report('part-invalid', { before: part })
    else parts.push(media)
  },
}

const extraOf = (extra: Extra | undefined): { readonly extra?: Extra } => (extra === undefined ? {} : { extra })

/** An empty text between two signed thoughts parts them: their signatures hold their places. */
function isSigned(part: StoredPart | undefined): boolean {
  return part?.type === 'reasoning' && stringAt(part.extra?.anthropic, 'signature') !== undefined
}

/** The part is the pair: call and outcome stand in it together. */
function toolCall(part: Row, report: Report): ToolCallEntry | undefined {
  const name = stringAt(part, 'tool')
  const id = stringAt(part, 'callID') ?? ''
  if (name === undefined || !isObject(part.state)) {
    report('part-invalid', { before: part, ...(id === '' ? {} : { callId: id }) })
    return undefined
  }
  const { state, isUnfinished } = outcomeOf(part.state, report)
  if (isUnfinished) report('call-unfinished', id === '' ? {} : { callId: id })
  const isHosted = valueAt(part.metadata, 'providerExecuted') === true
  const extra = providerSlots(part.metadata, 'call')
  return {
    type: 'tool-call',
    id,
    name,
    ...argsOf(part.state),
    ...(isHosted ? { executor: 'provider' } : {}),
    state,
    ...(extra === undefined ? {} : { extra }),
  }
}

/** `raw` is the text of arguments that had not ended; of later versions it is empty, since the text was never stored. */
function argsOf({ input, raw }: Row): { readonly args: Json; readonly argsText?: string } {
  if (typeof raw === 'string' && raw !== '') return { args: parseOrText(raw), argsText: raw }
  return { args: input === undefined || input === null ? {} : (input as Json) }
}

const USAGE: UsageTable = {
  inputTokens: ['input'],
  outputTokens: ['output'],
  cacheReadTokens: ['cache', 'read'],
  cacheWriteTokens: ['cache', 'write'],
  reasoningTokens: ['reasoning'],
}

function headOf({ info, created }: StoredMessage, step: Step, isLast: boolean): Omit<StoredAssistant, 'parts'> {
  const by = agentAuthor(stringAt(info, 'providerID'), stringAt(info, 'modelID'), step.parts)
  const stop = stopOf(info, step, isLast)
  const usage = countsOf(step.finish?.tokens ?? (isLast ? info.tokens : undefined))
  const extra = slotsOf(info, step, isLast)
  return {
    ...(by === undefined ? {} : { by }),
    ...(stop === undefined ? {} : { stop }),
    ...(usage === undefined ? {} : { usage }),
    ...timeAt(valueAt(info.time, 'created') ?? created),
    ...(extra === undefined ? {} : { extra }),
  }
}

/** All zero is what an answer that never ended is stored with. */
export function countsOf(tokens: unknown): Usage | undefined {
  const { extra: _, ...usage } = usageFrom('openai-chat', tokens, USAGE) ?? {}
  return Object.values(usage).some((count) => count !== 0) ? usage : undefined
}

const STOPS: { readonly [finish: string]: StopReason } = {
  stop: 'end',
  'tool-calls': 'tool-calls',
  length: 'length',
  'content-filter': 'filtered',
  error: 'error',
}

const ERRORS: { readonly [name: string]: StopReason } = {
  MessageAbortedError: 'aborted',
  MessageOutputLengthError: 'length',
  ContentFilterError: 'filtered',
}

function stopOf(info: Row, { finish }: Step, isLast: boolean): StopReason | undefined {
  if (isLast && isObject(info.error)) return own(ERRORS, info.error.name) ?? 'error'
  return own(STOPS, finish?.reason) ?? (isLast ? own(STOPS, info.finish) : undefined)
}

/** What went wrong, and what OpenRouter wants back. */
function slotsOf(info: Row, { details }: Step, isLast: boolean): Extra | undefined {
  const error = isLast && isObject(info.error) ? ({ error: info.error } as JsonObject) : undefined
  if (error === undefined && details.length === 0) return undefined
  return {
    ...(details.length === 0 ? {} : { 'openai-chat': { reasoning_details: details } }),
    ...(error === undefined ? {} : { opencode: error }),
  }
}
