import { type Fields, isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { type Entry, recordsOf, soleValue } from '../body.ts'
import type { Source } from '../reader.ts'

/** A record in the form of today, whichever generation wrote it. */
export interface RolloutRecord {
  readonly line?: number | undefined
  readonly type: string
  readonly payload: Fields
  readonly at?: string | undefined
}

/** What a record says; undefined for what is no record of a rollout, `skip` for one that only marks a place. */
export type Recognised = RolloutRecord | 'skip' | undefined

/** The entries of a source: JSON lines, an array of them, or the one object of the TypeScript CLI, taken apart. */
export function entriesOf(source: Source): readonly Entry[] {
  const value = soleValue(source)
  return isOneObject(value) ? takenApart(value) : recordsOf(source)
}

/** Of April to June 2025: `{ session, items }`, printed over many lines. */
export function isOneObject(
  value: unknown,
): value is Fields & { readonly session: Fields; readonly items: readonly unknown[] } {
  return isObject(valueAt(value, 'session')) && Array.isArray(valueAt(value, 'items'))
}

function takenApart(value: { readonly session: Fields; readonly items: readonly unknown[] }): Entry[] {
  const { instructions, ...session } = value.session
  // That CLI sent its instructions beside the items; later ones repeat them in a user message.
  const base = typeof instructions === 'string' ? { base_instructions: { text: instructions } } : {}
  const meta = { type: 'session_meta', payload: { ...session, ...base } }
  return [{ value: meta }, ...value.items.map((item) => ({ value: item }))]
}

/** Reads the envelope `{ timestamp, type, payload }`, or what stood bare before September 2025. */
export function recognised({ value, line }: Entry): Recognised {
  if (!isObject(value)) return undefined
  const type = stringAt(value, 'type')
  const payload = valueAt(value, 'payload')
  if (type !== undefined && isObject(payload)) return { line, type, payload, at: stringAt(value, 'timestamp') }
  if (type === undefined) return untyped(value, line)
  return own(ENVELOPES, type) === true ? undefined : bareItem(value, line)
}

/** Record kinds of the envelope; `true` so that a look-up tells. */
export const ENVELOPES: { readonly [type: string]: true } = {
  session_meta: true,
  response_item: true,
  event_msg: true,
  turn_context: true,
  compacted: true,
  world_state: true,
  inter_agent_communication: true,
  inter_agent_communication_metadata: true,
  security_risk_score: true,
  token_usage_record: true,
}

function untyped(value: Fields, line: number | undefined): Recognised {
  if (typeof value.record_type === 'string') return 'skip'
  // The TypeScript CLI stored some messages without a type.
  if (stringAt(value, 'role') !== undefined) return bareItem(value, line)
  return isBareMeta(value) ? { line, type: 'session_meta', payload: value } : undefined
}

/** The first line of bare JSON lines. */
export function isBareMeta(value: unknown): boolean {
  if (!isObject(value) || value.type !== undefined || value.role !== undefined) return false
  return typeof value.id === 'string' && typeof value.timestamp === 'string'
}

function bareItem(value: Fields, line: number | undefined): RolloutRecord {
  return { line, type: 'response_item', payload: value, at: timeOf(value.timestamp) }
}

/** Seconds since 1970 in the TypeScript CLI. */
function timeOf(timestamp: unknown): string | undefined {
  if (typeof timestamp === 'string') return timestamp
  if (typeof timestamp !== 'number' || !(timestamp > 0 && timestamp < 1e11)) return undefined
  return new Date(timestamp * 1000).toISOString()
}
