import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { type Entry, soleValue } from '../body.ts'
import { SAMPLE } from '../evidence.ts'
import type { Source } from '../reader.ts'
import { ENVELOPES, entriesOf, isBareMeta, isOneObject } from './rollout.ts'

/** Surer than a reader of bodies can be: bare rollouts hold items of the Responses API. */
const CERTAIN = 0.95

export function detect(source: Source): number {
  if (isOneObject(soleValue(source))) return CERTAIN
  const entries = entriesOf(source).slice(0, SAMPLE)
  return entries.some(isEnvelope) || isBare(entries) ? CERTAIN : 0
}

function isEnvelope({ value }: Entry): boolean {
  return own(ENVELOPES, stringAt(value, 'type')) === true && isObject(valueAt(value, 'payload'))
}

/** Items behind a line of `id` and `timestamp`, or between marks of the state. */
function isBare(entries: readonly Entry[]): boolean {
  const isMarked = isBareMeta(entries[0]?.value) || entries.some(({ value }) => isMark(value))
  return isMarked && entries.some(({ value }) => own(ITEM_TYPES, stringAt(value, 'type')) === true && isItem(value))
}

/** `{"record_type":"state"}`, and nothing else. */
function isMark(value: unknown): boolean {
  return isObject(value) && typeof value.record_type === 'string' && Object.keys(value).length === 1
}

const ITEM_TYPES: { readonly [type: string]: true } = {
  message: true,
  reasoning: true,
  function_call: true,
  function_call_output: true,
  local_shell_call: true,
  custom_tool_call: true,
  custom_tool_call_output: true,
}

/** A message of other tools stands under a key of its record. */
function isItem(value: unknown): boolean {
  return stringAt(value, 'type') !== 'message' || stringAt(value, 'role') !== undefined
}
