import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Json, ToolCallState } from '../../model/session.ts'
import type { OpenCall, StoredPart, StoredResult } from '../assemble.ts'
import { resultOf, sorted } from '../gemini/contents.ts'
import { failed } from '../gemini/outcome.ts'
import { partsOf, textIn } from '../gemini/parts.ts'
import type { Report } from '../report.ts'

/** A recorded call: `{ id, name, args, status, result? }`. */
export function recordedCalls(record: Fields, report: Report): Fields[] {
  const list = valueAt(record, 'toolCalls')
  if (!Array.isArray(list)) return []
  for (const call of list) if (!isObject(call)) report('part-invalid', { before: call })
  return list.filter(isObject)
}

/**
 * The parts of a message with those of its recorded calls that are not among them; a call without an id is given that of
 * the oldest recorded call of its name.
 */
export function withRecordedCalls(said: readonly StoredPart[], calls: readonly Fields[]): readonly StoredPart[] {
  const left = new Set(calls)
  const named = new Set(said.map((part) => (part.type === 'tool-call' ? part.id : '')))
  const queues = queuesOf(calls, named)
  const parts = said.map((part) => {
    if (part.type !== 'tool-call' || part.executor === 'provider') return part
    const queue = queues.get(part.id === '' ? `name ${part.name}` : `id ${part.id}`)
    const record = queue?.records[queue.taken]
    if (queue === undefined || record === undefined) return part
    queue.taken++
    left.delete(record)
    return part.id === '' ? { ...part, id: idOf(record) } : part
  })
  return [...parts, ...[...left].map(callOf)]
}

interface Queue {
  readonly records: Fields[]
  taken: number
}

/** By id where a part names it, else by name; oldest first. */
function queuesOf(calls: readonly Fields[], named: ReadonlySet<string>): ReadonlyMap<string, Queue> {
  const queues = new Map<string, Queue>()
  for (const call of calls) {
    const id = idOf(call)
    const key = id !== '' && named.has(id) ? `id ${id}` : `name ${stringAt(call, 'name') ?? ''}`
    const queue = queues.get(key)
    if (queue === undefined) queues.set(key, { records: [call], taken: 0 })
    else queue.records.push(call)
  }
  return queues
}

const idOf = (record: Fields): string => stringAt(record, 'id') ?? ''

/** Of these states a call leaves only when it is allowed to run. */
const NOT_STARTED: ReadonlySet<unknown> = new Set(['validating', 'scheduled', 'awaiting_approval'])

function callOf(record: Fields): StoredPart {
  const call: OpenCall = {
    type: 'tool-call',
    id: idOf(record),
    name: stringAt(record, 'name') ?? '',
    args: (record.args ?? {}) as Json,
  }
  const isWaiting = NOT_STARTED.has(record.status) && partsOf(record.result).length === 0
  return isWaiting ? { ...call, state: { status: 'interrupted', dispatched: false } } : call
}

/** The outcome that a recorded call tells; undefined when none is stored. */
export function recordedResult(record: Fields, report: Report, line: number | undefined): StoredResult | undefined {
  const place = { callId: idOf(record), name: stringAt(record, 'name'), ...(line === undefined ? {} : { line }) }
  const isFailed = own(FAILURES, record.status)
  if (partsOf(record.result).length === 0) {
    if (isFailed === undefined) return undefined
    // The record says no more than that: what the model was told may still stand in a message.
    const shown = stringAt(record, 'resultDisplay')
    return { ...place, state: { status: 'failed', error: shown || isFailed }, synthetic: true }
  }
  const state = storedState(record, report, line)
  return { ...place, state: isFailed === undefined ? state : failed(state) }
}

const FAILURES: { readonly [status: string]: string } = {
  error: 'The call failed.',
  cancelled: 'The call was cancelled.',
}

/** A list may hold the responses of all calls that were made together: masking old outputs puts the whole turn there. */
function storedState(record: Fields, report: Report, line: number | undefined): ToolCallState {
  const id = idOf(record)
  const { said, responses } = sorted(record.result, report)
  const own = responses.find(({ response }) => response.id === id) ?? responses.find(({ response }) => !response.id)
  const found = own ?? (responses.length === 1 ? responses[0] : undefined)
  if (found !== undefined) return resultOf(found, line).state
  const media = said.filter((part) => part.type === 'media')
  const text = textIn(record.result)
  if (media.length === 0) return { status: 'completed', result: text }
  return { status: 'completed', result: text === '' ? media : [{ type: 'text', text }, ...media] }
}
