import { isObject, type JsonObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { ENVELOPES, isOneObject } from '../../read/codex/rollout.ts'
import type { SourceRecord } from '../../read/reader.ts'
import { closingText } from './closing-text.ts'
import { RepairError } from './error.ts'
import { appending, lineFile, unanswered } from './line-file.ts'
import type { OpenCall, Plan, StoredFile } from './plan.ts'

/** Codex pairs outputs with calls by id, wherever they stand in the rollout: each kind of call has its kind of output. */
export function codex(stored: StoredFile, now: Date): Plan {
  const file = lineFile(stored)
  const { records } = file.lines
  if (records.some(({ value }) => isOneObject(value)))
    throw new RepairError('unsupported', 'this rollout is one JSON value, of the first Codex, and is not appended to')
  const kinds = kindsOf(records)
  const closed = unanswered(file).filter(({ id }) => kinds.has(id))
  const items = closed.map((call) => OUTPUTS[kinds.get(call.id)!]!(call))
  return appending(file, closed, enveloped(items, records, now))
}

type Output = (call: OpenCall) => JsonObject

const output =
  (type: string): Output =>
  (call) => ({ type, call_id: call.id, output: closingText(call) })

/** By the type of the call. A search has no text to say that it was interrupted: it found nothing, as Codex says it itself. */
const OUTPUTS: { readonly [type: string]: Output } = {
  function_call: output('function_call_output'),
  local_shell_call: output('function_call_output'),
  custom_tool_call: output('custom_tool_call_output'),
  tool_search_call: ({ id }) => ({
    type: 'tool_search_output',
    call_id: id,
    status: 'completed',
    execution: 'client',
    tools: [],
  }),
}

/** The type of each call by its id: of items of the rollout, and of those that a compaction put in their place. */
function kindsOf(records: readonly SourceRecord[]): ReadonlyMap<string, string> {
  const kinds = new Map<string, string>()
  const note = (item: unknown): void => {
    const [type, id] = [stringAt(item, 'type'), stringAt(item, 'call_id')]
    if (id !== undefined && type !== undefined && own(OUTPUTS, type) !== undefined) kinds.set(id, type)
  }
  for (const { value } of records) {
    const payload = valueAt(value, 'payload')
    const replacement = valueAt(payload, 'replacement_history')
    if (Array.isArray(replacement)) for (const item of replacement) note(item)
    note(isObject(payload) ? payload : value)
  }
  return kinds
}

/** In the form of the file: bare items before September 2025, then with a time around them, and in 2026 with their place too. */
function enveloped(items: readonly JsonObject[], records: readonly SourceRecord[], now: Date): readonly object[] {
  const isEnveloped = records.some(
    ({ value }) => own(ENVELOPES, stringAt(value, 'type')) === true && isObject(valueAt(value, 'payload')),
  )
  if (!isEnveloped) return items
  let ordinal: number | undefined
  for (const { value } of records) {
    const found = valueAt(value, 'ordinal')
    if (typeof found === 'number' && Number.isSafeInteger(found)) ordinal = Math.max(ordinal ?? found, found)
  }
  return items.map((payload, index) => ({
    timestamp: now.toISOString(),
    ...(ordinal === undefined ? {} : { ordinal: ordinal + 1 + index }),
    type: 'response_item',
    payload,
  }))
}
